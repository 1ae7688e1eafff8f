"""
Our books against the scheduler's own: the same GPU-hours, or which job differs and why.

Devices are compared as the scheduler counts them, a MIG instance as one.  Any platform's books
fit: one recorded job an execution, called what our runs are called, from the instant at which it
was given its devices to the instant at which it let go of them; for a pod or a resource claim
these are its scheduling and its end.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from reaper.domain.audit.jobs import UNFINISHED, RecordedJob, Unread, single
from reaper.domain.money.entries import Tenure
from reaper.domain.money.findings import Finding
from reaper.domain.money.spans import Span, clip

#: A difference above this is a finding.
TOLERANCE: Final = 0.02

RECONCILED: Final = "reconciliation"
"""The kind of that finding."""

#: Two begins so close are the same run's.
_SAME: Final = 60.0

#: Device-seconds below which two sums are the same: both sides write whole seconds.
_ROUNDING: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One run that the two books count differently; device-seconds, and why, in words."""

    id: str
    owner: str
    ours: float
    theirs: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation:
    """
    Device-seconds of ``[begin, end)`` in both books, and every run that differs, largest first.

    `repeated` records of the scheduler stood for the same run again, `clipped` runs reach beyond
    the span or still run, `shared` device-seconds of ours are parts of a GPU that the scheduler
    does not count as one.  `unread` are records of the scheduler that make no sense, in words:
    their jobs are in neither sum.
    """

    begin: float
    end: float
    ours: float
    theirs: float
    runs: int
    differences: tuple[Difference, ...] = ()
    repeated: int = 0
    clipped: int = 0
    requeued: int = 0
    shared: float = 0.0
    unread: tuple[str, ...] = ()

    @property
    def difference(self) -> float | None:
        """Return by which share of the scheduler's hours ours differ; None where it has none."""
        return (self.ours - self.theirs) / self.theirs if self.theirs else None

    @property
    def agrees(self) -> bool:
        """Tell whether the books agree within the tolerance."""
        found = self.difference
        return self.ours <= _ROUNDING if found is None else abs(found) <= TOLERANCE

    def finding(self) -> Finding | None:
        """Return what a report must say of it; None while the books agree."""
        if self.agrees:
            return None
        hours = (self.ours / 3600, self.theirs / 3600)
        share = self.difference
        much = "" if share is None else f", {100 * share:+.1f} %"
        text = f"we count {hours[0]:,.1f} GPU-h, the scheduler {hours[1]:,.1f}{much}"
        return Finding(
            kind=RECONCILED,
            subject="the scheduler's books",
            seconds=abs(self.ours - self.theirs),
            text=text,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """One run's hold in the span, in one of the books."""

    owner: str
    begin: float
    end: float | None
    devices: int
    seconds: float


def reconcile(
    ours: Iterable[Tenure],
    theirs: Iterable[RecordedJob],
    begin: float,
    end: float,
    *,
    unread: Iterable[Unread] = (),
) -> Reconciliation:
    """Return how our tenures and the scheduler's records of ``[begin, end)`` agree."""
    span, lost = (begin, end), [one for one in unread if not one.kept]
    without = {one.job for one in lost if one.job}
    tenures = [
        one for one in ours if one.run.id not in without and _within(one.begin, one.end, span)
    ]
    whole = [one for one in tenures if one.share >= min(one.size, 1.0) - 1e-6]
    records = single(theirs)
    jobs = [
        job
        for job in records.jobs
        if job.devices and job.id not in without and _within(job.began, job.until, span)
    ]
    mine, other = _runs(whole, span), _jobs(jobs, span)
    differences = [
        found for name in sorted({*mine, *other}) for found in _paired(name, mine, other, span)
    ]
    return Reconciliation(
        begin=begin,
        end=end,
        ours=_sum(mine),
        theirs=_sum(other),
        runs=sum(map(len, other.values())),
        differences=tuple(sorted(differences, key=lambda one: -abs(one.ours - one.theirs))),
        repeated=records.repeated,
        clipped=sum(_reaches(job, span) for job in jobs),
        requeued=sum(len(found) > 1 for found in other.values()),
        shared=fsum(_seconds(one.begin, one.end, span) for one in tenures if one not in whole),
        unread=tuple(str(one) for one in lost),
    )


def _within(begin: float | None, end: float | None, span: Span) -> bool:
    return begin is not None and begin < span[1] and (end is None or end > span[0])


def _seconds(begin: float, end: float | None, span: Span) -> float:
    return fsum(b - a for a, b in clip([(begin, span[1] if end is None else end)], *span))


def _runs(tenures: Iterable[Tenure], span: Span) -> Mapping[str, list[_Held]]:
    """Return our runs by the id that people call them, each with all its devices."""
    groups: dict[str, list[Tenure]] = defaultdict(list)
    for tenure in tenures:
        groups[tenure.run.key].append(tenure)
    found: dict[str, list[_Held]] = defaultdict(list)
    for held in groups.values():
        ends = [one.end for one in held]
        found[held[0].run.id].append(
            _Held(
                owner=held[0].owner,
                begin=min(one.begin for one in held),
                end=None if None in ends else max(end for end in ends if end is not None),
                devices=len({one.gpu for one in held}),
                seconds=fsum(_seconds(one.begin, one.end, span) for one in held),
            )
        )
    return found


def _jobs(jobs: Iterable[RecordedJob], span: Span) -> Mapping[str, list[_Held]]:
    """Return the scheduler's runs; the components of a het job are one run, as ours are."""
    groups: dict[tuple[str, float], list[RecordedJob]] = defaultdict(list)
    for job in jobs:
        base, mark, _ = job.id.partition("+")
        groups[base, round(job.began or 0.0) if mark else job.began or 0.0].append(job)
    found: dict[str, list[_Held]] = defaultdict(list)
    for (ident, began), parts in groups.items():
        running = any(job.outcome in UNFINISHED for job in parts)
        found[ident].append(
            _Held(
                owner=parts[0].owner,
                begin=began,
                end=None if running else max(job.until or began for job in parts),
                devices=sum(job.devices for job in parts),
                seconds=fsum(
                    job.devices * _seconds(job.began or began, job.until, span) for job in parts
                ),
            )
        )
    return found


def _paired(
    name: str, mine: Mapping[str, list[_Held]], other: Mapping[str, list[_Held]], span: Span
) -> Iterable[Difference]:
    """Yield the differences of one job, run by run."""
    left = sorted(mine.get(name, ()), key=lambda one: one.begin)
    for theirs in sorted(other.get(name, ()), key=lambda one: one.begin):
        begin = max(theirs.begin, span[0])
        found = next((one for one in left if abs(max(one.begin, span[0]) - begin) <= _SAME), None)
        if found is None:
            reason = "only in the scheduler's books: hidden from us, or before we looked"
            yield _difference(name, None, theirs, reason)
            continue
        left.remove(found)
        if abs(found.seconds - theirs.seconds) > _ROUNDING:
            yield _difference(name, found, theirs, _why(found, theirs, span))
    for one in left:
        reason = "only in our books: not in the scheduler's yet, or hidden from this account"
        yield _difference(name, one, None, reason)


def _difference(name: str, ours: _Held | None, theirs: _Held | None, reason: str) -> Difference:
    known = ours or theirs
    return Difference(
        id=name,
        owner=known.owner if known else "",
        ours=ours.seconds if ours else 0.0,
        theirs=theirs.seconds if theirs else 0.0,
        reason=reason,
    )


def _why(ours: _Held, theirs: _Held, span: Span) -> str:
    """Return what makes two counts of one run differ, everything that does."""
    why = []
    if ours.devices != theirs.devices:
        why.append(f"{ours.devices} devices by us, {theirs.devices} by the scheduler")
    begins = max(ours.begin, span[0]) - max(theirs.begin, span[0])
    if abs(begins) >= 1:
        why.append(f"begins {_by(begins)}")
    if ours.end is None and theirs.end is None:
        why.append("still runs: each counts to the instant at which it was asked")
    elif (ours.end or span[1]) != (theirs.end or span[1]):
        ends = min(ours.end or span[1], span[1]) - min(theirs.end or span[1], span[1])
        why.append(f"ends {_by(ends)}")
    return "; ".join(why) or "a device was given back before the run ended"


def _by(seconds: float) -> str:
    return f"{abs(seconds):,.0f} s {'later' if seconds > 0 else 'earlier'} with us"


def _reaches(job: RecordedJob, span: Span) -> bool:
    early = job.began is not None and job.began < span[0]
    return early or job.outcome in UNFINISHED or (job.until or 0.0) > span[1]


def _sum(held: Mapping[str, Sequence[_Held]]) -> float:
    return fsum(one.seconds for runs in held.values() for one in runs)
