"""Every query of the dashboards finds data in a real Prometheus, and every rule is evaluated."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from dashboards import build
from dashboards.drawing import panels_of
from tests.components import require
from tests.e2e.exporter.process import ExporterProcess
from tests.project import ROOT
from tests.real.drawn_exporter import GPUS, SLUID, drawn_exporter
from tests.real.drawn_reaper import drawn_reaper
from tests.real.prometheus_server import Prometheus, pages, prometheus

DRAWN = {
    item.name: json.loads(build.path(item).read_text(encoding="utf-8")) for item in build.DASHBOARDS
}
QUERIES = [
    pytest.param(target["expr"], panel["type"], id=f"{name}-{panel['title']}-{target['refId']}")
    for name, content in DRAWN.items()
    for panel in panels_of(content)
    for target in panel.get("targets", ())
]
CHOICES = [
    pytest.param(item["query"], id=f"{name}-{item['name']}")
    for name, content in DRAWN.items()
    for item in content["templating"]["list"]
    if item["type"] == "query"
]
RULES = ROOT / "alerts"
#: Rules over names of pods: the drawn cluster has none (alerts/tests/kubernetes.yaml plays them).
OF_PODS = "kubernetes.yaml"
RECORDED = sorted(
    {
        rule["record"]
        for path in RULES.glob("*.yaml")
        if path.name != OF_PODS
        for group in yaml.safe_load(path.read_text(encoding="utf-8"))["groups"]
        for rule in group["rules"]
        if "record" in rule
    }
)

SCENARIO = """
version = 1
title = "two GPUs, one of them idle"
start = 2026-03-02T09:00:00Z
[[node]]
name = "gpu01"
gpus = ["A", "H"]
"""

CONFIGURATION = """
global: {{scrape_interval: 1s, scrape_timeout: 900ms, evaluation_interval: 1s}}
rule_files: ['{rules}/*.yaml']
scrape_configs:
  - job_name: gpu-exporter
    static_configs:
      - {{targets: ['{exporter}'], labels: {{cluster: sim}}}}
      - {{targets: ['{drawn}'], labels: {{cluster: drawn, __metrics_path__: /exporter}}}}
  - job_name: gpu-reaper
    honor_labels: true
    static_configs: [{{targets: ['{drawn}'], labels: {{cluster: sim}}}}]
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """Give a Prometheus that scrapes a real exporter, a drawn one and a drawn reaper."""
    require("prometheus")
    folder = tmp_path_factory.mktemp("prometheus")
    exporter = exporter_of(folder)
    try:
        exporter.await_address()
        with pages({"/metrics": drawn_reaper, "/exporter": drawn_exporter}) as drawn:
            hurried(folder / "rules")
            told = {"rules": folder / "rules", "exporter": exporter.address, "drawn": drawn}
            text = CONFIGURATION.format(**told)
            with prometheus(folder, text) as running:
                running.until(lambda: scraped(running))
                yield running
    finally:
        exporter.close()


def hurried(folder: Path) -> None:
    """Copy the rules without their own intervals: they follow the test's."""
    folder.mkdir()
    for path in RULES.glob("*.yaml"):
        text = re.sub(r"(?m)^ +interval: .*\n", "", path.read_text(encoding="utf-8"))
        (folder / path.name).write_text(text, encoding="utf-8")


def exporter_of(folder: Path) -> ExporterProcess:
    scenario = folder / "scenario.toml"
    scenario.write_text(SCENARIO, encoding="utf-8")
    return ExporterProcess(
        folder / "exporter.log", "--driver", "simulated", "--scenario", str(scenario)
    )


def scraped(server: Prometheus) -> bool:
    """Tell whether all three were scraped, often enough for a rate."""
    moving = server.query("rate(gpunode_sm_active_seconds_total[20s]) > 0")
    twice = server.query("count_over_time(up[1m]) > 2")
    return len(server.query("up == 1")) == 3 == len(twice) and bool(moving)


def written(expression: str) -> str:
    """Return an expression with the variables of Grafana replaced as a viewer would see them."""
    chosen = expression.replace("$__rate_interval", "20s")
    for variable in ("cluster", "instance", "look", "model", "namespace", "partition", "team"):
        chosen = chosen.replace(f"${variable}", ".*")
    return chosen.replace("$allocation", f"4711|{SLUID}")


@pytest.mark.parametrize(("expression", "kind"), QUERIES)
def test_a_query_finds_data(server: Prometheus, expression: str, kind: str):
    found = server.query(written(expression))

    assert [item for item in found if item["value"][1] != "NaN"], expression
    assert kind != "stat" or len(found) == 1, "a stat shows one figure"


def test_the_link_of_a_job_leads_to_the_timeline_of_what_its_nodes_call_it(server: Prometheus):
    (table,) = (panel for panel in panels_of(DRAWN["fleet"]) if "Idle alloc" in panel["title"])
    links = [
        link["url"]
        for override in table["fieldConfig"]["overrides"]
        for item in override["properties"]
        if item["id"] == "links"
        for link in item["value"]
    ]
    (url,) = (url for url in links if "var-allocation" in url)
    renamed = table["transformations"][1]["options"]["renameByName"]
    (label,) = (name for name, column in renamed.items() if f'"{column}"' in url)

    rows = server.query(written(table["targets"][0]["expr"]))

    assert f"4711|{SLUID}" in {row["metric"][label] for row in rows}


@pytest.mark.parametrize("query", CHOICES)
def test_a_variable_has_values(server: Prometheus, query: str):
    if query.startswith("query_result("):
        assert server.query(written(query[len("query_result(") : -1])), query
        return
    family, label = query.removeprefix("label_values(").removesuffix(")").rsplit(", ", 1)

    assert server.query(f"count by ({label}) ({written(family)})"), query


@pytest.mark.parametrize(
    ("signal", "mean"), [("SM", 0.31), ("tensor cores", 0.175), ("memory interface", 0.2)]
)
def test_activity_is_the_mean_of_both_gpus(server: Prometheus, signal: str, mean: float):
    by_legend = {
        target["legendFormat"]: target["expr"]
        for panel in panels_of(DRAWN["fleet"])
        if panel["title"] == "GPU activity"
        for target in panel["targets"]
    }

    asked = written(by_legend[signal]).replace('cluster=~".*"', 'cluster="sim"')
    (found,) = server.query(asked)

    assert float(found["value"][1]) == pytest.approx(mean, abs=0.03)


def test_all_nodes_at_once_cost_a_few_series_a_gpu_and_none_over_time(server: Prometheus):
    """What lies in a closed row is asked when somebody opens it."""
    selector = re.compile(r"(gpunode_\w+\{[^}]*)\}")
    touched = {True: 0, False: 0}
    for panel in DRAWN["node"]["panels"]:
        for target in panel.get("targets", ()):
            for asked in selector.findall(written(target["expr"])):
                found = server.query(f'{asked}, cluster="drawn", gpu!=""}}')
                touched[target["range"]] += len(found)

    assert touched[True] == 0
    assert 0 < touched[False] <= 14 * len(GPUS)


def test_what_nothing_tells_is_no_figure(server: Prometheus):
    expressions = [
        target["expr"]
        for content in DRAWN.values()
        for panel in panels_of(content)
        if panel["type"] == "stat" and panel["targets"][0]["range"]
        for target in panel["targets"]
    ]
    nowhere = [written(text).replace('cluster=~".*"', 'cluster="none"') for text in expressions]

    assert len(nowhere) > 5
    assert {item["value"][1] for text in nowhere for item in server.query(text)} == {"-1"}


def test_a_collector_that_works_is_not_among_those_that_failed(server: Prometheus):
    (asked,) = [
        target["expr"]
        for panel in panels_of(DRAWN["node"])
        if panel["title"] == "Collectors that failed"
        for target in panel["targets"]
    ]

    assert server.query('gpunode_collector_success{cluster="sim"} == 1')
    assert server.query(written(asked).replace('cluster=~".*"', 'cluster="sim"')) == []


def test_every_rule_is_evaluated_without_an_error(server: Prometheus):
    def rules() -> list[dict]:
        groups = server.ask("rules")["groups"]
        found = [rule for group in groups for rule in group["rules"]]
        return found if all(rule["health"] != "unknown" for rule in found) else []

    assert [rule["lastError"] for rule in server.until(rules) if rule["health"] != "ok"] == []


@pytest.mark.parametrize("name", RECORDED)
def test_what_a_rule_records_is_there(server: Prometheus, name: str):
    assert server.until(lambda: server.query(name))


def test_the_trouble_that_is_drawn_is_found_by_the_alerts(server: Prometheus):
    wanted = {
        "GpuDriverCallStuck",
        "GpuEccUncorrected",
        "GpuLost",
        "GpuRowRemapFailed",
        "GpuRowRemapPending",
        "GpuXidStopped",
        "GpusIdleWhileJobsWait",
    }

    def missing() -> set[str]:
        alerts = server.ask("alerts")["alerts"]
        return wanted - {item["labels"]["alertname"] for item in alerts}

    assert server.until(lambda: missing() == set())
