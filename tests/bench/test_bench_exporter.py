"""What the exporter costs its node, and how fast its page is, beside nvitop-exporter."""

import os
import sys

import pytest

from tests.bench.exporter_peer import (
    SCRAPED,
    Peer,
    cost,
    family,
    first_in_line,
    is_installed,
    scrape,
    series,
    told,
)
from tests.components import under_ci
from tests.e2e.exporter.process import ExporterProcess
from tests.fake_nvml.fixtures import fake_library, fake_node

__all__ = ["fake_library", "fake_node"]

CARDS = 8
WATCHED = 20.0
SLICES = 7


@pytest.fixture(params=["8 cards", "8 cards cut into 56 MIG instances"])
def node(request, fake_node):
    """A node of eight busy cards, whole or cut."""
    for _ in range(CARDS):
        card = fake_node.add_hopper()
        if "MIG" in request.param:
            fake_node.cut(card, *["1g.10gb"] * SLICES)
    fake_node.title = request.param
    return fake_node


@pytest.fixture(autouse=True)
def in_line():
    """Run before others' work, and say whether that was allowed."""
    with first_in_line() as first:
        show("real-time priority" if first else f"usual priority, load {os.getloadavg()[0]:.1f}")
        yield


@pytest.fixture
def exporter(tmp_path, fake_library, node):
    running = ExporterProcess(
        tmp_path / "log", "--period", "1", environment=node.environment(fake_library)
    )
    running.await_address()
    running.page_when(lambda page: page.values("gpunode_sm_active_seconds_total"))
    yield running
    running.close()


@pytest.fixture
def peer(tmp_path, fake_library, node):
    """The peer on the same node; None, loudly, where it is not installed."""
    if not is_installed():
        assert not under_ci(), "nvitop-exporter is missing: uv sync --all-groups"
        show("nvitop-exporter: peer not installed")
        yield None
        return
    running = Peer(tmp_path / "peer", node.environment(fake_library))
    yield running
    running.close()


def show(text):
    print(f"\n  {text}", file=sys.stderr)


def line(name, address, pid):
    """Say what a process costs while it is scraped as Prometheus does, and its page."""
    share, memory = cost(address, pid, WATCHED)
    count = series(scrape(address))
    pages, each = told(address, pid)
    return (
        f"{name}: {share:.2%} of a core, {memory:.0f} MiB in {len(family(pid))} processes,"
        f" {count} series, {share / count * 1e6:.1f} µs of CPU per series and second;"
        f" page {pages}, {each:.2f} ms of CPU each"
    )


def test_what_a_node_costs_beside_the_peer(exporter, peer, node):
    show(f"{node.title} at 1 s, a scrape every {SCRAPED:g} s")
    show(line("gpu-exporter    ", exporter.address, exporter.process.pid))
    show("goals: 1 % of a core, 80 MiB, p99 5 ms")
    if peer is not None:
        show(line("nvitop-exporter ", peer.address, peer.process.pid))

    assert exporter.page().value("gpunode_driver_up") == 1


def test_how_fast_a_page_is_while_a_call_hangs(exporter, node):
    node.change({"hang.nvmlDeviceGetMemoryInfo_v2": 1})
    exporter.page_when(lambda page: page.values("gpunode_driver_call_stuck_seconds"))

    pages, _ = told(exporter.address, exporter.process.pid)
    show(f"{node.title}, a driver call hangs: page {pages} (goal 50)")
    assert exporter.page().values("gpunode_driver_call_stuck_seconds")
