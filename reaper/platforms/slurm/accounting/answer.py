"""Reads `sacct --json` and slurmdbd's answers through slurmrestd: 21.08 to 25.11."""

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from reaper.domain.audit.jobs import RecordedJob, Records, Unread
from reaper.platforms.slurm.accounting.fields import Allocated, allocated
from reaper.platforms.slurm.accounting.making import Entry, Step, Told, made, unseen, unseen_gpus
from reaper.platforms.slurm.records.jobs import items
from reaper.platforms.slurm.records.scalars import (
    ShapeError,
    number,
    optional,
    shown,
    text,
    texts,
    whole,
)

FORM: Final = "sacct JSON"

_MIB: Final = 2**20
_EMPTY: Final[Mapping[str, object]] = {}


def read_answer(body: str, *, source: str, told: Told) -> Records:
    """Return the jobs of an answer; what cannot be read is in it, by its job."""
    try:
        records = items(json.loads(body, strict=False), "jobs")
    except (ShapeError, ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        what = f"is no answer of `sacct --json`: {error}"
        return Records(
            source=source, form=FORM, unread=(Unread(file=source, line=line, what=what),)
        )
    jobs: list[RecordedJob] = []
    hidden: list[str] = []
    unread: list[Unread] = []
    steps = 0
    for record in records:
        try:
            entry, own = _entry(record), _steps(record)
        except (ShapeError, TypeError, AttributeError) as error:
            ident = shown(record.get("job_id", "?")) if isinstance(record, Mapping) else "?"
            unread.append(Unread(file=source, what=f"job {ident}: {error}", job=ident))
            continue
        job, notes = made(entry, own, told)
        jobs.append(job)
        unread += [Unread(file=source, what=what, kept=True) for what in notes]
        if unseen(entry):
            hidden.append(entry.id)
        steps += len(own)
    return Records(
        source=source,
        form=FORM,
        jobs=tuple(jobs),
        rows=len(records) + steps,
        steps=steps,
        unread=tuple(unread),
        notes=(unseen_gpus(hidden, len(hidden)),) if hidden else (),
    )


def _entry(record: Mapping[str, object]) -> Entry:
    times = record.get("time")
    if not isinstance(times, Mapping) or "elapsed" not in times:
        raise ShapeError("no time.elapsed: this is no answer of accounting")
    elapsed = number(times, "elapsed")
    if elapsed is not None and elapsed < 0:
        raise ShapeError(f"time.elapsed: {elapsed:g} is below zero")
    limit = number(times, "limit") if "limit" in times else None
    return Entry(
        id=_id(record),
        raw=str(number(record, "job_id") or ""),
        state=_state(record),
        exit_code=_exit_code(record),
        cluster=text(record, "cluster"),
        user=text(record, "user") or text(_group(record, "association"), "user"),
        account=text(record, "account"),
        partition=text(record, "partition"),
        qos=text(record, "qos"),
        name=text(record, "name"),
        nodes=text(record, "nodes"),
        submit_line=text(record, "submit_line"),
        comment=text(_group(record, "comment"), "administrator"),
        submitted=_instant(times, "submission"),
        eligible=_instant(times, "eligible"),
        began=_instant(times, "start"),
        ended=_instant(times, "end"),
        elapsed=elapsed,
        suspended=float(optional(times, "suspended")),
        limit=None if limit is None or math.isinf(limit) else limit * 60,
        allocated=_allocated(record),
    )


def _id(record: Mapping[str, object]) -> str:
    """Return what people call a job: an array's id and task, a het job's id and component."""
    ident, array, het = whole(record, "job_id"), _group(record, "array"), _group(record, "het")
    if not ident:
        raise ShapeError("no job_id")
    if base := optional(array, "job_id"):
        task = number(array, "task_id") if "task_id" in array else None
        if task is not None and not math.isinf(task):
            return f"{base}_{int(task)}"
    if base := optional(het, "job_id"):
        return f"{base}+{optional(het, 'job_offset')}"
    return str(ident)


def _state(record: Mapping[str, object]) -> str:
    """Return the first state: one text until 23.02, a list since; the base state comes first."""
    said = _group(record, "state")
    found = texts(said, "current") if "current" in said else ()
    return found[0] if found else ""


def _exit_code(record: Mapping[str, object]) -> str:
    signal = _group(_group(record, "exit_code"), "signal")
    ident = signal.get("id", signal.get("signal_id"))
    value = number({"id": ident}, "id") if ident is not None else None
    return f"0:{int(value)}" if value and not math.isinf(value) else ""


def _instant(times: Mapping[str, object], key: str) -> float | None:
    """Return an instant; Slurm writes 0 where there is none."""
    value = number(times, key) if key in times else None
    return None if not value or math.isinf(value) else value


def _allocated(record: Mapping[str, object]) -> Allocated:
    counts: list[tuple[str, float]] = []
    memory = None
    for item in _list(_group(record, "tres"), "allocated"):
        kind, name, count = text(item, "type"), text(item, "name"), number(item, "count")
        amount = count if count and count > 0 and not math.isinf(count) else 0.0
        if kind == "mem":
            memory = amount * _MIB
        elif kind == "gres" and (name == "gpu" or name.startswith("gpu:")):
            counts.append((name.removeprefix("gpu").removeprefix(":"), amount))
    return allocated(counts, memory=memory)


def _steps(record: Mapping[str, object]) -> list[Step]:
    return [_step(item) for item in _list(record, "steps")]


def _step(item: Mapping[str, object]) -> Step:
    states = texts(item, "state") if "state" in item else ()
    name = text(_group(item, "step"), "name")
    ident = str(_group(item, "step").get("id", ""))
    peak = max((_peak(one) for one in _peaks(item)), default=None)
    return Step(
        name="batch" if "batch" in (name, ident.partition(".")[2]) else name,
        began=() if (at := _instant(_group(item, "time"), "start")) is None else (at,),
        out_of_memory="OUT_OF_MEMORY" in states,
        memory=peak,
    )


def _peaks(item: Mapping[str, object]) -> Iterable[Mapping[str, object]]:
    requested = _group(_group(item, "tres"), "requested")
    found = _list(requested, "max")
    return [one for one in found if one.get("type") == "mem"]


def _peak(item: Mapping[str, object]) -> float:
    return number(item, "count") or 0.0


def _group(record: Mapping[str, object], key: str) -> Mapping[str, Any]:
    found = record.get(key)
    return found if isinstance(found, Mapping) else _EMPTY


def _list(record: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    found = record.get(key)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []
