"""A real exporter, scraped by a real Prometheus and asked directly, says the same twice."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from reaper.activity.prometheus.activity import PrometheusActivity
from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.reading import between
from reaper.edge.clock import SystemClock
from reaper.ports import NodeReport
from tests.components import require
from tests.e2e.exporter.process import ExporterProcess
from tests.real.prometheus_server import Prometheus, prometheus

SCENARIO = """
version = 1
title = "two GPUs, one of them idle"
start = 2026-03-02T09:00:00Z
[[node]]
name = "gpu01"
gpus = ["A", "H"]
"""
CONFIGURATION = """
global: {{scrape_interval: 1s, scrape_timeout: 900ms}}
scrape_configs:
  - job_name: gpu-exporter
    static_configs: [{{targets: ['{exporter}'], labels: {{cluster: sim, node: rack7}}}}]
"""
PACE = Pace(step=2.0)


@pytest.fixture
async def pair(tmp_path: Path) -> AsyncIterator[tuple[NodeReport, NodeReport]]:
    """Give what the engine says of the node, and what the node says just after."""
    require("prometheus")
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(SCENARIO, encoding="utf-8")
    exporter = ExporterProcess(
        tmp_path / "exporter.log", "--driver", "simulated", "--scenario", str(scenario)
    )
    try:
        exporter.await_address()
        text = CONFIGURATION.format(exporter=exporter.address)
        with prometheus(tmp_path, text) as server:
            server.until(lambda: server.query("count_over_time(gpunode_node_info[1m]) > 3"))
            yield await said(server)
    finally:
        exporter.close()


async def said(server: Prometheus) -> tuple[NodeReport, NodeReport]:
    engine = {"url": f"http://{server.address}", "match": {"cluster": "sim"}}
    settings = PrometheusSettings.model_validate({"engines": [engine], "delay": "0s"})
    async with PrometheusActivity(settings, clock=SystemClock(), pace=PACE) as activity:
        (scraped,) = (await activity.readings(0)).nodes
        (asked,) = (await activity.ask(["gpu01"])).nodes
    return scraped, asked


async def test_the_engine_and_the_node_say_the_same(pair: tuple[NodeReport, NodeReport]):
    scraped, asked = pair

    assert (scraped.error, asked.error) == ("", "")
    assert scraped.devices == asked.devices
    assert set(scraped.signals) == set(asked.signals)
    assert (scraped.started, scraped.node) == (asked.started, "gpu01")
    for before, now in zip(scraped.readings, asked.readings, strict=True):
        delta = between(before, now)
        assert delta is not None, "the last look before an act joins what the engine said"
        assert 0 < delta.seconds < 120
