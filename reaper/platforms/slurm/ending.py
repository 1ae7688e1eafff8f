"""Jobs with GPUs that ended lately: Slurm remembers each for its MinJobAge, five minutes."""

from collections.abc import Iterable, Iterator, Sequence

from reaper.domain.facts.ending import Ended
from reaper.domain.money.jobs import ended_as
from reaper.platforms.slurm.purpose import Rule, purpose
from reaper.platforms.slurm.record import ENDED, Job
from reaper.platforms.slurm.requests import wanted


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
