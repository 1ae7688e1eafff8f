"""What in recorded jobs deserves a second look; no figure leaves it out silently."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from reaper.domain.audit.filling import Filled
from reaper.domain.audit.jobs import UNFINISHED, RecordedJob
from reaper.domain.audit.sums import Sums
from reaper.domain.prices.slices import is_slice

#: Card-seconds below which nothing is beyond a capacity.
_ROUNDING: Final = 3600.0

#: A finished job that outlived its limit by a day has a wrong duration.
_SLACK: Final = 86400.0

#: Ids that are named one by one.
_NAMED: Final = 5


@dataclass(slots=True)
class _Some:
    """Some of the jobs: how many, the ids of the first, and what they held."""

    jobs: int = 0
    devices: int = 0
    ids: list[str] = field(default_factory=list)
    _sums: Sums[str] = field(default_factory=Sums)

    def add(self, job: RecordedJob) -> None:
        if len(self.ids) < _NAMED:
            self.ids.append(job.id)
        self.jobs += 1
        self.devices += job.devices
        self._sums.rows[""].append((job.held, job.cards))
        self._sums.condense(1)

    @property
    def cards(self) -> float:
        return self._sums.total([""], 2)[1]

    def __str__(self) -> str:
        return f"{self.jobs} jobs ({self._sums.total([''], 2)[0] / 3600:,.1f} GPU-h)"


@dataclass(slots=True)
class Findings:
    """Finds it in jobs as they come."""

    _endless: list[str] = field(default_factory=list)
    _late: _Some = field(default_factory=_Some)
    _nameless: _Some = field(default_factory=_Some)
    _sliced: _Some = field(default_factory=_Some)
    _hidden: _Some = field(default_factory=_Some)
    _slices: dict[str, bool] = field(default_factory=dict)

    def add(self, jobs: Iterable[RecordedJob]) -> None:
        """Add jobs that held GPUs."""
        for job in jobs:
            if job.beyond_limit:
                self._endless.append(_endless(job))
            if job.limit and job.seconds > job.limit + _SLACK and job.outcome not in UNFINISHED:
                self._late.add(job)
            if not job.model:
                self._nameless.add(job)
                if "mig" in job.partition.lower():
                    self._hidden.add(job)
            elif self._is_sliced(job.model):
                self._sliced.add(job)

    def told(self) -> Iterator[str]:
        """Yield what was found, each in a sentence."""
        yield from self._endless
        if (late := self._late).jobs:
            which = f"{late} lasted a day longer than their limit ({', '.join(late.ids)})"
            yield f"{which}: was it extended, or are the units wrong?"
        if self._nameless.jobs:
            cure = "Slurm names types in AllocTRES only where AccountingStorageTRES lists them"
            which = f"{self._nameless} do not say which model, so none has a price by model"
            yield f"{which}; {cure}"
        if (sliced := self._sliced).jobs:
            held = f"{sliced.devices} MIG instances: {sliced.cards:.2f} cards"
            yield f"{sliced} held {held}, counted as these"
        if self._hidden.jobs:
            which = f"{self._hidden} ran in a MIG partition without a type"
            yield f"{which}: counted as whole cards"

    def _is_sliced(self, model: str) -> bool:
        if model not in self._slices:
            self._slices[model] = any(is_slice(kind) for kind in model.split(", "))
        return self._slices[model]


def repeated(count: int, ids: Sequence[str]) -> Iterator[str]:
    """Yield what is said of records that were left out because they repeat another."""
    if count:
        which = ", ".join(ids[:_NAMED]) + (" …" if len(ids) > _NAMED else "")
        yield f"{count} records repeat an execution ({which}) and count once"


def over(full: Iterable[Filled]) -> Iterator[str]:
    """Yield where more was held than there was."""
    for one in full:
        if one.over > _ROUNDING:
            which = f"of {one.model} " if one.model else ""
            beyond = f"{one.over / 3600:,.1f} GPU-h {which}were held beyond the capacity"
            yield f"{beyond}: is it too small, or are jobs counted that were elsewhere?"


def _endless(job: RecordedJob) -> str:
    days, limit = (job.seconds + job.beyond_limit) / 86400, job.seconds / 3600
    beyond = job.cards * job.beyond_limit / 3600
    return (
        f"job {job.id} runs for {days:,.0f} days, its limit is {limit:,.0f} h: has it lost "
        f"its end? {beyond:,.1f} GPU-h beyond the limit are left out; "
        "see `sacctmgr show runaway`"
    )
