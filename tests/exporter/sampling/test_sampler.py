"""The beat: what is due when, and how failure slows it down."""

import pytest

from exporter.release import Window
from exporter.sampling.sampler import Sampler, Schedule
from exporter.sampling.snapshot import Round
from exporter.sampling.state import NodeState, Periods
from tests.exporter.fakes import Answers, StillClock

EVERYTHING = {"activity", "memory", "proc", "health"}


def served(at=1000.0):
    return Round(at=at, wall=at, driver="nvml", devices=(), turns=())


def absent():
    return Round(at=0, wall=0, driver="", devices=(), turns=(), trouble="no library")


def test_everything_is_due_at_once():
    assert Schedule(Periods()).due(0) == EVERYTHING


def test_each_cadence_comes_back_after_its_period():
    schedule = Schedule(Periods())
    turns = [schedule.due(second) for second in range(31)]

    assert {name: sum(name in turn for turn in turns) for name in EVERYTHING} == {
        "activity": 31,
        "memory": 7,
        "proc": 3,
        "health": 2,
    }


def test_a_late_turn_does_not_shift_the_beat():
    schedule = Schedule(Periods())
    schedule.due(0)
    schedule.due(1.3)

    assert schedule.wait(1.3) == pytest.approx(0.7)


def test_missed_turns_are_not_made_up_for():
    schedule = Schedule(Periods())
    schedule.due(0)
    schedule.due(100)

    assert schedule.wait(100) == pytest.approx(1)


async def test_an_answer_reaches_the_state():
    state = NodeState(Periods())
    sampler = Sampler(Answers(served()), state, StillClock())

    assert await sampler.beat()
    assert state.sampled_at == 1000.0


@pytest.mark.parametrize("answer", [None, absent()], ids=["no worker", "no driver"])
async def test_everything_is_due_again_after_a_failure(answer):
    source = Answers(answer, served(), trouble="no library")
    sampler = Sampler(source, NodeState(Periods()), StillClock())
    await sampler.beat()
    await sampler.beat()

    assert [item.due for item in source.asked] == [EVERYTHING, EVERYTHING]


async def test_trouble_is_said_once(caplog):
    sampler = Sampler(Answers(trouble="no library"), NodeState(Periods()), StillClock())
    for _ in range(3):
        await sampler.beat()

    assert [item.getMessage() for item in caplog.records] == [
        "no driver: no library; trying again, at most 60 s apart"
    ]


class Enough(Exception):
    """Ends the endless."""


class Impatient(StillClock):
    async def sleep(self, seconds):
        await super().sleep(seconds)
        if len(self.waits) == 8:
            raise Enough


async def test_waits_double_up_to_a_minute_while_there_is_no_driver():
    clock = Impatient()
    with pytest.raises(Enough):
        await Sampler(Answers(trouble="none"), NodeState(Periods()), clock).run()

    assert clock.waits == [1, 2, 4, 8, 16, 32, 60, 60]


async def test_the_beat_is_the_activity_period_while_it_serves():
    clock = Impatient()
    rounds = [served() for _ in range(8)]
    with pytest.raises(Enough):
        await Sampler(Answers(*rounds), NodeState(Periods()), clock).run()

    assert clock.waits == pytest.approx([1] * 8)


class Holding(Answers):
    """Holds the driver until it is told to let go."""

    def __init__(self, *rounds):
        super().__init__(*rounds)
        self.let_goes = 0

    async def let_go(self):
        self.let_goes += 1
        return True


async def test_in_a_window_the_driver_is_let_go_and_not_asked():
    source = Holding(served())
    window = Window(until=1e9, by="command", reason="")
    sampler = Sampler(source, NodeState(Periods()), StillClock(), lambda: window)
    waits = [await sampler.turn() for _ in range(3)]

    assert (source.asked, source.let_goes, max(waits) <= 1) == ([], 3, True)


async def test_after_a_window_everything_is_due_at_once():
    windows = [None, Window(until=1e9, by="command", reason=""), None]
    source = Holding(served(), served())
    sampler = Sampler(source, NodeState(Periods()), StillClock(), lambda: windows.pop(0))
    for _ in range(3):
        await sampler.turn()

    assert [ask.due for ask in source.asked] == [EVERYTHING, EVERYTHING]
