"""What an audit says, as one frozen value that every page shows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from math import fsum
from typing import Final

from reaper.domain.judgement.policy import Policy
from reaper.domain.money.bounds import Bounds, Worth, bounded, grouped, total, worth
from reaper.domain.money.filling import Filled, Stated, filled
from reaper.domain.money.jobs import UNFINISHED, RecordedJob, Records, Unread, single
from reaper.domain.money.profile import Profile, profile
from reaper.domain.money.proposal import Returned, returned
from reaper.domain.money.rates import RateCard
from reaper.domain.money.slices import is_slice
from reaper.domain.money.waste import Waits
from reaper.reports.audit import words

#: So many rates, all at most one percent, are no percentages.
_RATIOS: Final = 5

#: Card-seconds below which nothing is beyond a capacity.
_ROUNDING: Final = 3600.0

#: A finished job that outlived its limit by a day has a wrong duration.
_SLACK: Final = 86400.0


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


def audited(files: Sequence[Records], terms: AuditTerms) -> AuditReport:
    """Return what files say together; a job that stands in several counts once."""
    meant = [_as_percent(records) for records in files]
    found = single(job for records in meant for job in records.jobs)
    began = [job for job in found.jobs if job.started]
    held = tuple(job for job in began if job.devices)
    each = bounded(held, terms.waits)
    full = filled(held, terms.capacity) if terms.capacity else ()
    return AuditReport(
        sources=tuple(meant),
        jobs=len(held),
        without=len(began) - len(held),
        waiting=len(found.jobs) - len(began),
        profile=profile(held),
        total=total(each),
        by_class=grouped(each, lambda job: job.purpose),
        by_owner=grouped(each, lambda job: job.owner),
        by_account=grouped(each, lambda job: job.account),
        by_partition=grouped(each, lambda job: job.partition),
        by_model=grouped(each, lambda job: job.model),
        proposals=returned(held, terms.policies, terms.zone),
        worth=worth(each, terms.rates) if terms.rates.rates else None,
        findings=(
            *_notes(meant),
            *_repeated(found.repeated, found.ids),
            *_findings(held),
            *_over(full),
        ),
        unread=tuple(one for records in meant for one in records.unread),
        rules=tuple(words.rules(terms.waits, terms.zone_name, policies=bool(terms.policies))),
        zone=terms.zone,
        filled=full,
    )


def _as_percent(records: Records) -> Records:
    """Return the records; rates that are plainly no percentages are unknown, and named."""
    rates = [one.utilisation for job in records.jobs for one in job.usage]
    above = [rate for rate in rates if rate]
    if len(above) < _RATIOS or max(above) > 0.01:
        return records
    unknown = tuple(
        replace(job, usage=tuple(replace(one, utilisation=None) for one in job.usage))
        for job in records.jobs
    )
    said = f"no use above {100 * max(above):g} %: shares of 1 instead of percent? taken as unknown"
    wrong = Unread(file=records.source, what=said, kept=True)
    return replace(records, jobs=unknown, unread=(*records.unread, wrong))


def _notes(files: Iterable[Records]) -> Iterator[str]:
    for records in files:
        for note in records.notes:
            yield f"{records.source}: {note}"


def _repeated(count: int, ids: Sequence[str]) -> Iterator[str]:
    if count:
        which = ", ".join(ids[:5]) + (" …" if len(ids) > 5 else "")
        yield f"{count} records repeat an execution ({which}) and count once"


def _findings(held: Sequence[RecordedJob]) -> Iterator[str]:
    """Yield what in the jobs deserves a second look; no figure leaves it out silently."""
    yield from _endless(held)
    yield from _late(held)
    nameless = [job for job in held if not job.model]
    if nameless:
        cure = "Slurm names types in AllocTRES only where AccountingStorageTRES lists them"
        yield f"{_some(nameless)} do not say which model, so none has a price by model; {cure}"
    sliced = [job for job in held if any(is_slice(kind) for kind in job.model.split(", "))]
    if sliced:
        devices = sum(job.devices for job in sliced)
        cards = fsum(job.cards for job in sliced)
        yield f"{_some(sliced)} held {devices} MIG instances: {cards:.2f} cards, counted as these"
    hidden = [job for job in nameless if "mig" in job.partition.lower()]
    if hidden:
        yield f"{_some(hidden)} ran in a MIG partition without a type: counted as whole cards"


def _over(full: Iterable[Filled]) -> Iterator[str]:
    for one in full:
        if one.over > _ROUNDING:
            which = f"of {one.model} " if one.model else ""
            beyond = f"{one.over / 3600:,.1f} GPU-h {which}were held beyond the capacity"
            yield f"{beyond}: is it too small, or are jobs counted that were elsewhere?"


def _endless(held: Sequence[RecordedJob]) -> Iterator[str]:
    for job in held:
        if job.beyond_limit:
            days, limit = (job.seconds + job.beyond_limit) / 86400, job.seconds / 3600
            beyond = job.cards * job.beyond_limit / 3600
            yield (
                f"job {job.id} runs for {days:,.0f} days, its limit is {limit:,.0f} h: has it lost "
                f"its end? {beyond:,.1f} GPU-h beyond the limit are left out; "
                "see `sacctmgr show runaway`"
            )


def _late(held: Sequence[RecordedJob]) -> Iterator[str]:
    late = [
        job
        for job in held
        if job.limit and job.outcome not in UNFINISHED and job.seconds > job.limit + _SLACK
    ]
    if late:
        names = ", ".join(job.id for job in late[:5])
        which = f"{_some(late)} lasted a day longer than their limit ({names})"
        yield f"{which}: was it extended, or are the units wrong?"


def _some(jobs: Sequence[RecordedJob]) -> str:
    return f"{len(jobs)} jobs ({fsum(job.held for job in jobs) / 3600:,.1f} GPU-h)"
