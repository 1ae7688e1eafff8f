"""
Usage as other systems recorded it: GPU-seconds held with their mean utilisation, summed.

Utilisation says less than activity: it is the share of time in which something ran, never how
much.  A record without it is unknown, never zero.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from math import fsum
from typing import Final, NamedTuple

from reaper.domain.facts.allocation import Purpose


class Usage(NamedTuple):
    """
    GPUs held for some seconds: a job, or one sample of one.

    `utilisation` is the mean over its GPUs and its time, 0 to 1, None where it was not recorded;
    `memory_held` tells whether device memory was in use, None where that is not known.
    A MIG instance is a part of a GPU.
    """

    gpus: float
    seconds: float
    utilisation: float | None
    run: str = ""
    owner: str = ""
    node: str = ""
    purpose: Purpose = Purpose.OTHER
    memory_held: bool | None = None

    @property
    def held(self) -> float:
        """Return GPU-seconds."""
        return self.gpus * self.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """GPU-seconds of usage, by how much was used; adds with ``+``."""

    records: int = 0
    seconds: float = 0.0
    """Time of the records, whatever their GPUs."""
    held: float = 0.0
    unknown: float = 0.0
    """Held without a recorded utilisation: in none of the figures below."""
    zero: float = 0.0
    """Held at a utilisation of exactly zero."""
    zero_with_memory: float = 0.0
    below_1: float = 0.0
    below_5: float = 0.0
    below_10: float = 0.0
    used: float = 0.0
    """Held times utilisation."""
    zero_seconds: float = 0.0
    zero_with_memory_seconds: float = 0.0

    def __add__(self, other: "Used") -> "Used":
        return _total((self, other))

    @property
    def unused(self) -> float:
        """Return what was seen and not used."""
        return self.held - self.unknown - self.used

    @property
    def mean(self) -> float | None:
        """Return the mean utilisation, weighed by what was held; None where nothing was seen."""
        seen = self.held - self.unknown
        return self.used / seen if seen else None


def total(records: Iterable[Usage]) -> Used:
    """Return what records add up to; their order does not matter."""
    return _total(tuple(_used(record) for record in records))


def grouped(records: Iterable[Usage], key: Callable[[Usage], str]) -> Mapping[str, Used]:
    """Return the sums by a key, the one with most held at zero first, then with most unused."""
    groups: dict[str, list[Usage]] = defaultdict(list)
    for record in records:
        groups[key(record)].append(record)
    sums = {name: total(found) for name, found in groups.items()}
    return dict(sorted(sums.items(), key=lambda one: (-one[1].zero, -one[1].unused, one[0])))


def _used(record: Usage) -> Used:
    held, rate = record.held, record.utilisation
    if rate is None:
        return Used(records=1, seconds=record.seconds, held=held, unknown=held)
    zero, kept = rate == 0, rate == 0 and record.memory_held is True
    return Used(
        records=1,
        seconds=record.seconds,
        held=held,
        zero=held * zero,
        zero_with_memory=held * kept,
        below_1=held * (rate < 0.01),
        below_5=held * (rate < 0.05),
        below_10=held * (rate < 0.10),
        used=held * rate,
        zero_seconds=record.seconds * zero,
        zero_with_memory_seconds=record.seconds * kept,
    )


def _total(parts: Iterable[Used]) -> Used:
    found = tuple(parts)
    sums = {name: fsum(getattr(part, name) for part in found) for name in _SUMS}
    return Used(records=sum(part.records for part in found), **sums)


_SUMS: Final = tuple(one.name for one in fields(Used) if one.name != "records")
