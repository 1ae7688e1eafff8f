"""Pending jobs as requests for GPUs: how many, which model, whether room would start them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from reaper.domain.facts.demand import Request
from reaper.platforms.slurm.records.gres import Gpus, asked, count
from reaper.platforms.slurm.records.purpose import Rule, purpose
from reaper.platforms.slurm.records.record import Job

#: Slurm's reasons that mean "only room is missing".
_ROOM: Final = frozenset(("Priority", "Resources"))
#: Tasks of one array that are worth counting one by one.
MOST_TASKS: Final = 256

_TASKS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?(?::(\d{1,9}))?", re.ASCII)


def requests(jobs: Iterable[Job], *, now: float, rules: Sequence[Rule] = ()) -> tuple[Request, ...]:
    """Return the pending requests for GPUs, every waiting task of an array by itself."""
    return tuple(item for job in jobs if job.waiting for item in _requests(job, now, rules))


def wanted(job: Job) -> tuple[int, str]:
    """Return how many GPUs a job asks for, and of which model ("" for any)."""
    wish = job.wish
    parts = (
        (wish.per_job, 1),
        (wish.per_node, wish.nodes),
        (wish.per_task, wish.tasks),
        # Slurm fills no more sockets than there are CPUs to place.
        (wish.per_socket, min(wish.sockets * wish.nodes, wish.cpus)),
        (wish.total, 1),
    )
    for text, times in parts:
        if items := _distinct(asked(text)):
            models = {item.model for item in items}
            return count(items) * times, models.pop() if len(models) == 1 else ""
    return 0, ""


def tasks(text: str) -> tuple[int, ...]:
    """
    Return the tasks of ``1,3,5-9:2%4``, at most as many as may run at once and MOST_TASKS.

    Slurm cuts long lists off with ``...``: what it shows is counted.
    """
    listed, _, throttle = text.partition("%")
    found: list[int] = []
    for part in listed.split(","):
        match = _TASKS.fullmatch(part)
        if match:
            first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
            found += range(first, last + 1, max(1, step))[: MOST_TASKS - len(found)]
    most = int(throttle) if throttle.isascii() and throttle.isdigit() else 0
    return tuple(found[: most or MOST_TASKS])


def _requests(job: Job, now: float, rules: Sequence[Rule]) -> Iterator[Request]:
    number, model = wanted(job)
    if not number:
        return
    kind, *_ = purpose(job, rules)
    for ident in _idents(job):
        yield Request(
            id=ident,
            gpus=number,
            since=job.submitted,
            partitions=tuple(filter(None, job.partition.split(","))),
            model=model,
            startable=_startable(job, now),
            user=job.user,
            purpose=kind,
            nodes=job.named,
            avoids=job.avoids,
            on_each=count(_distinct(asked(job.wish.per_node))),
            spread=job.wish.nodes,
            reserved=job.reservation,
        )


def _startable(job: Job, now: float) -> bool:
    """Tell whether room alone would start a job; one whose record is odd promises nothing."""
    return job.reason in _ROOM and not job.dependency and job.eligible <= now and not job.doubt


def _idents(job: Job) -> tuple[str, ...]:
    if job.pending_tasks:
        return tuple(f"{job.array}_{task}" for task in tasks(job.pending_tasks))
    return (job.address,)


def _distinct(items: tuple[Gpus, ...]) -> tuple[Gpus, ...]:
    """Leave out the untyped total where typed entries repeat it."""
    typed = tuple(item for item in items if item.model)
    untyped = tuple(item for item in items if not item.model)
    if typed and untyped and count(untyped) >= count(typed):
        return untyped if count(untyped) > count(typed) else typed
    return typed + untyped
