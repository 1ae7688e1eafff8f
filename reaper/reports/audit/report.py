"""What an audit says, as one frozen value that every page shows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from typing import Final

from reaper.domain.audit.bounds import Bounding, Bounds, Worth
from reaper.domain.audit.filling import Filled, Filling, Stated
from reaper.domain.audit.jobs import RecordedJob, Records, Single, Unread, single
from reaper.domain.audit.profile import Profile, Profiling
from reaper.domain.audit.proposal import Returned, Returning
from reaper.domain.audit.recorded_rates import Rates, unknown
from reaper.domain.audit.shelves import Held, Room
from reaper.domain.judgement.policy import Policy
from reaper.domain.money.waste import Waits
from reaper.domain.prices.rates import RateCard
from reaper.reports.audit import findings, words

#: Jobs that are added at once.
_AT_ONCE: Final = 4096

#: Ids of repeated jobs that are held: one more than are named.
_NAMED: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditTerms:
    """What an audit is told beside the files: thresholds, policies, prices, the zone of hours."""

    waits: Waits = field(default_factory=Waits)
    policies: tuple[Policy, ...] = ()
    rates: RateCard = field(default_factory=RateCard)
    zone: tzinfo = UTC
    zone_name: str = "UTC"
    capacity: tuple[Stated, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """
    The figures of recorded jobs; durations are card-seconds, groups are the most wasteful first.

    `jobs` is how many held GPUs, `without` how many ran without any, `waiting` how many never
    began.
    """

    sources: tuple[Records, ...]
    jobs: int
    without: int
    waiting: int
    profile: Profile
    total: Bounds
    by_class: Mapping[str, Bounds]
    by_owner: Mapping[str, Bounds]
    by_account: Mapping[str, Bounds]
    by_partition: Mapping[str, Bounds]
    by_model: Mapping[str, Bounds]
    proposals: tuple[Returned, ...]
    worth: Worth | None
    """What the waste costs; None where no price is configured."""
    findings: tuple[str, ...]
    unread: tuple[Unread, ...]
    rules: tuple[str, ...]
    zone: tzinfo = UTC
    filled: tuple[Filled, ...] = ()
    """How full a stated capacity was: all of it, then by model."""

    @property
    def lost(self) -> int:
        """Return how many records are in no figure because they could not be read."""
        return sum(not one.kept for one in self.unread)


class Auditing:
    """Makes an audit of jobs as they come; `room` is for what is more than can be held."""

    def __init__(self, terms: AuditTerms, room: Room = Held) -> None:
        self._terms = terms
        self._jobs = self._without = self._waiting = self._repeated = 0
        self._ids: list[str] = []
        self._profiling = Profiling(room)
        self._bounding = Bounding(waits=terms.waits, card=terms.rates)
        self._returning = Returning(terms.policies, terms.zone)
        self._filling = Filling(terms.capacity, room)
        self._found = findings.Findings()

    def add(self, found: Single) -> None:
        """Add jobs of which no other record will come."""
        self._repeated += found.repeated
        self._ids += found.ids[: _NAMED - len(self._ids)]
        for first in range(0, len(found.jobs), _AT_ONCE):
            self._add(found.jobs[first : first + _AT_ONCE])

    def told(self, sources: Sequence[Records]) -> AuditReport:
        """Return what all that was added says, of files without their jobs."""
        terms, full, bounding = self._terms, self._filling.told(), self._bounding
        return AuditReport(
            sources=tuple(sources),
            jobs=self._jobs,
            without=self._without,
            waiting=self._waiting,
            profile=self._profiling.told(),
            total=bounding.total(),
            by_class=bounding.by_class(),
            by_owner=bounding.by_owner(),
            by_account=bounding.by_account(),
            by_partition=bounding.by_partition(),
            by_model=bounding.by_model(),
            proposals=self._returning.told(),
            worth=bounding.worth(),
            findings=(
                *_notes(sources),
                *findings.repeated(self._repeated, self._ids),
                *self._found.told(),
                *findings.over(full),
            ),
            unread=tuple(one for records in sources for one in records.unread),
            rules=tuple(words.rules(terms.waits, terms.zone_name, policies=bool(terms.policies))),
            zone=terms.zone,
            filled=full,
        )

    def _add(self, jobs: Sequence[RecordedJob]) -> None:
        held = [job for job in jobs if job.devices and job.started]
        without = sum(job.started for job in jobs if not job.devices)
        self._jobs += len(held)
        self._without += without
        self._waiting += len(jobs) - len(held) - without
        self._profiling.add(held)
        self._bounding.add(held)
        self._returning.add(held)
        self._filling.add(held)
        self._found.add(held)


def audited(files: Sequence[Records], terms: AuditTerms) -> AuditReport:
    """Return what files say together; a job that stands in several counts once."""
    meant = [as_percent(records) for records in files]
    auditing = Auditing(terms)
    auditing.add(single(job for records in meant for job in records.jobs))
    return auditing.told(meant)


def as_percent(records: Records) -> Records:
    """Return the records; rates that are plainly no percentages are unknown, and named."""
    rates = Rates()
    rates.add(records.jobs)
    if not rates.are_shares:
        return records
    wrong = Unread(file=records.source, what=rates.said, kept=True)
    jobs = tuple(map(unknown, records.jobs))
    return replace(records, jobs=jobs, unread=(*records.unread, wrong))


def _notes(files: Iterable[Records]) -> Iterator[str]:
    for records in files:
        for note in records.notes:
            yield f"{records.source}: {note}"
