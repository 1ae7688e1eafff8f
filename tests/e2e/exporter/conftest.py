"""Real exporters over the fake library or a scenario, ended with their test."""

import pytest

from tests.e2e.exporter.process import ExporterProcess
from tests.fake_nvml.fixtures import fake_library, fake_node

__all__ = ["fake_library", "fake_node"]


@pytest.fixture
def start(tmp_path):
    """Give `start(*words, environment=…)`: a serving exporter."""
    started = []

    def begin(*words, environment=None):
        log = tmp_path / f"exporter{len(started)}.log"
        started.append(ExporterProcess(log, *words, environment=environment))
        started[-1].await_address()
        return started[-1]

    yield begin
    for process in started:
        process.close()


@pytest.fixture
def exporter(start, fake_library, fake_node):
    """An exporter on a node of two busy cards, ready."""
    fake_node.add_hopper()
    fake_node.add_hopper()
    running = start(environment=fake_node.environment(fake_library))
    running.page_when(lambda page: page.values("gpunode_sm_active_seconds_total"))
    return running
