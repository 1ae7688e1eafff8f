"""Whatever the driver does, the page answers and the rest stays right."""

import os
import re
import signal
import time
from pathlib import Path

import pytest

FIRST, SECOND = (f"GPU-{number:08d}-0000-0000-0000-000000000000" for number in (0, 1))
SM = "gpunode_sm_active_seconds_total"
LOST = "gpunode_device_lost"
UP = "gpunode_driver_up"
STUCK = "gpunode_driver_call_stuck_seconds"

#: Counted by the driver and the kernel, and absent while they do not say.
NOT_OURS = (
    "gpunode_ecc_errors_total",
    "gpunode_exporter_cpu_seconds_total",
    "gpunode_allocation_pressure_seconds_total",
)


def counters(page):
    return {
        (name, tuple(sorted(labels.items()))): value
        for name, labels, value in page.samples
        if name.endswith("_total") and name not in NOT_OURS
    }


def generations(page):
    return {labels["gpu"]: labels["generation"] for labels in page.labels("gpunode_info")}


def fell(before, after):
    old, new = counters(before), counters(after)
    return [key for key, value in old.items() if new.get(key, -1.0) < value]


def test_one_lost_card_of_two_leaves_the_other_measured(exporter, fake_node):
    fake_node.change({"card0.lost": 1})
    lost = exporter.page_when(lambda page: page.value(LOST, gpu=FIRST) == 1)
    later = exporter.page_when(lambda page: page.value(SM, gpu=SECOND) > lost.value(SM, gpu=SECOND))

    assert later.value(LOST, gpu=SECOND) == 0
    assert later.value(SM, gpu=FIRST) == lost.value(SM, gpu=FIRST)


def test_a_card_that_comes_back_is_measured_again(exporter, fake_node):
    fake_node.change({"card0.lost": 1})
    lost = exporter.page_when(lambda page: page.value(LOST, gpu=FIRST) == 1)
    fake_node.change({"card0.lost": 0})
    later = exporter.page_when(lambda page: page.value(SM, gpu=FIRST) > lost.value(SM, gpu=FIRST))

    assert fell(lost, later) == []


def test_a_call_that_never_returns_is_named_with_its_age(exporter, fake_node):
    fake_node.change({"card0.hang.nvmlDeviceGetUtilizationRates": 1})
    page = exporter.page_when(lambda page: page.values(STUCK))

    assert page.labels(STUCK) == [{"call": "nvmlDeviceGetUtilizationRates gpu 0"}]
    assert page.values(STUCK)[0] > 1


def test_the_page_answers_at_once_while_a_call_hangs(exporter, fake_node):
    fake_node.change({"hang.nvmlDeviceGetUtilizationRates": 1})
    took = []
    end = time.monotonic() + 4
    while time.monotonic() < end:
        began = time.monotonic()
        assert exporter.get("/metrics")[0] == 200
        took.append(time.monotonic() - began)
        time.sleep(0.02)

    # What hangs would take seconds; how long it takes on a quiet machine is printed by tests/bench.
    assert sorted(took)[len(took) // 2] < 2


def test_a_hanging_card_costs_the_other_a_few_seconds_and_no_counter(exporter, fake_node):
    before = exporter.page()
    fake_node.change({"card0.hang.nvmlDeviceGetPowerUsage": 1})
    exporter.page_when(lambda page: page.value(LOST, gpu=FIRST) == 1)
    known = exporter.page()
    later = exporter.page_when(
        lambda page: page.value(SM, gpu=SECOND) > known.value(SM, gpu=SECOND)
    )

    assert fell(before, later) == []
    assert generations(before) == generations(later)
    assert later.values(STUCK)


def test_a_killed_worker_resets_no_counter(exporter):
    before = exporter.page()
    killed = exporter.kill_worker()
    after = exporter.page_when(
        lambda page: page.value(UP) == 1 and page.value(SM, gpu=FIRST) > before.value(SM, gpu=FIRST)
    )
    exporter.until(lambda: exporter.worker() != killed)
    later = exporter.page_when(
        lambda page: page.value(SM, gpu=FIRST) > after.value(SM, gpu=FIRST) + 0.2
    )

    assert fell(before, later) == []
    assert generations(before) == generations(later)


def test_a_stopped_worker_is_replaced(exporter):
    stopped = exporter.worker()
    os.kill(stopped, signal.SIGSTOP)
    exporter.page_when(lambda page: page.value(UP) == 0)

    assert exporter.until(lambda: exporter.worker() != stopped, seconds=40)


def test_a_driver_that_goes_away_and_comes_back_is_followed(exporter, fake_node):
    before = exporter.page()
    fake_node.change({"fail.nvmlDeviceGetUtilizationRates": 18, "fail.nvmlInit_v2": 18})
    away = exporter.page_when(lambda page: page.value(UP) == 0)
    fake_node.change({"fail.nvmlDeviceGetUtilizationRates": 0, "fail.nvmlInit_v2": 0})
    back = exporter.page_when(lambda page: page.value(UP) == 1)

    assert "nvml" not in [labels["driver"] for labels in away.labels("gpunode_exporter_build_info")]
    assert fell(before, back) == []


def test_a_wrong_value_is_cut_and_the_page_stays_whole(exporter, fake_node):
    fake_node.change({"card0.gpm.2": 129, "card0.gpm.10": "nan", "card0.power": 2**32 - 1})
    page = exporter.page_when(
        lambda page: (
            page.values("gpunode_clamped_values_total", gpu=FIRST, signal="power")
            and page.values("gpunode_clamped_values_total", gpu=FIRST, signal="sm")
        )
    )
    states = {
        (labels["gpu"], labels["signal"]): labels["state"]
        for labels in page.labels("gpunode_signal_info")
    }

    assert states[FIRST, "dram"] == "stale"
    assert states[SECOND, "dram"] == "ok"
    assert page.value("gpunode_power_watts", gpu=FIRST) is None
    assert page.value("gpunode_power_watts", gpu=SECOND) == 350


@pytest.mark.parametrize("hang", [False, True], ids=["serving", "with a hanging call"])
def test_sigterm_ends_it_soon(exporter, fake_node, hang):
    if hang:
        fake_node.change({"hang.nvmlDeviceGetUtilizationRates": 1})
        exporter.page_when(lambda page: page.values(STUCK))
    status, seconds = exporter.terminate()

    assert status == 0
    assert seconds < 20


def test_a_killed_exporter_leaves_no_worker_behind(exporter):
    worker = exporter.worker()
    exporter.process.kill()
    exporter.process.wait()

    assert exporter.until(lambda: not alive(worker))


def alive(pid):
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return not re.search(r"\) [ZX] ", status)


@pytest.mark.parametrize(
    "fault",
    [{"card3.lost": 1}, {"card3.hang.nvmlDeviceGetUtilizationRates": 1}],
    ids=["fell off the bus", "hangs"],
)
def test_one_of_eight_does_not_blind_seven(start, fake_library, fake_node, fault):
    for _ in range(8):
        fake_node.add_hopper()
    running = start(environment=fake_node.environment(fake_library))
    running.page_when(lambda page: len(page.values(SM)) == 8)
    fake_node.change(fault)
    running.page_when(lambda page: sum(page.values(LOST)) == 1)
    known = running.page()

    def moved(page):
        gpus = {labels["gpu"] for labels in page.labels(SM)}
        return {gpu for gpu in gpus if page.value(SM, gpu=gpu) > known.value(SM, gpu=gpu)}

    page = running.page_when(lambda page: len(moved(page)) == 7)

    assert page.value(LOST, gpu=FIRST.replace("00000000", "00000003", 1)) == 1
    assert page.value(UP) == 1
