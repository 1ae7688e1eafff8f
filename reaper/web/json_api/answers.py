"""
Answers of the JSON API: any frozen value as the object of all its fields, in UTC and base units.

A reason is its English sentence, and a refusal its rule and that.  An error is ``{"error": …}``
with one sentence that names the cure.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from aiohttp import web

from reaper.domain.escalation.decision import Refusal
from reaper.domain.reason import Reason
from reaper.languages.catalogue import refused, said


@dataclass(frozen=True, slots=True, kw_only=True)
class Error:
    """What went wrong, in a sentence that names the cure."""

    error: str


def body(value: object) -> str:
    """Return a value as JSON of ASCII letters."""
    return json.dumps(value, default=_fields, allow_nan=False)


def answer(value: object, *, status: int = 200) -> web.Response:
    """Return a response that carries a value."""
    return web.Response(text=body(value), status=status, content_type="application/json")


def problem(status: int, text: str) -> web.Response:
    """Return a response that says what went wrong."""
    return answer(Error(error=text), status=status)


def _fields(value: object) -> Any:  # noqa: ANN401 - whatever JSON takes
    if isinstance(value, Refusal):
        return refused(value)
    if isinstance(value, Reason):
        return said(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"{type(value).__name__}: no value of the API")
