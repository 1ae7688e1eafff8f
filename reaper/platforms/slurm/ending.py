"""
Jobs with GPUs that ended lately.

Slurm's controller remembers each for its MinJobAge, five minutes; what ended while nobody asked
for longer is in its accounting.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from reaper.domain.audit.jobs import UNFINISHED, RecordedJob, Records, ended_as
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.ending import Ended
from reaper.platforms.slurm.records.purpose import Rule, purpose
from reaper.platforms.slurm.records.record import ENDED, Job
from reaper.platforms.slurm.records.requests import wanted


def ended(jobs: Iterable[Job], rules: Sequence[Rule] = ()) -> Iterator[Ended]:
    """Yield the ended ones among the jobs that had asked for GPUs; a het job once."""
    for job in jobs:
        states = sorted(job.states & ENDED)
        if states and not job.offset and wanted(job)[0]:
            kind, *_ = purpose(job, rules)
            yield Ended(
                key=job.key,
                outcome=str(ended_as(states[0])),
                partition=job.partition,
                purpose=kind,
                at=job.over,
            )


def forgotten(
    records: Records,
    jobs: Iterable[Job],
    rules: Sequence[Rule] = (),
    purposes: Mapping[int, Purpose] = MappingProxyType({}),
) -> Iterator[Ended]:
    """
    Yield what accounting knows to have ended and the controller's `jobs` do not hold any more.

    Accounting keeps no script: what a run was for is told by `purposes`, by job id, or by the
    site's rules; else it is other.
    """
    known = {(str(job.id), int(job.over or 0)) for job in jobs if job.states & ENDED}
    for one in records.jobs:
        first = one.id.partition("+")[2] in {"", "0"}
        if one.ended is None or one.outcome in UNFINISHED or not one.devices or not first:
            continue
        if (one.raw, int(one.ended)) not in known:
            yield Ended(
                key=f"{one.raw or one.id} until {one.ended:.0f}",
                outcome=str(one.outcome),
                partition=one.partition,
                purpose=_for(one, rules, purposes),
                at=one.ended,
                id=one.id.partition("+")[0],
                began=one.began,
            )


def _for(one: RecordedJob, rules: Sequence[Rule], purposes: Mapping[int, Purpose]) -> Purpose:
    if one.raw.isdigit() and int(one.raw) in purposes:
        return purposes[int(one.raw)]
    told = Job(
        id=0,
        states=frozenset(),
        user=one.owner,
        submitted=0.0,
        account=one.account,
        partition=one.partition,
        qos=one.qos,
    )
    kind, _, ruled = purpose(told, rules)
    return kind if ruled else Purpose.OTHER
