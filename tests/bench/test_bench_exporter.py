"""
What the exporter costs its node, and how fast its page is, beside nvitop-exporter.

A node has a thousand processes in 64 jobs, all of them on its devices.
"""

import os
import statistics
import sys

import pytest

from tests.bench.exporter_crowd import crowd
from tests.bench.exporter_peer import (
    SCRAPED,
    Peer,
    cost,
    family,
    first_in_line,
    is_installed,
    p99,
    resident_mib,
    scrape,
    series,
    told,
)
from tests.bench.sizes import sized
from tests.builders_proc import ProcTree
from tests.components import under_ci
from tests.e2e.exporter.process import ExporterProcess
from tests.fake_nvml.fixtures import fake_library, fake_node

__all__ = ["fake_library", "fake_node"]

WATCHED = sized(20.0, 5.0)
SLICES = 7
PROCESSES = 1_000
JOBS = 64
FIRST_PID = 5_000
SCRAPERS = 20
CROWDED = 10.0

NODES = {
    "8 cards": (8, 0),
    "16 cards": (16, 0),
    "8 cards cut into 56 MIG instances": (8, SLICES),
}


@pytest.fixture(params=sized([*NODES], ["8 cards"]))
def node(request, fake_node, tmp_path):
    """A node of busy cards, whole or cut, and its processes."""
    cards, slices = NODES[request.param]
    names = []
    for _ in range(cards):
        card = fake_node.add_hopper()
        fake_node.cut(card, *["1g.10gb"] * slices) if slices else None
        names += [f"{card}.mig{number}" for number in range(slices)] or [card]
    pids = range(FIRST_PID, FIRST_PID + PROCESSES)
    fake_node.change(
        {
            f"{name}.processes": ",".join(f"{pid}:1048576" for pid in pids[place :: len(names)])
            for place, name in enumerate(names)
        }
    )
    fake_node.proc = processes(tmp_path / "proc", pids)
    fake_node.title = f"{request.param}, {PROCESSES:,} processes"
    return fake_node


def processes(root, pids):
    """Draw jobs whose processes share the devices."""
    tree = ProcTree(root)
    for pid in pids:
        path = f"0::/system.slice/slurmstepd.scope/job_{pid % JOBS}/step_0/user/task_0"
        tree.add(pid, "python3", cgroup=(path,), command=("python3", "train.py"))
    return root


@pytest.fixture(autouse=True)
def in_line():
    """Run before others' work, and say whether that was allowed."""
    with first_in_line() as first:
        show("real-time priority" if first else f"usual priority, load {os.getloadavg()[0]:.1f}")
        yield


@pytest.fixture
def exporter(tmp_path, fake_library, node):
    words = ("--period", "1", "--call-timeout", "5", "--proc-root", str(node.proc))
    running = ExporterProcess(tmp_path / "log", *words, environment=node.environment(fake_library))
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


LIMITS = "limits: 1 % of a core with 8 GPUs, 80 MiB, page p99 5 ms, 50 ms while a call hangs"


def test_what_a_node_costs_beside_the_peer(exporter, peer, node):
    show(f"{node.title} at 1 s, a scrape every {SCRAPED:g} s")
    show(line("gpu-exporter    ", exporter.address, exporter.process.pid))
    show(LIMITS)
    if peer is not None:
        show(line("nvitop-exporter ", peer.address, peer.process.pid))

    assert exporter.page().value("gpunode_driver_up") == 1


def test_how_fast_a_page_is_for_twenty_scrapers(exporter, node):
    """The peer, which needs more than 100 ms of CPU for a page, could not serve so many."""
    show(f"{node.title}, {SCRAPERS} scrapers, each once a second")
    show(f"gpu-exporter    : {crowded(exporter.address, exporter.process.pid)}")
    show(LIMITS)

    assert exporter.page().value("gpunode_driver_up") == 1


def crowded(address, pid):
    spread, at_once = (crowd(address, SCRAPERS, CROWDED, spread=one) for one in (True, False))
    return (
        f"at their own moments median {statistics.median(spread):.2f} ms, p99 {p99(spread):.2f} ms;"
        f" all at once median {statistics.median(at_once):.2f} ms, p99 {p99(at_once):.2f} ms;"
        f" {resident_mib(pid):.0f} MiB"
    )


def test_how_fast_a_page_is_while_a_call_hangs(exporter, node):
    node.change({"hang.nvmlDeviceGetMemoryInfo_v2": 1})
    exporter.page_when(lambda page: page.values("gpunode_driver_call_stuck_seconds"))

    pages, _ = told(exporter.address, exporter.process.pid)
    together = crowded(exporter.address, exporter.process.pid)
    show(f"{node.title}, a driver call hangs: page {pages}; {SCRAPERS} scrapers {together}")
    show(LIMITS)
    assert exporter.page().values("gpunode_driver_call_stuck_seconds")
