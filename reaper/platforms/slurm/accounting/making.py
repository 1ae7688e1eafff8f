"""From what Slurm tells of a job, in text or JSON, to the recorded job: one way for both."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple

from reaper.domain.audit.jobs import Outcome, RecordedJob, ended_as
from reaper.domain.audit.usage import Usage
from reaper.domain.audit.wall_time import Readings
from reaper.domain.facts.allocation import Purpose
from reaper.platforms.slurm.accounting.fields import KEPT, NOTHING_ALLOCATED, Allocated
from reaper.platforms.slurm.accounting.jobstats import Summary, SummaryError, summary
from reaper.platforms.slurm.records.claiming import PLATFORM
from reaper.platforms.slurm.records.purpose import Rule, purpose
from reaper.platforms.slurm.records.record import Job

#: By so much a job may outlive its limit before its record is taken for one that lost its end.
SLACK: Final = 86400.0

#: The exit code of what the kernel killed for its memory, as Slurm writes it.
_OOM_EXIT: Final = "0:125"

_ASKED: Final = re.compile(r"\s(?:--gpus(?:-per-\w+)?|-G|--gres(?:=|\s+)\S*\bgpu\b)")

_RUNNING: Final = Outcome.RUNNING
_PENDING: Final = Outcome.PENDING
_FAILED: Final = Outcome.FAILED

_SAYS_NOTHING: Final = Summary()
_NO_SUMMARY: Final[tuple[Summary, tuple[str, ...]]] = (_SAYS_NOTHING, ())

_SHELLS: Final = frozenset(("bash", "csh", "dash", "fish", "ksh", "sh", "tcsh", "zsh"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the reader is told beside the file: the zone of its local times, rules of purposes."""

    zone: tzinfo = UTC
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a step says of its job: whether it is the batch script, ran out of memory; its RSS."""

    name: str
    began: Readings = ()
    out_of_memory: bool = False
    memory: float | None = None


class Entry(NamedTuple):
    """A job as Slurm tells it: words, then values; durations in seconds, memory in bytes."""

    id: str
    raw: str
    state: str = ""
    exit_code: str = ""
    cluster: str = ""
    user: str = ""
    account: str = ""
    partition: str = ""
    qos: str = ""
    name: str = ""
    nodes: str = ""
    submit_line: str = ""
    comment: str = ""
    submitted: float | None = None
    eligible: float | None = None
    began: float | None = None
    ended: float | None = None
    elapsed: float | None = None
    suspended: float = 0.0
    limit: float | None = None
    allocated: Allocated = NOTHING_ALLOCATED
    memory_asked: float | None = None
    rate: float | None = None


def made(entry: Entry, steps: Sequence[Step], told: Told) -> tuple[RecordedJob, tuple[str, ...]]:
    """Return the recorded job, and what of it could not be read although it counts."""
    own = [step for step in steps if _belongs(step, entry)] if steps else ()
    ended = _outcome(entry, own)
    found, notes = _summary(entry) if entry.comment else _NO_SUMMARY
    seconds, beyond = _seconds(entry, ended)
    allocated, kind = entry.allocated, _purpose(entry, own, told)
    usage: tuple[Usage, ...] = ()
    if allocated.devices:
        rates, doubts = _rates(entry, found) if found.rates else ((entry.rate,), ())
        notes += doubts
        share = allocated.cards / len(rates)
        usage = tuple(
            [Usage(share, seconds, rate, entry.id, entry.user, "", kind) for rate in rates]
        )
    # In the order of its fields: millions are made.
    job = RecordedJob(
        entry.id,
        entry.raw,
        PLATFORM,
        entry.cluster,
        entry.user,
        entry.account,
        entry.partition,
        entry.qos,
        entry.name,
        allocated.model,
        entry.nodes,
        kind,
        ended,
        entry.submitted,
        entry.eligible,
        entry.began,
        None if ended is _RUNNING else entry.ended,
        seconds,
        entry.limit,
        allocated.devices,
        allocated.cards,
        usage,
        allocated.memory or entry.memory_asked,
        found.memory_used or (_memory(own) if own else None),
        found.gpu_memory,
        beyond,
    )
    return job, notes


def unseen(entry: Entry) -> bool:
    """Tell whether a job asked for GPUs that accounting does not count."""
    asked = entry.elapsed and not entry.allocated.devices
    return bool(asked and _ASKED.search(entry.submit_line))


def unseen_gpus(ids: Sequence[str], count: int) -> str:
    """Return what is said of such jobs; `ids` are the first of them."""
    which = f"{count} jobs asked for GPUs by their submit line ({', '.join(ids[:3])} …)"
    cure = "add gres/gpu to AccountingStorageTRES, or the hours of ended jobs stay lost"
    return f"{which}, but AllocTRES has none: {cure}"


def _memory(steps: Iterable[Step]) -> float | None:
    return max((step.memory for step in steps if step.memory), default=None)


def _belongs(step: Step, entry: Entry) -> bool:
    """Tell whether a step is of this run, and not of another run of a requeued job."""
    begin, end = entry.began, entry.ended
    if not step.began or begin is None:
        return True
    return any(begin <= at and (end is None or at <= end) for at in step.began)


def _outcome(entry: Entry, steps: Iterable[Step]) -> Outcome:
    """Return how the job ended; a step that ran out of memory says why its job failed."""
    ended = ended_as(entry.state)
    if ended is not _FAILED:
        return ended
    starved = entry.exit_code == _OOM_EXIT or any(step.out_of_memory for step in steps)
    return Outcome.OUT_OF_MEMORY if starved else ended


def _seconds(entry: Entry, ended: Outcome) -> tuple[float, float]:
    """
    Return how long the job held its GPUs, and the seconds beyond its limit that nobody can hold.

    Slurm's elapsed time leaves out suspension, in which a job keeps its GPUs.  A record that still
    runs long after its limit has lost its end.
    """
    if ended is _PENDING:
        return 0.0, 0.0
    if entry.elapsed is not None:
        whole = entry.elapsed + entry.suspended
    elif entry.began is not None and entry.ended is not None:
        whole = max(0.0, entry.ended - entry.began)
    else:
        whole = 0.0
    if ended is _RUNNING and entry.limit and whole > entry.limit + SLACK:
        return entry.limit, whole - entry.limit
    return whole, 0.0


def _summary(entry: Entry) -> tuple[Summary, tuple[str, ...]]:
    try:
        return summary(entry.comment) or _SAYS_NOTHING, ()
    except SummaryError as error:
        return _SAYS_NOTHING, (f"job {entry.id}: {error}; its use is unknown",)


def _rates(entry: Entry, found: Summary) -> tuple[Sequence[float | None], tuple[str, ...]]:
    """Return the known rates, one a device or one for all; of some devices only is of none."""
    devices = entry.allocated.devices
    if found.rates and len(found.rates) == devices:
        return found.rates, ()
    if entry.rate is not None:
        return (entry.rate,), ()
    if found.rates and devices:
        known = f"jobstats knows {len(found.rates)} of its {devices} GPUs"
        return (None,), (f"job {entry.id}: {known}; its use is unknown",)
    return (None,), ()


class _Said(NamedTuple):
    """All that a job's purpose rests on; `sure` where something tells how it was started."""

    name: str
    submit_line: str
    batch: bool
    sure: bool
    partition: str = ""
    qos: str = ""
    account: str = ""


def _purpose(entry: Entry, steps: Sequence[Step], told: Told) -> Purpose:
    """Return what a job was for; without steps and submit line only its name can tell."""
    submitted = entry.submit_line
    if not steps and not submitted and not told.rules:
        return _purpose_by_name(entry.name)
    batch = any(step.name == "batch" for step in steps) or "sbatch" in submitted[:200]
    said = _Said(entry.name, submitted, batch, batch or bool(steps) or bool(submitted))
    if told.rules:
        said = said._replace(partition=entry.partition, qos=entry.qos, account=entry.account)
    return _purpose_of(said, told.rules)


@lru_cache(maxsize=KEPT)
def _purpose_by_name(name: str) -> Purpose:
    return _purpose_of(_Said(name, "", batch=False, sure=False), ())


@lru_cache(maxsize=KEPT)
def _purpose_of(said: _Said, rules: tuple[Rule, ...]) -> Purpose:
    shell = said.name.lower() in _SHELLS and not said.batch
    seen = Job(
        id=0,
        states=frozenset(),
        user="",
        submitted=0.0,
        account=said.account,
        partition=said.partition,
        qos=said.qos,
        name=said.name,
        submit_line=said.submit_line,
        batch=said.batch or not said.sure,
    )
    kind, _, ruled = purpose(seen, rules)
    if ruled:
        return kind
    if shell or kind is Purpose.INTERACTIVE:
        return Purpose.INTERACTIVE
    return kind if said.sure else Purpose.OTHER
