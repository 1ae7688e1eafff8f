"""
The OpenAPI description of the JSON API, made from what the API reads and answers with.

Asks are pydantic models, answers frozen values; both describe themselves, so that the description
cannot say what the program does not do.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from reaper.questions import Queue
from reaper.requests import Granted
from reaper.web.json_api.answers import Error
from reaper.web.json_api.asks import (
    FORMS,
    ApproveAsk,
    DisputeAsk,
    KeepAsk,
    PauseAsk,
    ReleaseAsk,
    ReportAsk,
    ResumeAsk,
    RuleAsk,
)
from reaper.web.json_api.showing import Status
from reaper.web.json_api.told import Explained, History, Mine

#: Where the description is served.
PATH: Final = "/api/v1/openapi.json"

_REF: Final = "#/components/schemas/{model}"

_NAME: Final = "Its id, ``platform/id`` or run key."
_SECONDS: Final = "Unix seconds."

#: What may go wrong, by status.
_ERRORS: Final = {
    400: "What was asked cannot be read; the sentence says which part and why.",
    401: "Nobody is signed in, on a port where people sign in.",
    403: "It may not be done, or not by this person; the sentence says who may.",
    404: "There is no such thing for whoever asks.",
    413: "The request is too long.",
    421: "Asked under a name that is not this machine's.",
    503: "No cycle was written yet, or the store cannot be read.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A part of a path or a query."""

    name: str
    text: str
    schema: Mapping[str, Any]
    where: str = "query"
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A question by GET: its path, what it says, and what it answers with (None for a report)."""

    path: str
    ident: str
    text: str
    answer: type | None
    parameters: tuple[Parameter, ...] = ()
    errors: tuple[int, ...] = (401, 403, 421, 503)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A request by POST, on the unix socket alone."""

    path: str
    ident: str
    ask: type[BaseModel]


_PERIOD: Final = (
    Parameter(name="begin", text=f"{_SECONDS} Default: a day ago.", schema={"type": "number"}),
    Parameter(name="end", text=f"{_SECONDS} Default: now.", schema={"type": "number"}),
)

_SAID: Final = {
    "Reason": {"type": "string", "description": "Why something is so: an English sentence."},
    "Refusal": {"type": "string", "description": "What holds a step: a rule, ``: ``, and why."},
}
"""What is a value inside and a sentence in every answer."""

READS: Final = (
    Read(
        path="/api/v1/status",
        ident="status",
        text="The picture of the last cycle.",
        answer=Status,
        parameters=(
            Parameter(
                name="brief",
                text="`yes` for an operator who wants no more rows than what burns most.",
                schema={"type": "string", "enum": ["no", "yes"]},
            ),
        ),
    ),
    Read(
        path="/api/v1/allocations/{platform}/{id}",
        ident="explain",
        text="All that is known of one allocation, live or ended.",
        answer=Explained,
        parameters=(
            Parameter(
                name="platform",
                text="Its platform.",
                schema={"type": "string", "minLength": 1},
                where="path",
                required=True,
            ),
            Parameter(
                name="id",
                text="Its id there; slashes stand as they are.",
                schema={"type": "string", "minLength": 1},
                where="path",
                required=True,
            ),
        ),
        errors=(401, 403, 404, 421, 503),
    ),
    Read(
        path="/api/v1/explain",
        ident="explain_by_name",
        text="The same, by any name of it.",
        answer=Explained,
        parameters=(Parameter(name="name", text=_NAME, schema={"type": "string"}, required=True),),
        errors=(401, 403, 404, 421, 503),
    ),
    Read(
        path="/api/v1/history",
        ident="history",
        text="What happened, oldest first; for operators.",
        answer=History,
        parameters=_PERIOD,
        errors=(400, 401, 403, 421, 503),
    ),
    Read(path="/api/v1/mine", ident="mine", text="What is the asker's own.", answer=Mine),
    Read(path="/api/v1/queue", ident="queue", text="What waits for an operator.", answer=Queue),
    Read(
        path="/api/v1/audit",
        ident="audit",
        text="What people changed, oldest first; for operators.",
        answer=History,
        parameters=_PERIOD,
        errors=(400, 401, 403, 421, 503),
    ),
    Read(
        path="/api/v1/report",
        ident="report",
        text="The report of a week.",
        answer=None,
        parameters=(
            Parameter(
                name="format", text="Default: json.", schema={"type": "string", "enum": [*FORMS]}
            ),
            *(
                Parameter(
                    name=name, text=text, schema=ReportAsk.model_json_schema()["properties"][name]
                )
                for name, text in (
                    ("week", "ISO week, such as 2026-W09; this week so far where it is empty."),
                    ("team", "Only what this team held, with names."),
                    ("names", "Name persons where the form would not."),
                    ("language", "en or ru; the one of the mailed reports where it is empty."),
                )
            ),
        ),
        errors=(400, 401, 403, 404, 421, 503),
    ),
)

CHANGES: Final = (
    Change(path="/api/v1/keep", ident="keep", ask=KeepAsk),
    Change(path="/api/v1/release", ident="release", ask=ReleaseAsk),
    Change(path="/api/v1/dispute", ident="dispute", ask=DisputeAsk),
    Change(path="/api/v1/pause", ident="pause", ask=PauseAsk),
    Change(path="/api/v1/resume", ident="resume", ask=ResumeAsk),
    Change(path="/api/v1/rule", ident="rule", ask=RuleAsk),
    Change(path="/api/v1/approve", ident="approve", ask=ApproveAsk),
)


@cache
def description(version: str) -> Mapping[str, Any]:
    """Return the whole description, for a version of the program."""
    schemas, names = _schemas()
    paths: dict[str, dict[str, Any]] = {}
    for read in READS:
        paths[read.path] = {"get": _read(read, names)}
    for change in CHANGES:
        paths[change.path] = {"post": _change(change, names)}
    paths[PATH] = {"get": _itself()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "gpu-reaper",
            "version": version,
            "description": (
                "Reading is by GET.  Changing is by POST on the unix socket alone, as whom the "
                "kernel names.  Instants are Unix seconds, durations seconds, memory bytes."
            ),
        },
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _schemas() -> tuple[dict[str, Any], Mapping[type, str]]:
    """Return the schemas of everything that is asked or answered, and their names."""
    asks = [change.ask for change in CHANGES]
    _, asked = models_json_schema([(ask, "validation") for ask in asks], ref_template=_REF)
    told = [Granted, Error, *dict.fromkeys(read.answer for read in READS if read.answer)]
    _, answered = TypeAdapter.json_schemas(
        [(one.__name__, "serialization", TypeAdapter(one)) for one in told], ref_template=_REF
    )
    schemas = {**answered.get("$defs", {}), **asked.get("$defs", {}), **_SAID}
    return dict(sorted(schemas.items())), {one: one.__name__ for one in (*asks, *told)}


def _read(read: Read, names: Mapping[type, str]) -> dict[str, Any]:
    content: dict[str, Any] = {kind: {} for kind in dict.fromkeys(FORMS.values())}
    if read.answer is not None:
        content = _json(names[read.answer])
    return {
        "operationId": read.ident,
        "summary": read.text,
        "parameters": [
            {
                "name": one.name,
                "in": one.where,
                "required": one.required,
                "description": one.text,
                "schema": dict(one.schema),
            }
            for one in read.parameters
        ],
        "responses": {
            "200": {"description": read.text, "content": content},
            **dict(_failures(read.errors)),
        },
    }


def _change(change: Change, names: Mapping[type, str]) -> dict[str, Any]:
    return {
        "operationId": change.ident,
        "summary": (change.ask.__doc__ or "").strip(),
        "requestBody": {"required": True, "content": _json(names[change.ask])},
        "responses": {
            "200": {"description": "What was done.", "content": _json(names[Granted])},
            **dict(_failures((400, 403, 413, 503))),
        },
    }


def _itself() -> dict[str, Any]:
    text = "This description."
    content = {"application/json": {"schema": {"type": "object"}}}
    return {
        "operationId": "openapi",
        "summary": text,
        "responses": {
            "200": {"description": text, "content": content},
            **dict(_failures((401, 421))),
        },
    }


def _failures(statuses: tuple[int, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    for status in statuses:
        yield str(status), {"description": _ERRORS[status], "content": _json(Error.__name__)}


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REF.format(model=name)}}}
