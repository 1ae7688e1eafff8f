"""
Reads job records from Slurm's JSON: `squeue --json` and slurmrestd, 22.05 to 25.11.

Every record must be whole: one that lacks what identity or ownership rest on fails the answer.
"""

import math
from collections.abc import Mapping
from typing import Final

from reaper.platforms.slurm.gres import Gpus, gpus
from reaper.platforms.slurm.hostlist import HostlistError, expand
from reaper.platforms.slurm.record import ENDED, Job, Wish
from reaper.platforms.slurm.scalars import (
    ShapeError,
    flag,
    number,
    optional,
    text,
    texts,
    whole,
)

#: Slurm's ESLURM_INVALID_JOB_ID: the job asked for is no longer known.
NO_SUCH_JOB: Final = 2017


def read_jobs(body: object) -> tuple[Job, ...]:
    """Return the jobs of an answer; () when it says that the job is unknown; raise ShapeError."""
    records = listed(body, "jobs")
    return tuple(_job(record) for record in records)


def listed(body: object, key: str) -> list[Mapping[str, object]]:
    """Return the records of an answer, () for an unknown job; raise ShapeError."""
    if not isinstance(body, Mapping):
        raise ShapeError("the answer is no JSON object")
    if problems := _problems(body):
        raise ShapeError("; ".join(problems))
    records = body.get(key, [] if body.get("errors") else None)
    if not isinstance(records, list) or not all(isinstance(item, Mapping) for item in records):
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
    except (ShapeError, HostlistError) as error:
        raise ShapeError(f"job {record.get('job_id', '?')}: {error}") from error


def _read(record: Mapping[str, object]) -> Job:
    nodes = expand(text(record, "nodes"))
    detail, unclear = _detail(record, nodes)
    ends, limit = number(record, "end_time"), number(record, "time_limit")
    states = frozenset(state.upper() for state in texts(record, "job_state"))
    return Job(
        id=whole(record, "job_id"),
        states=states,
        user=text(record, "user_name") or str(whole(record, "user_id")),
        submitted=whole(record, "submit_time"),
        array=optional(record, "array_job_id"),
        task=_task(record),
        pending_tasks=text(record, "array_task_string"),
        het=optional(record, "het_job_id"),
        offset=optional(record, "het_job_offset"),
        sluid=text(record, "sluid"),
        account=text(record, "account"),
        partition=text(record, "partition"),
        qos=text(record, "qos"),
        name=text(record, "name"),
        command=text(record, "command"),
        uid=_ident(record, "user_id"),
        gid=_ident(record, "group_id"),
        workdir=text(record, "current_working_directory"),
        submit_line=text(record, "submit_line"),
        reservation=text(record, "resv_name"),
        reason=text(record, "state_reason"),
        dependency=text(record, "dependency"),
        started=whole(record, "start_time"),
        eligible=optional(record, "eligible_time"),
        ends=None if limit in (None, math.inf) or ends in (None, math.inf) else ends,
        over=ends if states & ENDED and ends and not math.isinf(ends) else None,
        limit=None if limit is None or math.isinf(limit) else int(limit),
        paused=optional(record, "suspend_time"),
        ran_before_pause=optional(record, "pre_sus_time"),
        restarts=whole(record, "restart_cnt"),
        requeue=flag(record, "requeue"),
        batch=flag(record, "batch_flag"),
        nodes=nodes,
        gpus=detail,
        unclear=unclear,
        allocated=text(record, "tres_alloc_str"),
        wish=_wish(record),
    )


def _ident(record: Mapping[str, object], key: str) -> int | None:
    """Return a user's or group's id; None, never root's, where Slurm does not say."""
    value = number(record, key) if key in record else None
    return None if value is None or math.isinf(value) else int(value)


def _task(record: Mapping[str, object]) -> int | None:
    """Return the array task, which is 0 both for task 0 and, in 22.05, for no array at all."""
    if not optional(record, "array_job_id") or text(record, "array_task_string"):
        return None
    value = number(record, "array_task_id")
    return None if value is None or math.isinf(value) else int(value)


def _detail(
    record: Mapping[str, object], nodes: tuple[str, ...]
) -> tuple[tuple[tuple[Gpus, ...], ...], str]:
    """Return the GPUs on each node and why they are unclear; an entry a node, in their order."""
    entries = texts(record, "gres_detail")
    if entries and len(entries) != len(nodes):
        return (), f"Slurm lists GPUs of {len(entries)} nodes for a job on {len(nodes)}"
    return tuple(gpus(entry) for entry in entries), ""


def _wish(record: Mapping[str, object]) -> Wish:
    return Wish(
        per_job=text(record, "tres_per_job"),
        per_node=text(record, "tres_per_node"),
        per_socket=text(record, "tres_per_socket"),
        per_task=text(record, "tres_per_task"),
        total=text(record, "tres_req_str"),
        nodes=max(1, _finite(record, "node_count")),
        tasks=max(1, _finite(record, "tasks")),
        sockets=max(1, _finite(record, "sockets_per_node")),
        cpus=max(1, _finite(record, "cpus")),
    )


def _finite(record: Mapping[str, object], key: str) -> int:
    value = number(record, key) if key in record else None
    return 0 if value is None or math.isinf(value) else int(value)
