"""
Jobs as a scheduler's own books hold them, whoever wrote them down.

One value is one execution: a requeued job has one for each run, a step has none.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from reaper.domain.audit.usage import Usage
from reaper.domain.facts.allocation import Purpose


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


_STATES: Final = {
    Outcome.COMPLETED: ("completed",),
    Outcome.FAILED: ("failed", "error"),
    Outcome.OUT_OF_MEMORY: ("out_of_memory", "oom"),
    Outcome.TIME_LIMIT: ("timeout", "deadline", "time_limit"),
    Outcome.CANCELLED: ("cancelled", "canceled", "stopped"),
    Outcome.NODE_FAILED: ("node_fail", "boot_fail", "launch_failed", "reconfig_fail"),
    Outcome.PREEMPTED: ("preempted", "revoked"),
    Outcome.REQUEUED: ("requeued", "requeue_hold", "special_exit"),
    Outcome.RUNNING: (
        "running",
        "configuring",
        "suspended",
        "completing",
        "resizing",
        "signaling",
        "stage_out",
    ),
    Outcome.PENDING: ("pending",),
}
_OUTCOMES: Final = {word: outcome for outcome, words in _STATES.items() for word in words}

_RUNNING: Final = Outcome.RUNNING

#: Outcomes of a job that is not over.
UNFINISHED: Final = frozenset((Outcome.RUNNING, Outcome.PENDING))


@lru_cache(maxsize=4096)
def ended_as(state: str) -> Outcome:
    """Return what a scheduler's word for a state means; ``CANCELLED by 1000`` is cancelled."""
    words = state.lower().replace("+", " ").replace("-", "_").split()
    return _OUTCOMES.get(words[0], Outcome.UNKNOWN) if words else Outcome.UNKNOWN


class RecordedJob(NamedTuple):
    """
    One execution: instants in Unix seconds, durations in seconds, memory in bytes; None unknown.

    `seconds` is how long it held its GPUs, suspension included.  `devices` is the scheduler's
    count, MIG instances as they come; `cards` is what they are of whole cards.  A tuple by name,
    since audits make millions.
    """

    id: str
    raw: str = ""
    """The scheduler's own number: of a task of an array, of a component of a het job."""
    platform: str = ""
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
    """Its use: one entry a device, or one for all of them; without a rate where unknown."""
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
    def started(self) -> bool:
        """
        Tell whether it ever held anything; what runs does, be it since less than a second.

        Schedulers write the moment of its end as the begin of what was cancelled while it waited.
        """
        return self.seconds > 0 or self.outcome is _RUNNING

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
class Unread:
    """Something in a file that could not be read: where, what, and what became of its record."""

    file: str
    what: str
    line: int | None = None
    job: str = ""
    """What people call the job that it is about, where its record says so."""
    kept: bool = False
    """The record counts, without what could not be read."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """
    What one file, or one answer, holds: jobs, and all that is no job or could not be read.

    `rows` is what it holds altogether: jobs, steps, jobs that never began, and unread ones.
    """

    source: str
    form: str
    jobs: tuple[RecordedJob, ...] = ()
    rows: int = 0
    steps: int = 0
    unread: tuple[Unread, ...] = ()
    notes: tuple[str, ...] = ()
    """How it was read, and what in it deserves a second look."""

    @property
    def foreign(self) -> bool:
        """Tell whether nothing in it could be read: it is not there, or of no known form."""
        return not self.rows and any(not one.kept for one in self.unread)


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
    once: dict[tuple[str, str, float, float], RecordedJob] = {}
    again: dict[tuple[str, str, float, float], list[RecordedJob]] = defaultdict(list)
    for record in records:
        key = record.identity
        if key in once:
            again[key].append(record)
        else:
            once[key] = record
    firsts = {key: once[key].id for key in once if key in again} if again else {}
    for key, found in again.items():
        once[key] = max((once[key], *found), key=_knowing)
    return Single(
        jobs=tuple(once.values()),
        repeated=sum(map(len, again.values())),
        ids=tuple(firsts.values()),
    )


def usage_of(
    job: RecordedJob, rates: Sequence[float | None], *, memory_held: bool | None = None
) -> tuple[Usage, ...]:
    """
    Return a job's use: one rate for all its devices, or one a device; shares of 0 to 1.

    Devices count as what they are of a card, so that usage adds up to what was held.
    """
    found = used(job.cards, job.seconds, rates, run=job.id, owner=job.owner, purpose=job.purpose)
    return tuple(one._replace(memory_held=memory_held) for one in found)


def used(
    cards: float,
    seconds: float,
    rates: Sequence[float | None],
    *,
    run: str,
    owner: str,
    purpose: Purpose,
) -> tuple[Usage, ...]:
    """Return the use of so many cards: one rate for all of them, or one a device."""
    share = cards / len(rates) if rates else cards
    return tuple(
        [
            Usage(
                gpus=share, seconds=seconds, utilisation=rate, run=run, owner=owner, purpose=purpose
            )
            for rate in rates or (None,)
        ]
    )


def _knowing(job: RecordedJob) -> tuple[bool, float, int]:
    known = sum(one.utilisation is not None for one in job.usage)
    return job.outcome not in UNFINISHED, job.seconds, known
