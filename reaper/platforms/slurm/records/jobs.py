"""
Reads job records from Slurm's JSON: `squeue --json` and slurmrestd, 22.05 to 25.11.

A record that does not say which run it is fails the answer.  Any other fault is its own: an odd
value counts as not said, and the record tells so (`odd`, `nameless`, `unclear`).
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from reaper.platforms.slurm.records.gres import Gpus, GresError, asked, gpus
from reaper.platforms.slurm.records.record import ENDED, KNOWN, Job, Wish
from reaper.platforms.slurm.records.scalars import (
    Noting,
    ShapeError,
    flag,
    instant,
    number,
    optional,
    shown,
    span,
    text,
    texts,
    whole,
)
from reaper.schema.hostlist import HostlistError, expand

_Reader = Callable[[Mapping[str, object], str], int]

#: Slurm's ESLURM_INVALID_JOB_ID: the job asked for is no longer known.
NO_SUCH_JOB: Final = 2017


def read_jobs(body: object) -> tuple[Job, ...]:
    """Return the jobs of an answer; () when it says that the job is unknown; raise ShapeError."""
    records = listed(body, "jobs")
    return tuple(_job(record) for record in records)


def listed(body: object, key: str) -> list[Mapping[str, object]]:
    """Return the records of an answer, () for an unknown job; raise ShapeError."""
    records = items(body, key)
    if not all(isinstance(item, Mapping) for item in records):
        raise ShapeError(f"the answer has no list of {key}")
    return records


def items(body: object, key: str) -> list[Any]:
    """Return the list of an answer, whatever stands in it; raise ShapeError."""
    if not isinstance(body, Mapping):
        raise ShapeError("the answer is no JSON object")
    if problems := _problems(body):
        raise ShapeError("; ".join(problems))
    records = body.get(key, [] if body.get("errors") else None)
    if not isinstance(records, list):
        raise ShapeError(f"the answer has no list of {key}")
    return records


def _problems(body: Mapping[str, object]) -> list[str]:
    errors = body.get("errors") or []
    if not isinstance(errors, list):
        return ["errors is no list"]
    return [
        str(error.get("description") or error.get("error") or error)[:200]
        if isinstance(error, Mapping)
        else str(error)[:200]
        for error in errors
        if not isinstance(error, Mapping) or error.get("error_number") != NO_SUCH_JOB
    ]


def _job(record: Mapping[str, object]) -> Job:
    try:
        return _read(record)
    except ShapeError as error:
        raise ShapeError(f"job {shown(record.get('job_id', '?'))}: {error}") from error


def _read(record: Mapping[str, object]) -> Job:
    """Return a record's job; raise ShapeError where nobody can say which run it is."""
    named, said = Noting(record), Noting(record)
    sluid = named.read(text, "sluid", "")
    ident = whole(record, "job_id")
    if not ident:
        raise ShapeError("no job_id")
    key = _keyed(said, sluid)
    nodes = said.read(_nodes, "nodes", ())
    detail, unclear = _detail(record, nodes)
    ends, limit = said.read(span, "end_time", None), said.read(span, "time_limit", None)
    states = frozenset(state.upper() for state in said.read(texts, "job_state", ()))
    job = Job(
        id=ident,
        states=states,
        user=_user(said),
        submitted=key("submit_time", instant),
        array=named.read(optional, "array_job_id", 0),
        task=named.read(_task, "array_task_id", None),
        pending_tasks=named.read(text, "array_task_string", ""),
        het=named.read(optional, "het_job_id", 0),
        offset=named.read(optional, "het_job_offset", 0),
        sluid=sluid,
        account=said.read(text, "account", ""),
        partition=said.read(text, "partition", ""),
        qos=said.read(text, "qos", ""),
        name=said.read(text, "name", ""),
        command=said.read(text, "command", ""),
        uid=said.read(_ident, "user_id", None),
        gid=said.read(_ident, "group_id", None),
        workdir=said.read(text, "current_working_directory", ""),
        submit_line=said.read(text, "submit_line", ""),
        reservation=said.read(text, "resv_name", ""),
        named=said.read(_nodes, "required_nodes", ()),
        avoids=said.read(_nodes, "excluded_nodes", ()),
        reason=said.read(text, "state_reason", ""),
        dependency=said.read(text, "dependency", ""),
        started=said.read(instant, "start_time", 0),
        eligible=said.read(optional, "eligible_time", 0),
        ends=None if limit in (None, math.inf) or ends in (None, math.inf) else ends,
        over=ends if states & ENDED and ends and not math.isinf(ends) else None,
        limit=None if limit is None or math.isinf(limit) else int(limit),
        paused=said.read(optional, "suspend_time", 0),
        ran_before_pause=said.read(optional, "pre_sus_time", 0),
        restarts=key("restart_cnt", whole),
        requeue=said.read(flag, "requeue", False),
        batch=said.read(flag, "batch_flag", False),
        nodes=nodes,
        gpus=detail,
        unclear=unclear,
        allocated=said.read(text, "tres_alloc_str", ""),
        wish=_wish(said),
        nameless="; ".join(named.odd),
    )
    return replace(job, odd="; ".join((*said.odd, *_strange(job))))


def _keyed(said: Noting, sluid: str) -> Callable[[str, _Reader], int]:
    """Return how identity is read: where there is a SLUID the rest are values like others."""
    if sluid:
        return lambda name, reader: said.read(reader, name, 0)
    return lambda name, reader: reader(said.record, name)


def _strange(job: Job) -> Iterator[str]:
    """Yield what is readable and cannot be."""
    if not job.states & KNOWN:
        yield f"its state {'+'.join(sorted(job.states)) or '(none)'} is not known"
    if "RUNNING" in job.states and not job.started:
        yield "it runs and has no start_time"


def _user(said: Noting) -> str:
    ident = said.read(_ident, "user_id", None)
    return said.read(text, "user_name", "") or ("" if ident is None else str(ident))


def _nodes(record: Mapping[str, object], key: str) -> tuple[str, ...]:
    try:
        return expand(text(record, key))
    except HostlistError as error:
        raise ShapeError(f"{key}: {error}") from error


def _ident(record: Mapping[str, object], key: str) -> int | None:
    """Return a user's or group's id; None, never root's, where Slurm does not say."""
    value = number(record, key) if key in record else None
    return None if value in (None, math.inf) else whole(record, key)


def _task(record: Mapping[str, object], key: str) -> int | None:
    """Return the array task, which is 0 both for task 0 and, in 22.05, for no array at all."""
    found = _ident(record, key)
    inside = optional(record, "array_job_id") and not text(record, "array_task_string")
    return found if inside else None


def _detail(
    record: Mapping[str, object], nodes: tuple[str, ...]
) -> tuple[tuple[tuple[Gpus, ...], ...], str]:
    """Return the GPUs on each node and why they are unclear; an entry a node, in their order."""
    try:
        entries = texts(record, "gres_detail")
        found = tuple(gpus(entry) for entry in entries)
    except (ShapeError, GresError) as error:
        return (), f"gres_detail: {error}" if isinstance(error, GresError) else str(error)
    if entries and len(entries) != len(nodes):
        return (), f"Slurm lists GPUs of {len(entries)} nodes for a job on {len(nodes)}"
    return found, ""


def _wish(said: Noting) -> Wish:
    return Wish(
        per_job=said.read(_asked, "tres_per_job", ""),
        per_node=said.read(_asked, "tres_per_node", ""),
        per_socket=said.read(_asked, "tres_per_socket", ""),
        per_task=said.read(_asked, "tres_per_task", ""),
        total=said.read(_asked, "tres_req_str", ""),
        nodes=max(1, said.read(_finite, "node_count", 0)),
        tasks=max(1, said.read(_finite, "tasks", 0)),
        sockets=max(1, said.read(_finite, "sockets_per_node", 0)),
        cpus=max(1, said.read(_finite, "cpus", 0)),
    )


def _asked(record: Mapping[str, object], key: str) -> str:
    """Return the text of a wish for GPUs that can be read."""
    found = text(record, key)
    try:
        asked(found)
    except GresError as error:
        raise ShapeError(f"{key}: {error}") from error
    return found


def _finite(record: Mapping[str, object], key: str) -> int:
    value = span(record, key) if key in record else None
    return 0 if value is None or math.isinf(value) else int(value)
