"""A driver call that never returns, whichever it is, costs its own card and nothing else."""

import asyncio
import os
import signal
import subprocess
from pathlib import Path

import pytest

from exporter.clock import SystemClock
from exporter.collectors.sight import Places
from exporter.contract import catalog
from exporter.sampling.frames import Ask, Setup
from exporter.sampling.state import NodeState, Periods
from exporter.sampling.supervisor import Patience, Supervisor
from exporter.serving import exposition
from exporter.serving.page import Page
from exporter.serving.vitals import Moment
from tests.components import require
from tests.exporter.nvml.calls import NODE_CALLS, ON_AMPERE, ON_CARD, ON_MIG

HURRIED = Patience(call=0.4, opening=0.4, silence=8.0, first_wait=0.05, longest_wait=0.1)
EVERYTHING = Ask(due=frozenset({"activity", "memory", "proc", "health"}))
#: Made once in the life of a worker.
ON_OPENING = {"nvmlDeviceRegisterEvents"}
CLOSING = {"nvmlShutdown", "nvmlEventSetFree", "nvmlGpmSampleFree"}


class Node:
    """A supervised worker on a fake node, and the state that its rounds make."""

    def __init__(self, setup, properties):
        self.properties = properties
        self.supervisor = Supervisor(setup, HURRIED)
        self.state = NodeState(Periods.of(0.2))
        self.named = set()

    async def until(self, wanted, rounds=150):
        """Take rounds until the state is as wanted."""
        for _ in range(rounds):
            answer = await self.supervisor.ask(EVERYTHING)
            if answer is not None:
                self.state.take(answer)
            self.named.add(self.supervisor.trouble)
            if wanted():
                return
            await asyncio.sleep(0.12)
        raise AssertionError(self.supervisor.trouble)

    def seen(self, uuid, signal="engine"):
        device = self.state.devices.get(uuid)
        return device.tally.observed.get(signal, 0.0) if device else 0.0

    def page(self):
        clock = SystemClock()
        now = clock.monotonic()
        moment = Moment(
            now=now, wall_offset=clock.wall() - now, version="0", node="n", boot="", started=1.0,
            cpu_seconds=0.0, resident_bytes=0.0,
        )  # fmt: skip
        families = Page(item for item in catalog.FAMILIES if item.page == "metrics")
        return families.render(exposition.metrics(self.state, moment)).decode()

    def counters(self):
        return {
            (uuid, name): seconds
            for uuid, device in self.state.devices.items()
            for name, seconds in device.tally.observed.items()
        }


@pytest.fixture
async def node(fake_library, fake_node, monkeypatch, tmp_path):
    for name, value in fake_node.environment(fake_library).items():
        monkeypatch.setenv(name, value)
    (tmp_path / "proc").mkdir()
    places = Places(proc=str(tmp_path / "proc"), cgroup=str(tmp_path), slurmd="")
    made = Node(Setup(driver="nvml", clock=SystemClock(), places=places, board=-1), fake_node)
    yield made
    if made.supervisor.pid is not None and alive(made.supervisor.pid):
        os.kill(made.supervisor.pid, signal.SIGKILL)
    await made.supervisor.stop()


def valid(page):
    require("promtool")
    done = subprocess.run(
        ["promtool", "check", "metrics"], check=False, input=page, text=True, capture_output=True
    )
    return done.stdout + done.stderr


def gauges(page, uuid):
    """Return the measured gauges that a page shows of a device: a lost one has none."""
    names = (
        "power_watts",
        "memory_used_bytes",
        "temperature_celsius",
        "sm_clock_hertz",
        "processes",
    )
    return {name for name in names if f'gpunode_{name}{{gpu="{uuid}"}}' in page}


def alive(pid):
    return Path(f"/proc/{pid}").exists()


def card_for(node, call):
    """Add a card that is asked this call."""
    card = node.properties.add_ampere() if call in ON_AMPERE else node.properties.add_hopper()
    if call in ON_MIG:
        node.properties.cut(card, "1g.10gb")
    return str(node.properties.properties[f"{card}.uuid"])


@pytest.mark.parametrize("call", ON_CARD)
async def test_a_call_that_hangs_on_one_card_costs_that_card_alone(node, call):
    first = card_for(node, call)
    second = card_for(node, "")
    await node.until(lambda: node.seen(second))
    before, epochs = node.counters(), {u: d.epoch for u, d in node.state.devices.items()}
    node.properties.change({f"card0.hang.{call}": 1, f"card0.mig0.hang.{call}": 1})
    if call in ON_OPENING:
        os.kill(node.supervisor.pid, signal.SIGKILL)
    await node.until(lambda: any("did not return" in one for one in node.named))
    known = node.seen(second)
    await node.until(lambda: node.seen(second) > known and node.state.devices[first].lost)
    after = node.counters()

    assert f"{call} on gpu 0 did not return" in node.named
    assert [key for key, seconds in before.items() if after.get(key, -1.0) < seconds] == []
    assert {u: d.epoch for u, d in node.state.devices.items()} == epochs
    assert gauges(node.page(), first) == set()
    assert valid(node.page()) == ""


@pytest.mark.parametrize("call", sorted(NODE_CALLS - CLOSING))
async def test_a_call_that_hangs_for_all_is_named_and_followed_when_it_returns(node, call):
    first = card_for(node, "")
    await node.until(lambda: node.seen(first))
    before = node.counters()
    node.properties.change({f"hang.{call}": 1})
    os.kill(node.supervisor.pid, signal.SIGKILL)
    await node.until(lambda: f"{call} did not return" in node.named)
    hanging, known = node.page(), node.seen(first)
    node.properties.change({f"hang.{call}": 0})
    await node.until(lambda: node.seen(first) > known)

    assert [key for key, seconds in before.items() if node.counters()[key] < seconds] == []
    assert valid(hanging) == ""


@pytest.mark.parametrize("call", sorted(CLOSING))
async def test_a_call_that_hangs_at_the_end_holds_nobody(node, call):
    first = card_for(node, "")
    await node.until(lambda: node.seen(first))
    node.properties.change({f"hang.{call}": 1})
    pid = node.supervisor.pid
    async with asyncio.timeout(60):
        await node.supervisor.stop()

    assert not alive(pid)
