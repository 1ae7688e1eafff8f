"""
Jobs as a scheduler's own books hold them, whoever wrote them down.

One value is one execution: a requeued job has one for each run, a step has none.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.usage import Usage


class Outcome(StrEnum):
    """How a job ended, in the order in which a report lists them."""

    COMPLETED = "completed"
    FAILED = "failed"
    OUT_OF_MEMORY = "out of memory"
    TIME_LIMIT = "time limit"
    CANCELLED = "cancelled"
    NODE_FAILED = "node failed"
    PREEMPTED = "preempted"
    REQUEUED = "requeued"
    RUNNING = "running"
    PENDING = "pending"
    UNKNOWN = "unknown"


#: Outcomes of a job that is not over.
UNFINISHED: Final = frozenset((Outcome.RUNNING, Outcome.PENDING))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedJob:
    """
    One execution: instants in Unix seconds, durations in seconds, memory in bytes; None unknown.

    `seconds` is how long it held its GPUs, suspension included.  `devices` is the scheduler's
    count, MIG instances as they come; `cards` is what they are of whole cards.
    """

    id: str
    raw: str = ""
    """The scheduler's own number: of a task of an array, of a component of a het job."""
    cluster: str = ""
    owner: str = ""
    account: str = ""
    partition: str = ""
    qos: str = ""
    name: str = ""
    model: str = ""
    nodes: str = ""
    purpose: Purpose = Purpose.OTHER
    outcome: Outcome = Outcome.UNKNOWN
    submitted: float | None = None
    eligible: float | None = None
    began: float | None = None
    ended: float | None = None
    seconds: float = 0.0
    limit: float | None = None
    devices: int = 0
    cards: float = 0.0
    usage: tuple[Usage, ...] = ()
    """What is known of its use: one entry a device, or one for all of them."""
    memory_asked: float | None = None
    memory_used: float | None = None
    gpu_memory: float | None = None
    """The fullest device's memory in use, as a share of what it has."""
    beyond_limit: float = 0.0
    """Seconds beyond its limit that are in no figure: nobody can hold a GPU so long."""

    @property
    def held(self) -> float:
        """Return card-seconds."""
        return self.cards * self.seconds

    @property
    def until(self) -> float | None:
        """Return when it let go of its GPUs, as far as the books know."""
        if self.ended is not None or self.began is None:
            return self.ended
        return self.began + self.seconds

    @property
    def waited(self) -> float | None:
        """Return how long it waited once it could run; None where that makes no sense."""
        since = self.submitted if self.eligible is None else self.eligible
        if self.began is None or since is None or self.began < since:
            return None
        return self.began - since

    @property
    def identity(self) -> tuple[str, str, float, float]:
        """Return what two records of one execution have in common."""
        return self.cluster, self.raw or self.id, self.submitted or 0.0, self.began or 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """Jobs of which each stands once, and how many records were the same execution again."""

    jobs: tuple[RecordedJob, ...]
    repeated: int = 0
    ids: tuple[str, ...] = field(default=())
    """Ids of the jobs that stood more than once, in order."""


def single(records: Iterable[RecordedJob]) -> Single:
    """
    Return every execution once: of several records the one that knows more.

    Books that were read twice overlap, and a job that runs in the older one has ended in the newer.
    """
    groups: dict[tuple[str, str, float, float], list[RecordedJob]] = defaultdict(list)
    for record in records:
        groups[record.identity].append(record)
    return Single(
        jobs=tuple(max(found, key=_knowing) for found in groups.values()),
        repeated=sum(len(found) - 1 for found in groups.values()),
        ids=tuple(found[0].id for found in groups.values() if len(found) > 1),
    )


def bounded(job: RecordedJob, seconds: float) -> Sequence[Usage]:
    """Return what is known of a job's use, for a duration of its own."""
    if job.usage:
        return job.usage
    return (
        Usage(
            gpus=job.cards,
            seconds=seconds,
            utilisation=None,
            run=job.id,
            owner=job.owner,
            purpose=job.purpose,
        ),
    )


def _knowing(job: RecordedJob) -> tuple[bool, float, bool, int]:
    known = sum(one.utilisation is not None for one in job.usage)
    return job.outcome not in UNFINISHED, job.seconds, bool(job.purpose), known
