"""Every call of the driver: none is forgotten by the fault tests, and each may be refused."""

import pytest

from exporter.nvml import NvmlDriver
from exporter.sampling.snapshot import Absent, Measured
from tests.exporter.nvml.calls import FALLBACKS, NODE_CALLS, ON_CARD, WHEN_SHARED

READINGS = ("activity", "memory", "power", "health", "processes", "busy")
#: Without these there is no card at all.
ESSENTIAL = {"nvmlDeviceGetHandleByIndex", "nvmlDeviceGetUUID"}
#: Without these nothing is open, or nothing is freed.
NEEDED = {"nvmlDeviceGetCount", "nvmlInit", "nvmlShutdown", "nvmlGpmSampleFree"}
OPTIONAL = [
    *sorted({*ON_CARD, *WHEN_SHARED} - ESSENTIAL),
    "nvmlDeviceGetMemoryInfo_v2",
    *sorted(NODE_CALLS - NEEDED),
]


class Recorder:
    """Remembers the names of calls instead of announcing them."""

    def __init__(self):
        self.names = set()

    def announce(self, name, target=""):
        self.names.add(name)

    def clear(self):
        pass


def everything(driver, clock):
    """Enumerate and read all there is, twice."""
    for look in range(2):
        clock.pause(0.11 * look)
        found = {
            (device.uuid, kind): getattr(driver, kind)(device)
            for device in driver.devices({})
            for kind in READINGS
        }
    return found


def test_the_list_of_calls_is_whole(node):
    node.properties.cut(node.properties.add_hopper(), "1g.10gb")
    node.properties.add_hopper()
    node.properties.add_ampere()
    node.properties.change({"fail.nvmlDeviceGetCurrentClocksEventReasons": 13})
    recorder = Recorder()
    driver = NvmlDriver(node.clock, recorder, node.places)
    driver.open()
    everything(driver, node.clock)
    driver.close()

    assert recorder.names == {*ON_CARD, *NODE_CALLS, *WHEN_SHARED, *FALLBACKS}


@pytest.mark.parametrize("code", [13, 999], ids=["symbol missing", "unknown"])
@pytest.mark.parametrize("call", OPTIONAL)
def test_a_call_that_is_refused_costs_what_it_tells_and_nothing_is_made_up(node, call, code):
    """Two cards: one is refused the call, the other answers as ever."""
    node.properties.add_hopper()
    node.properties.add_hopper()
    whole = "fail" if call in NODE_CALLS else "card0.fail"
    node.properties.change({f"{whole}.{call}": code})
    node.open()
    found = everything(node.driver, node.clock)
    refused, other = (f"GPU-{number:08d}-0000-0000-0000-000000000000" for number in (0, 1))
    values = [found[refused, "activity"].signals, found[refused, "activity"].links]

    assert all(one.value for name, one in values[0].items() if measured(one) and name != "codec")
    assert all(one.reason for part in values for one in part.values() if isinstance(one, Absent))
    if call not in NODE_CALLS:
        assert found[other, "activity"].signals["sm"] == Measured(value=0.625, source="gpm")
        assert found[other, "power"].power == 350.0


def measured(value):
    return isinstance(value, Measured)
