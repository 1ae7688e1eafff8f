"""What is kept of a device between minutes, so that a restart is no gap."""

from dataclasses import dataclass, field
from typing import Final

from reaper.domain.facts.device import Device
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.minute import UNLEARNT, Baseline
from reaper.domain.facts.reading import Reading

#: The present stretch of a device that idles, held or empty.
IDLE_STRETCH: Final = "i"

#: Minutes of zero utilisation from which on power is a witness.
LEARNING_MINUTES: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRecord:
    """
    A device, its last reading, the evidence of its present stretch, and its learnt power.

    `stretch` is the class of the present stretch: ``i`` for idle (H and E joined), else the
    letter; `evidence` sums its minutes.  `watts` counts minutes of zero utilisation by watt,
    apart for held and empty: the baseline is their lowest tenth.
    """

    device: Device
    reading: Reading | None = None
    stretch: str = ""
    evidence: Evidence = field(default_factory=Evidence)
    watts_empty: tuple[tuple[int, int], ...] = ()
    watts_held: tuple[tuple[int, int], ...] = ()

    @property
    def testified(self) -> tuple[str, ...]:
        """Return the families that said idle for the whole of its stretch."""
        return self.evidence.testified

    @property
    def most_rested(self) -> float:
        """Return watts than which no learnt idle power is higher."""
        tables = (self.watts_empty, self.watts_held)
        return float(max((table[-1][0] for table in tables if table), default=0))

    @property
    def baseline(self) -> Baseline:
        """Return the learnt idle power."""
        learnt = Baseline(empty=lowest_tenth(self.watts_empty), held=lowest_tenth(self.watts_held))
        return learnt if (learnt.empty, learnt.held) != (None, None) else UNLEARNT

    @property
    def learnt_in(self) -> int:
        """Return after how many minutes its idle power may be learnt; 0 while it is not."""
        if self.stretch != IDLE_STRETCH:
            return 0
        known = (sum(times for _, times in one) for one in (self.watts_empty, self.watts_held))
        left = (LEARNING_MINUTES - total for total in known if 0 < total < LEARNING_MINUTES)
        return min(left, default=0)


def with_minutes(
    counts: tuple[tuple[int, int], ...], watts: float, minutes: int
) -> tuple[tuple[int, int], ...]:
    """Return the minutes by watt with some more of them."""
    table = dict(counts)
    table[round(watts)] = table.get(round(watts), 0) + minutes
    return tuple(sorted(table.items()))


def lowest_tenth(counts: tuple[tuple[int, int], ...]) -> float | None:
    """Return the watts below which a device at rest lies a tenth of the time; None if not known."""
    total = sum(count for _, count in counts)
    if total < LEARNING_MINUTES:
        return None
    passed = 0
    for watts, count in sorted(counts):
        passed += count
        if passed >= total / 10:
            return float(watts)
    return None
