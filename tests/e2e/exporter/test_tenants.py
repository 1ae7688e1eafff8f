"""Two real processes on one device: each has its own seconds, as far as the driver tells."""

import subprocess

import pytest

from reaper.activity.exporters.page import PageReader
from reaper.activity.exposition import Exposition

ENGINE = "gpunode_allocation_engine_active_seconds_total"
SEEN = "gpunode_observed_seconds_total"


@pytest.fixture
def pids():
    """Two processes of their own that do nothing."""
    running = [subprocess.Popen(["sleep", "60"], start_new_session=True) for _ in range(2)]
    yield [process.pid for process in running]
    for process in running:
        process.kill()
        process.wait()


@pytest.fixture
def shared(start, fake_library, fake_node, pids):
    """An exporter on a card that both hold and that the first keeps half busy."""
    card = fake_node.add_ampere()
    fake_node.change(
        {
            f"{card}.processes": ",".join(f"{pid}:1048576" for pid in pids),
            f"{card}.use": f"{pids[0]}:50:0",
        }
    )
    running = start(environment=fake_node.environment(fake_library))
    running.page_when(lambda page: any(page.values(ENGINE)))
    return running


def of(page, pid):
    """Return the seconds of a process's allocation."""
    (value,) = (
        value
        for name, labels, value in page.samples
        if name == ENGINE and labels["allocation"].startswith(f"{pid}@")
    )
    return value


def state(page):
    return [
        labels["state"]
        for labels in page.labels("gpunode_signal_info")
        if labels["signal"] == "tenant"
    ]


def test_the_busy_tenant_is_told_from_the_one_at_rest(shared, pids):
    first = shared.page()
    later = shared.page_when(
        lambda page: page.value(SEEN, signal="tenant") > first.value(SEEN, signal="tenant") + 1
    )
    seen = later.value(SEEN, signal="tenant") - first.value(SEEN, signal="tenant")

    assert of(later, pids[0]) - of(first, pids[0]) == pytest.approx(seen / 2)
    assert of(later, pids[1]) == 0
    assert state(later) == ["ok"]


def test_a_busy_stranger_makes_both_unknown_and_costs_no_counter(shared, fake_node, pids):
    before = shared.page()
    fake_node.change({"card0.use": f"{pids[0]}:50:0,1:10:0"})
    stale = shared.page_when(lambda page: state(page) == ["stale"])
    later = shared.page_when(
        lambda page: page.value(SEEN, signal="engine") > stale.value(SEEN, signal="engine") + 0.5
    )

    assert of(later, pids[0]) == of(stale, pids[0]) >= of(before, pids[0])
    assert later.value(SEEN, signal="tenant") == stale.value(SEEN, signal="tenant")


def test_a_device_left_by_one_of_two_has_no_tenants_any_more(shared, fake_node, pids):
    fake_node.change({"card0.processes": f"{pids[0]}:1048576"})
    page = shared.page_when(lambda page: not page.values(ENGINE))

    assert state(page) == []


def test_the_reaper_finds_the_seconds_of_each_tenant_under_its_share(shared):
    page = PageReader().read(Exposition().parse(shared.page().text.encode()))
    (reading,) = page.readings

    assert {share.key for share in page.shares} == reading.tenants.keys()
    assert sorted(seconds > 0 for seconds in reading.tenants.values()) == [False, True]
    assert reading.observed["tenant"] > 0
