"""A real driver object over the fake library, on a clock that only the samples' spacing obeys."""

import pytest

from exporter.clock import SystemClock
from exporter.collectors.sight import Places
from exporter.nvml import NvmlDriver
from exporter.sampling.calls import Calls


class Node:
    """The driver, and what a test asks of it."""

    def __init__(self, properties, places):
        self.properties = properties
        self.places = places
        self.clock = SystemClock()
        self.driver = NvmlDriver(self.clock, Calls(None, self.clock.monotonic), places)
        self.opened = False

    def open(self):
        self.driver.open()
        self.opened = True
        return self.look()

    def look(self):
        self.devices = self.driver.devices({})
        return self.devices

    def activity(self, index=0):
        """Read twice, as far apart as GPM needs it."""
        self.driver.activity(self.devices[index])
        self.clock.pause(0.11)
        return self.driver.activity(self.devices[index])

    def change(self, **properties):
        self.properties.change(
            {name.replace("__", "."): value for name, value in properties.items()}
        )

    def samples(self):
        return int(self.properties.samples.read_text())


@pytest.fixture
def node(loaded_node, tmp_path):
    places = Places(proc=str(tmp_path / "proc"), sys=str(tmp_path / "sys"))
    made = Node(loaded_node, places)
    yield made
    made.properties.change({"fail.nvmlShutdown": 0})
    made.driver.close()
