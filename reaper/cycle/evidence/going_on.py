"""
A device whose stretch goes on, minute after minute, as that of most does.

Its counters tell what was done since its stretch began, so nothing is added up every minute: kept
is its newest reading, and what its evidence holds beyond the counters of it.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reaper.domain.facts import plain
from reaper.domain.facts.device import Device
from reaper.domain.facts.evidence import Evidence, testified
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.minute import ACTIVE, EMPTY, HELD
from reaper.domain.facts.reading import Reading, grows
from reaper.domain.facts.record import IDLE_STRETCH, DeviceRecord, lowest_tenth, with_minutes
from reaper.domain.facts.thresholds import Thresholds, board_power


@dataclass(slots=True, kw_only=True)
class GoingOn:
    """One device at work or at rest; `minute` is the newest one that is closed."""

    device: Device
    reading: Reading
    minute: int
    stretch: str
    beyond: "array[float]"
    """What its evidence holds beyond each counter of its reading: half a kilobyte less."""
    seconds: float
    witnesses: Mapping[str, float]
    watts_empty: tuple[tuple[int, int], ...]
    watts_held: tuple[tuple[int, int], ...]
    rested: float
    """Watts than which no learnt idle power is higher, while it works."""
    _evidence: Evidence | None = None
    """Its evidence up to its reading, once somebody has asked for it."""

    @classmethod
    def of(cls, record: DeviceRecord, pace: Pace) -> "GoingOn | None":
        """Return a device that may go on; None where its evidence is of other counters."""
        reading, found = record.reading, record.evidence
        if record.stretch not in {ACTIVE, IDLE_STRETCH} or reading is None:
            return None
        if not found.sums(reading):
            return None
        return cls(
            device=record.device,
            reading=reading,
            minute=pace.minute(reading.at),
            stretch=record.stretch,
            beyond=found.beyond(reading),
            seconds=found.seconds,
            witnesses=found.witnesses,
            watts_empty=record.watts_empty,
            watts_held=record.watts_held,
            rested=record.most_rested,
        )

    @property
    def evidence(self) -> Evidence:
        """Return the evidence of its stretch."""
        if self._evidence is None:
            self._evidence = Evidence.up_to(
                self.reading, self.beyond, seconds=self.seconds, witnesses=self.witnesses
            )
        return self._evidence

    def forget(self) -> None:
        """Forget its evidence, which is told anew when somebody asks."""
        self._evidence = None

    def mean(self, signal: str) -> float:
        """Return the mean activity of its stretch by one signal; 0.0 where that was not read."""
        observed, active = self.reading.observed, self.reading.active
        if signal not in observed or signal not in active:
            return 0.0
        seen = observed[signal] + self.beyond[[*observed].index(signal)]
        worked = active[signal] + self.beyond[len(observed) + [*active].index(signal)]
        return worked / seen if seen > 0 else 0.0

    @property
    def testified(self) -> tuple[str, ...]:
        """Return the families that said idle for the whole of its stretch."""
        return testified(self.seconds, self.witnesses) if self.witnesses else ()

    @property
    def record(self) -> DeviceRecord:
        """Return the record that adding up every minute would come to, but for rounding."""
        return DeviceRecord(
            device=self.device,
            reading=self.reading,
            stretch=self.stretch,
            evidence=self.evidence,
            watts_empty=self.watts_empty,
            watts_held=self.watts_held,
        )

    def goes_on(
        self, device: Device, found: Sequence[Reading], pace: Pace, thresholds: Thresholds
    ) -> str:
        """
        Take one more minute of the same, and return its letter; nothing where it is not plain.

        `found` are its readings since the newest one of which it knows, that one among them or not.
        """
        newest, last = found[-1], self.reading
        if pace.minute(newest.at) != self.minute + 1:
            return ""
        if found[0] is not last and found[0].at <= last.at:
            return ""
        if (device is not self.device and device != self.device) or not grows(last, newest):
            return ""
        take = self._work if self.stretch == ACTIVE else self._rest
        letter = take(newest, pace, thresholds)
        if letter:
            self.reading, self._evidence = newest, None
            self.minute += 1
            self.seconds += pace.step
        return letter

    def _work(self, newest: Reading, pace: Pace, thresholds: Thresholds) -> str:
        last, rested = self.reading, self.rested
        works = plain.works(last, newest, thresholds=thresholds, pace=pace, rested=rested)
        return ACTIVE if works else ""

    def _rest(self, newest: Reading, pace: Pace, thresholds: Thresholds) -> str:
        last, device = self.reading, self.device
        board = board_power(device.model)
        letter = plain.rests(last, newest, thresholds=thresholds, pace=pace, board=board)
        if letter:
            self._testify(newest, pace, thresholds, letter)
            watts = plain.drawn(last, newest) if "engine" in newest.active else None
            if watts is not None and letter == EMPTY:
                self.watts_empty = with_minutes(self.watts_empty, watts, 1)
            elif watts is not None:
                self.watts_held = with_minutes(self.watts_held, watts, 1)
        return letter

    def _testify(self, newest: Reading, pace: Pace, thresholds: Thresholds, letter: str) -> None:
        idle = lowest_tenth(self.watts_held if letter == HELD else self.watts_empty)
        known, mig = dict(self.witnesses), self.device.is_mig
        for family in plain.witnesses(
            self.reading, newest, thresholds=thresholds, idle=idle, mig=mig
        ):
            known[family] = known.get(family, 0.0) + pace.step
        self.witnesses = known
