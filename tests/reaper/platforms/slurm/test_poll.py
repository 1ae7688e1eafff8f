"""One question for everybody, asked again where it must be, and seldom where Slurm is slow."""

import asyncio
import logging

import pytest

from reaper.edge.clock import JumpingClock
from reaper.platforms.slurm.poll import EVERY, FRESH, RAREST, Poll
from reaper.ports import SourceError
from tests.reaper.platforms.slurm.drawn import NOON, SlurmInMemory, job, node

TWO = "gpu:a100:2(IDX:0-1)"


class SlowSlurm(SlurmInMemory):
    """Takes a while to answer, on the test's clock."""

    def __init__(self, clock: JumpingClock, *, takes: float) -> None:
        super().__init__(job(7, TWO), nodes=[node(used=2)])
        self.clock = clock
        self.takes = takes

    async def jobs(self, addresses=()):
        self.clock.jump(self.clock.at + self.takes)
        return await super().jobs(addresses)


class MovingSlurm(SlurmInMemory):
    """Gives the second GPU away between the two questions of the first pair."""

    async def nodes(self):
        return (node(used=2 if self.asked > 1 else 0),)


@pytest.fixture
def clock():
    return JumpingClock(at=NOON)


async def test_all_who_ask_within_a_while_share_one_answer(clock):
    slurm = SlurmInMemory(job(7, TWO), nodes=[node(used=2)])
    poll = Poll(slurm, clock)

    first = await poll.snapshot()
    clock.jump(NOON + FRESH - 1)

    assert await poll.snapshot() is first
    assert slurm.asked == 1


async def test_the_next_cycle_asks_again(clock):
    slurm = SlurmInMemory(nodes=[node()])
    poll = Poll(slurm, clock)
    await poll.snapshot()
    clock.jump(NOON + EVERY)

    assert (await poll.snapshot()).as_of == NOON + EVERY


async def test_at_a_quicker_pace_it_is_asked_in_every_step_too(clock):
    slurm = SlurmInMemory(nodes=[node()])
    poll = Poll(slurm, clock, step=2.0)
    await poll.snapshot()
    clock.jump(NOON + 2)

    assert (await poll.snapshot()).as_of == NOON + 2


async def test_a_job_that_moved_between_the_questions_is_asked_for_once_more(clock):
    slurm = MovingSlurm(job(7, TWO))

    snapshot = await Poll(slurm, clock).snapshot()

    assert snapshot.doubts == {}
    assert slurm.asked == 2


async def test_sums_that_still_differ_are_doubts(clock):
    slurm = SlurmInMemory(job(7, TWO), nodes=[node(used=3)])

    snapshot = await Poll(slurm, clock).snapshot()

    assert list(snapshot.doubts) == ["gpu01"]
    assert slurm.asked == 2


async def test_a_slow_slurm_is_asked_less_often_and_that_is_said(clock, caplog):
    poll = Poll(SlowSlurm(clock, takes=6), clock)

    with caplog.at_level(logging.WARNING):
        await poll.snapshot()

    assert poll.interval == 2 * EVERY
    assert "took 6.0 s to answer: asked again in 120 s" in caplog.text


async def test_while_it_is_spared_the_old_answer_ages(clock):
    slurm = SlowSlurm(clock, takes=6)
    poll = Poll(slurm, clock)
    await poll.snapshot()
    clock.jump(clock.at + EVERY)

    assert (await poll.snapshot()).as_of == NOON
    assert slurm.asked == 1


async def test_the_interval_stops_growing_and_falls_back(clock):
    slurm = SlowSlurm(clock, takes=6)
    poll = Poll(slurm, clock)
    for _ in range(5):
        await poll.snapshot()
        clock.jump(clock.at + poll.interval)
    assert poll.interval == RAREST

    slurm.takes = 0
    await poll.snapshot()
    assert poll.interval == EVERY


async def test_a_slurm_that_hung_is_left_alone_and_says_until_when(clock):
    slurm = SlowSlurm(clock, takes=30)
    slurm.refusals["jobs"] = SourceError("slurm: squeue did not answer in 30 s")
    poll = Poll(slurm, clock)
    with pytest.raises(SourceError, match="did not answer"):
        await poll.snapshot()

    with pytest.raises(SourceError, match=r"not asked.*next in 120 s"):
        await poll.snapshot()
    assert slurm.asked == 1


async def test_a_failure_never_passes_for_the_answer_before_it(clock):
    slurm = SlurmInMemory(nodes=[node()])
    poll = Poll(slurm, clock)
    await poll.snapshot()
    clock.jump(NOON + EVERY)
    slurm.refusals["nodes"] = SourceError("slurm: scontrol: status 1")

    for _ in range(2):
        with pytest.raises(SourceError, match="status 1"):
            await poll.snapshot()


async def test_an_answer_that_the_caller_gave_up_on_counts_as_slow(clock):
    slurm = SlowSlurm(clock, takes=30)
    slurm.refusals["jobs"] = asyncio.CancelledError()
    poll = Poll(slurm, clock)

    with pytest.raises(asyncio.CancelledError):
        await poll.snapshot()

    with pytest.raises(SourceError, match="not asked"):
        await poll.snapshot()


async def test_many_who_ask_at_once_ask_once(clock):
    slurm = SlurmInMemory(nodes=[node()])
    poll = Poll(slurm, clock)

    answers = await asyncio.gather(*(poll.snapshot() for _ in range(5)))

    assert slurm.asked == 1
    assert len({id(answer) for answer in answers}) == 1
