"""Letters look like the device that would draw them."""

import pytest

from exporter.collectors.recorded import RecordedCollector, RecordedTenants
from exporter.collectors.sight import Sight
from exporter.contract.scenario import device_uuid
from exporter.sampling.calls import Calls
from exporter.sampling.snapshot import Absent, Flow, Measured
from tests.exporter.scenes import Scene


@pytest.fixture
def hopper(tmp_path):
    return Scene(tmp_path)


@pytest.fixture
def ampere(tmp_path):
    return Scene(tmp_path, "gpu02")


def ratios(scene, index):
    signals = scene.driver.activity(scene.devices[index]).signals
    return {
        name: value.value if isinstance(value, Measured) else value.state
        for name, value in signals.items()
    }


def sight(scene):
    return Sight(
        driver=scene.driver,
        devices=scene.devices,
        processes=(),
        clock=scene.clock,
        calls=Calls(None, scene.clock.monotonic),
    )


def attribution(scene):
    return RecordedCollector(scene.play).collect(sight(scene))


def test_identities_are_the_same_in_every_run(hopper):
    assert [device.uuid for device in hopper.devices] == [
        device_uuid("gpu01", index) for index in range(3)
    ]


def test_the_scheduler_index_is_the_scenario_index(hopper):
    assert [(item.gres_index, item.gres_source) for item in hopper.devices] == [
        ("0", "scenario"),
        ("1", "scenario"),
        ("2", "scenario"),
    ]


def test_active_shows_on_every_signal(hopper):
    assert ratios(hopper, 0) == {
        "sm": 0.62,
        "tensor": 0.35,
        "dram": 0.4,
        "engine": 1.0,
        "codec": 0.0,
    }


def test_held_shows_memory_and_a_process_but_no_work(hopper):
    device = hopper.devices[1]

    assert set(ratios(hopper, 1).values()) == {0.0}
    assert hopper.driver.memory(device).memory.used > 0
    assert len(hopper.driver.processes(device).processes) == 1


def test_empty_shows_neither_memory_nor_process(hopper):
    device = hopper.devices[2]

    assert hopper.driver.memory(device).memory.used == 0
    assert hopper.driver.processes(device).processes == ()


def test_an_invented_process_has_a_pid_that_cannot_be(hopper):
    (process,) = hopper.driver.processes(hopper.devices[1]).processes

    assert process.pid > 2**22


def test_real_holders_take_the_place_of_the_invented_process(hopper):
    hopper.live(71, 72)
    hopper.holders.write_text("1 71\n1 72\n")

    assert [item.pid for item in hopper.driver.processes(hopper.devices[1]).processes] == [71, 72]


def test_a_model_without_profiling_has_no_such_signals(ampere):
    assert ratios(ampere, 3) == {
        "sm": "unsupported",
        "tensor": "unsupported",
        "dram": "unsupported",
        "engine": 0.3,
        "codec": 0.0,
    }


def test_a_hung_collective_keeps_the_engine_busy_at_little_power(ampere):
    power = ampere.driver.power(ampere.devices[2])

    assert (ratios(ampere, 2)["engine"], power.power < 0.25 * power.limit) == (1.0, True)


def test_a_contradiction_draws_power_without_work(ampere):
    power = ampere.driver.power(ampere.devices[1])

    assert power.power > 0.7 * power.limit


def test_an_unseen_device_does_not_answer(ampere):
    device = ampere.devices[0]
    answers = [
        *ampere.driver.activity(device).signals.values(),
        *ampere.driver.activity(device).links.values(),
        ampere.driver.memory(device).memory,
        ampere.driver.power(device).power,
        ampere.driver.processes(device).processes,
    ]

    assert {item.state if isinstance(item, Absent) else item for item in answers} == {"lost"}
    assert ampere.driver.health(device).lost


def test_an_active_device_moves_bytes(hopper):
    assert hopper.driver.activity(hopper.devices[0]).links["pcie"] == Flow(
        sent=2e9, received=2e9, source="simulated"
    )


def test_a_recorded_allocation_holds_its_devices_under_its_start(hopper):
    start = int(hopper.play.stage.origin) - 600

    assert [(item.gpu, item.platform, item.allocation) for item in attribution(hopper).shares] == [
        (hopper.devices[0].uuid, "recorded", f"42@{start}"),
        (hopper.devices[1].uuid, "recorded", f"42@{start}"),
    ]


def test_a_recorded_session_was_last_used_at_its_last_passed_input(hopper):
    first = attribution(hopper).sessions
    hopper.clock.pause(90)
    second = attribution(hopper).sessions

    assert first[0].last_activity == hopper.play.stage.origin - 300
    assert second[0].last_activity == hopper.play.stage.origin + 90


def test_a_session_without_inputs_proves_nothing(hopper):
    assert attribution(hopper).sessions[1].last_activity is None


def test_a_released_allocation_has_neither_shares_nor_sessions(hopper):
    hopper.release("42")

    found = attribution(hopper)

    assert (found.shares, found.sessions) == ((), ())
    assert {one.state for one in found.ownership} == {"free"}


# ------------------------------------------------------------------ several tenants

TWO = """
version = 1
start = 2026-03-02T09:00:00Z
[[node]]
name = "gpu01"
gpus = ["A*90", "A*90"]
[[allocation]]
id = "1"
user = "mira"
holds = ["gpu01:0"]
share = 0.25
uses = ["1m..2m"]
[[allocation]]
id = "2"
user = "otto"
holds = ["gpu01:0-1"]
share = 0.5
"""


def tenants(scene):
    scene.clock.pause(90)
    return RecordedTenants(scene.play).collect(sight(scene))


def test_tenants_of_a_shared_device_use_it_when_the_scenario_says_so(tmp_path):
    scene = Scene(tmp_path, text=TWO + 'uses = ["0m..1m"]')
    (found,) = tenants(scene)
    start = int(scene.play.stage.origin)

    assert found.gpu == scene.devices[0].uuid
    assert found.tenants == {("recorded", f"1@{start}"): 1.0, ("recorded", f"2@{start}"): 0.0}


def test_tenants_of_whom_one_is_not_drawn_are_not_told_apart(tmp_path):
    (found,) = tenants(Scene(tmp_path, text=TWO))

    assert isinstance(found.tenants, Absent)


def test_a_share_is_as_the_scenario_draws_it(tmp_path):
    found = attribution(Scene(tmp_path, text=TWO)).shares

    assert [item.share for item in found] == [0.25, 0.5, 0.5]
