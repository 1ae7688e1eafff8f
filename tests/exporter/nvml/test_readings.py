"""Memory, power, health and processes through the real binding and the fake library."""

import pynvml

from exporter.sampling.snapshot import Absent, DeviceProcess, Memory
from tests.fake_nvml.library import GIB, MIB


def test_memory_leaves_out_what_the_driver_reserves(node):
    node.properties.add_hopper()
    (device,) = node.open()

    assert node.driver.memory(device).memory == Memory(used=20 * GIB, total=80 * GIB)


def test_an_old_driver_answers_the_first_form_of_the_memory_call(node):
    node.properties.add_hopper()
    node.properties.change({"fail.nvmlDeviceGetMemoryInfo_v2": 13})
    (device,) = node.open()
    first, second = node.driver.memory(device), node.driver.memory(device)

    assert first.memory == second.memory == Memory(used=21 * GIB, total=80 * GIB)


def test_more_memory_used_than_there_is_was_not_read(node):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.memory.used": 2**63})
    (device,) = node.open()
    use = node.driver.memory(device)

    assert (isinstance(use.memory, Absent), use.clamped) == (True, ("memory",))


def test_power_is_in_watts_and_energy_in_joules(node):
    node.properties.add_hopper()
    (device,) = node.open()
    use = node.driver.power(device)

    assert (use.power, use.limit, use.energy, use.throttled) == (350.0, 700.0, 1000.0, ())


def test_throttle_reasons_are_named_and_idleness_is_none(node):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.reasons": 0x1 | 0x4 | 0x40})
    (device,) = node.open()

    assert node.driver.power(device).throttled == ("power_cap", "hardware_thermal")


def test_a_blank_power_is_no_power(node):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.power": 4294967295, f"{card}.energy": 2**64 - 1})
    (device,) = node.open()
    use = node.driver.power(device)

    assert (isinstance(use.power, Absent), use.energy) == (True, None)
    assert use.clamped == ("power", "energy")


def test_health_is_in_base_units(node):
    node.properties.add_hopper()
    (device,) = node.open()
    health = node.driver.health(device)

    assert (health.temperature, health.sm_clock, health.ecc, health.remapped_rows) == (
        55.0,
        1.755e9,
        {"corrected": 2, "uncorrected": 0},
        {"correctable": 1, "uncorrectable": 0, "pending": 0, "failed": 0},
    )


def test_an_xid_is_heard_once(node):
    card = node.properties.add_hopper()
    (device,) = node.open()
    node.properties.change({f"{card}.xid": 79, f"{card}.xid.serial": 1})
    first, second = node.driver.health(device), node.driver.health(device)

    assert ([number for number, _ in first.xids], second.xids) == ([79], ())


def test_processes_are_listed_once_each(node):
    card = node.properties.add_hopper()
    node.properties.change(
        {f"{card}.processes": f"71:{GIB},72:{2**64 - 1}", f"{card}.graphics": f"72:{MIB}"}
    )
    (device,) = node.open()

    assert node.driver.processes(device).processes == (
        DeviceProcess(pid=71, memory=GIB),
        DeviceProcess(pid=72, memory=MIB),
    )


def test_impossible_pids_make_the_list_unknown(node):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.processes": f"{2**31}:1"})
    (device,) = node.open()

    assert isinstance(node.driver.processes(device).processes, Absent)


def test_a_process_list_that_is_refused_is_not_empty(node):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.fail.nvmlDeviceGetComputeRunningProcesses_v3": 4})
    (device,) = node.open()

    assert isinstance(node.driver.processes(device).processes, Absent)


def test_an_old_driver_answers_the_second_form_of_the_process_lists(node):
    node.properties.add_hopper()
    lists = ("nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v3")
    node.properties.change({f"fail.{name}": 13 for name in lists})
    (device,) = node.open()
    found = node.driver.processes(device).processes

    if hasattr(pynvml, "nvmlDeviceGetComputeRunningProcesses_v2"):
        assert found == (DeviceProcess(pid=4000, memory=GIB),)
    else:  # bindings of that time have the newest form alone
        assert found.state == "unsupported"


def test_a_driver_without_any_process_list_leaves_the_processes_unknown(node):
    node.properties.add_hopper()
    node.properties.change({"fail.nvmlDeviceGetComputeRunningProcesses": 13})
    (device,) = node.open()

    assert node.driver.processes(device).processes.state == "unsupported"
