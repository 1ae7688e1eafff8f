"""One worker at a time: deadlines, back-off, and the worker that cannot be ended."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from exporter.clock import SystemClock
from exporter.collectors.sight import Places
from exporter.sampling.frames import Ask, Setup
from exporter.sampling.supervisor import Patience, Supervisor

HURRIED = Patience(call=0.4, opening=0.4, silence=8.0, first_wait=0.1, longest_wait=0.2)
ACTIVITY = Ask(due=frozenset({"activity"}))


class Deaf:
    """A way to end a process that does not: as when it hangs in the kernel."""

    def __init__(self):
        self.heard = []

    def __call__(self, process):
        self.heard.append(process.pid)


@pytest.fixture
def nvml(fake_library, fake_node, monkeypatch):
    fake_node.add_hopper()
    fake_node.add_hopper()
    for name, value in fake_node.environment(fake_library).items():
        monkeypatch.setenv(name, value)
    return Setup(driver="nvml", clock=SystemClock(), places=Places(), board=-1)


@pytest.fixture
async def supervise(nvml):
    made = []

    def begin(kill=None):
        made.append(Supervisor(nvml, HURRIED, kill))
        return made[-1]

    yield begin
    for supervisor in made:
        if supervisor.pid is not None and exists(supervisor.pid):
            os.kill(supervisor.pid, signal.SIGKILL)
        await supervisor.stop()


def exists(pid):
    return Path(f"/proc/{pid}").exists()


async def ask_until_answered(supervisor):
    async with asyncio.timeout(60):
        while True:
            answer = await supervisor.ask(ACTIVITY)
            if answer is not None and answer.driver:
                return answer
            await asyncio.sleep(0.05)


async def test_a_worker_that_cannot_be_ended_is_not_replaced(supervise, fake_node):
    deaf = Deaf()
    supervisor = supervise(kill=deaf)
    await ask_until_answered(supervisor)
    first = supervisor.pid
    fake_node.change({"card0.hang.nvmlDeviceGetUtilizationRates": 1})
    answers = [await supervisor.ask(ACTIVITY) for _ in range(5)]

    assert answers == [None] * 5
    assert (supervisor.pid, deaf.heard) == (first, [first])
    assert "cannot be ended" in supervisor.trouble


async def test_a_worker_is_replaced_once_the_hanging_one_is_gone(supervise, fake_node):
    supervisor = supervise(kill=Deaf())
    await ask_until_answered(supervisor)
    first = supervisor.pid
    fake_node.change({"card0.hang.nvmlDeviceGetUtilizationRates": 1})
    while await supervisor.ask(ACTIVITY) is not None:
        pass
    os.kill(first, signal.SIGKILL)
    await ask_until_answered(supervisor)

    assert supervisor.pid not in {None, first}


async def test_the_hanging_card_is_spared_by_the_next_worker(supervise, fake_node):
    supervisor = supervise()
    await ask_until_answered(supervisor)
    fake_node.change({"card1.hang.nvmlDeviceGetUtilizationRates": 1})
    while await supervisor.ask(ACTIVITY) is not None:
        pass
    answer = await ask_until_answered(supervisor)
    states = [
        {getattr(value, "state", "ok") for value in item.signals.values()}
        for item in answer.turns[0].finding
    ]

    assert "lost" not in states[0]
    assert states[1] == {"lost"}


async def test_a_hanging_call_is_stuck_until_its_card_answers(supervise, fake_node):
    supervisor = supervise()
    await ask_until_answered(supervisor)
    fake_node.change({"card1.hang.nvmlDeviceGetUtilizationRates": 1})
    while await supervisor.ask(ACTIVITY) is not None:
        pass
    await ask_until_answered(supervisor)
    await asyncio.sleep(1)
    call, age = supervisor.stuck()

    assert (call.name, call.target) == ("nvmlDeviceGetUtilizationRates", "gpu 1")
    assert age > 1


async def test_a_restart_waits(supervise, fake_node):
    fake_node.change({"hang.nvmlInit_v2": 1})
    supervisor = supervise()
    first = await supervisor.ask(ACTIVITY)
    pid = supervisor.pid
    second = await supervisor.ask(ACTIVITY)

    assert (first, second, supervisor.pid in {None, pid}) == (None, None, True)


async def test_letting_go_ends_the_worker(supervise):
    supervisor = supervise()
    await ask_until_answered(supervisor)
    pid = supervisor.pid

    assert (await supervisor.let_go(), exists(pid)) == (True, False)


async def test_a_worker_that_cannot_be_ended_still_holds_the_driver(supervise, fake_node):
    deaf = Deaf()
    supervisor = supervise(kill=deaf)
    await ask_until_answered(supervisor)
    fake_node.change({"card0.hang.nvmlDeviceGetUtilizationRates": 1})
    while await supervisor.ask(ACTIVITY) is not None:
        pass
    first, second = await supervisor.let_go(), await supervisor.let_go()
    os.kill(supervisor.pid, signal.SIGKILL)
    for _ in range(1200):
        if await supervisor.let_go():
            break
        await asyncio.sleep(0.05)

    assert (first, second) == (False, False)
    assert "let go on request" in supervisor.trouble


async def test_letting_go_waits_for_the_call_under_way(supervise, fake_node):
    supervisor = supervise()
    await ask_until_answered(supervisor)
    fake_node.change({"card0.hang.nvmlDeviceGetUtilizationRates": 1})
    asking = asyncio.create_task(supervisor.ask(ACTIVITY))
    await asyncio.sleep(0.1)

    assert await supervisor.let_go()
    assert asking.done()
    assert supervisor.quarantine.targets(0) == frozenset()


async def test_stopping_ends_the_worker(supervise):
    supervisor = supervise()
    await ask_until_answered(supervisor)
    pid = supervisor.pid
    await supervisor.stop()

    assert not exists(pid)
