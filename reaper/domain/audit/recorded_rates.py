"""Whether what a file records as the use of its jobs can be percentages at all."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from reaper.domain.audit.jobs import RecordedJob

#: So many rates above zero, all at most one percent, are no percentages.
_ENOUGH: Final = 5
_ONE_PERCENT: Final = 0.01


@dataclass(slots=True)
class Rates:
    """The rates of one file, as far as they were looked at."""

    above_zero: int = 0
    most: float = 0.0

    def add(self, jobs: Iterable[RecordedJob]) -> None:
        """Look at the rates of jobs."""
        for job in jobs:
            for one in job.usage:
                if one.utilisation:
                    self.above_zero += 1
                    self.most = max(self.most, one.utilisation)

    @property
    def settled(self) -> bool:
        """Tell whether no further job can make shares of them."""
        return self.most > _ONE_PERCENT

    @property
    def are_shares(self) -> bool:
        """Tell whether they are plainly no percentages."""
        return self.above_zero >= _ENOUGH and not self.settled

    @property
    def said(self) -> str:
        """Return what is said of a file in which they are none."""
        return (
            f"no use above {100 * self.most:g} %: shares of 1 instead of percent? taken as unknown"
        )


def unknown(job: RecordedJob) -> RecordedJob:
    """Return a job of which no use is known."""
    return job._replace(usage=tuple(one._replace(utilisation=None) for one in job.usage))
