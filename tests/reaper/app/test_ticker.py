"""Turns are due by monotonic time, however the wall clock is set."""

import asyncio
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.app.ticker import Ticker, wait
from reaper.domain.facts.grid import NORMAL
from reaper.edge.clock import AnchoredClock, JumpingClock, SystemClock

NOON = 1_800_000_010.0


@dataclass
class SetClock:
    """A clock whose wall time can be set while somebody waits by its monotonic time."""

    at: float = NOON
    monotonic: float = 0.0
    sleepers: list[tuple[float, asyncio.Event]] = field(default_factory=list)

    def now(self) -> float:
        return self.at

    def elapsed(self) -> float:
        return self.monotonic

    async def sleep(self, seconds: float) -> None:
        event = asyncio.Event()
        self.sleepers.append((self.monotonic + seconds, event))
        await event.wait()

    async def passes(self, seconds: float) -> None:
        """Let time pass by both clocks, and wake who is due."""
        self.at += seconds
        self.monotonic += seconds
        due = [item for item in self.sleepers if item[0] <= self.monotonic + 0.001]
        self.sleepers = [item for item in self.sleepers if item not in due]
        for _, event in due:
            event.set()
        await others()


async def others() -> None:
    """Let whoever is ready run."""
    for _ in range(5):
        await SystemClock().sleep(0)


async def ticking(clock: SetClock) -> Ticker:
    """Return a ticker that waits for its first tick."""
    ticker = Ticker(pace=NORMAL, clock=clock)
    ticker.start()
    await others()
    assert clock.sleepers
    return ticker


async def ticks(ticker: Ticker, clock: SetClock, seconds: int) -> list[float]:
    """Return at which monotonic seconds it ticked."""
    found = []
    for _ in range(seconds):
        await clock.passes(1.0)
        if ticker.event.is_set():
            ticker.event.clear()
            found.append(clock.monotonic)
    return found


@pytest.fixture
async def running():
    clock = SetClock()
    ticker = await ticking(clock)
    yield ticker, clock
    ticker.stop()


@pytest.mark.parametrize("step", [-7 * 86400.0, -300.0, -61.0, -1.0, 0.0, 1.0, 29.0, 300.0, 1e7])
async def test_a_tick_comes_in_every_minute_however_the_clock_is_set(running, step):
    ticker, clock = running
    assert await ticks(ticker, clock, 130) == [53.0, 113.0]

    clock.at += step
    found = [113.0, *await ticks(ticker, clock, 300)]

    gaps = [later - earlier for earlier, later in pairwise(found)]
    assert max(gaps) <= 63.0
    assert len(found) >= 5


async def test_ticks_find_the_grid_again(running):
    ticker, clock = running
    await ticks(ticker, clock, 130)

    clock.at -= 317.0
    await ticks(ticker, clock, 130)
    begun = clock.monotonic

    walls = [clock.at - clock.monotonic + at for at in await ticks(ticker, clock, 120)]
    assert begun == 260.0
    assert [wall % 60 for wall in walls] == [3.0, 3.0]


async def test_stopping_is_no_failure_of_the_scheduler(caplog):
    ticker = await ticking(SetClock())
    ticker.stop()
    await others()

    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


@given(st.floats(min_value=0.0, max_value=4e9, allow_nan=False))
def test_no_wait_is_longer_than_a_minute_and_the_settling(now):
    assert 0.0 < wait(now, NORMAL) <= 63.001


def test_what_was_written_grows_old_by_monotonic_time():
    clock = JumpingClock(at=NOON)
    told = AnchoredClock(clock=clock, anchor=lambda: (NOON, NOON))
    clock.jump(NOON + 40)
    clock.at, clock.stepped = clock.at - 300, -300.0

    assert clock.now() == NOON - 260
    assert told.now() - NOON == 40.0


def test_before_the_first_turn_the_wall_clock_is_all_there_is():
    clock = JumpingClock(at=NOON)

    assert AnchoredClock(clock=clock, anchor=lambda: None).now() == NOON
