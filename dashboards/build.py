# ruff: noqa: INP001 - a script, no package
"""
Builds the dashboards that lie beside this file: ``python dashboards/build.py``.

A panel is a line in one of the lists below; `tests/real/test_dashboards.py` runs every query
against a real Prometheus.  `$cluster` fits everything by default, so that a site with one cluster
needs no such label.
"""

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final, Literal

from grafana_foundation_sdk.builders import (
    bargauge,
    common,
    dashboard,
    prometheus,
    stat,
    table,
    timeseries,
)
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.common import (
    BigValueColorMode,
    LegendDisplayMode,
    LegendPlacement,
    StackingMode,
)
from grafana_foundation_sdk.models.dashboard import (
    DashboardLinkType,
    DataSourceRef,
    DataTransformerConfig,
    DynamicConfigValue,
    FieldColorModeId,
    Threshold,
    ThresholdsMode,
    VariableOption,
    VariableRefresh,
)
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

HERE: Final = Path(__file__).parent
FLEET: Final = HERE / "fleet.json"

Shape = Literal["stat", "lines", "stack", "bars", "table"]
Builder = stat.Panel | timeseries.Panel | bargauge.Panel | table.Panel

_SOURCE: Final = DataSourceRef(type_val="prometheus", uid="${datasource}")
_BLUE, _GREEN, _YELLOW, _RED = "blue", "green", "yellow", "red"

#: Places of the reaper's page, asked under the address in the variable `page`.
PAGE: Final = ("The reaper's page", "${page}/")
BOARD: Final = ("What each source last said", "${page}/debug/board")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A panel: `queries` are (expression, legend); `steps` colours from a value on."""

    title: str
    says: str
    unit: str
    queries: tuple[tuple[str, str], ...]
    shape: Shape = "lines"
    width: int = 8
    link: tuple[str, str] = PAGE
    steps: tuple[tuple[float, str], ...] = field(default=())
    top: float | None = None
    """The largest value that there can be."""


def _q(expression: str, legend: str = "") -> tuple[str, str]:
    """Return a query; ``@`` in it stands for the labels that the variables choose."""
    return expression.replace("@", 'cluster=~"$cluster"'), legend


def _mean(signal: str) -> tuple[str, str]:
    """Return the mean of a signal where it was seen: what was active over what was observed."""
    active = f"sum(rate(gpunode_{signal}_active_seconds_total{{@}}[$__rate_interval]))"
    seen = f'sum(rate(gpunode_observed_seconds_total{{@, signal="{signal}"}}[$__rate_interval]))'
    return _q(f"{active} / {seen}", signal)


def _growth(by: str, counter: str) -> tuple[str, str]:
    """Return what a counter grew by in an hour."""
    legend = " ".join(f"{{{{{label}}}}}" for label in by.split(", "))
    return _q(f"sum by ({by}) (increase({counter}{{@}}[1h]))", legend)


_ALLOCATION: Final = "platform, allocation, team, owner"

NOW: Final = (
    Sketch(
        title="GPUs held and idle",
        says="GPUs of allocations in which every GPU is idle, by the reaper's rules.",
        unit="short",
        shape="stat",
        width=4,
        queries=(_q('sum(gpureaper_gpus{@, state="idle"})'),),
        steps=((0, _GREEN), (1, _YELLOW), (16, _RED)),
    ),
    Sketch(
        title="They burn",
        says="What the idle GPUs that have a price cost per hour; those without one come on top.",
        unit="suffix: /h",
        shape="stat",
        width=4,
        queries=(_q("sum by (currency) (gpureaper_idle_cost_per_hour{@})", "{{currency}}"),),
    ),
    Sketch(
        title="Idle without a price",
        says="Idle GPUs that no rate fits: unpriced is never zero.",
        unit="short",
        shape="stat",
        width=4,
        queries=(_q("sum(gpureaper_idle_unpriced_gpus{@})"),),
        steps=((0, _GREEN), (1, _YELLOW)),
    ),
    Sketch(
        title="Seen of the held GPUs",
        says="Coverage: what is not seen is unknown, never idle. Below 90 % nothing is released.",
        unit="percentunit",
        shape="stat",
        width=4,
        queries=(_q("min(gpureaper_coverage_ratio{@})"),),
        steps=((0, _RED), (0.9, _YELLOW), (0.95, _GREEN)),
    ),
    Sketch(
        title="GPUs that jobs wait for",
        says="Asked for by pending jobs, as the platforms tell.",
        unit="short",
        shape="stat",
        width=4,
        queries=(_q("sum(gpureaper_waiting_gpus{@})"),),
    ),
    Sketch(
        title="Standing stops",
        says="Pauses, tripped interlocks and holds: while one stands for all, nothing is released.",
        unit="short",
        shape="stat",
        width=4,
        queries=(_q("sum(gpureaper_holds{@})"),),
        steps=((0, _GREEN), (1, _RED)),
    ),
)

FLEET_USE: Final = (
    Sketch(
        title="GPUs by what they do",
        says="Held and idle, held and unknown, held and working, free: together the inventory.",
        unit="short",
        shape="stack",
        width=12,
        queries=(_q("sum by (state) (gpureaper_gpus{@})", "{{state}}"),),
    ),
    Sketch(
        title="Allocations by verdict",
        says="What the reaper judges each live allocation to be.",
        unit="short",
        shape="stack",
        width=12,
        queries=(_q("sum by (verdict) (gpureaper_allocations{@})", "{{verdict}}"),),
    ),
    Sketch(
        title="Idle allocations",
        says="Since when, how many GPUs, what they cost per hour; owners only where switched on.",
        unit="none",
        shape="table",
        width=24,
        queries=(
            _q(f"sum by ({_ALLOCATION}) (gpureaper_allocation_idle_seconds{{@}})"),
            _q(f"sum by ({_ALLOCATION}) (gpureaper_allocation_idle_gpus{{@}})"),
            _q(f"sum by ({_ALLOCATION}) (gpureaper_allocation_idle_cost_per_hour{{@}})"),
        ),
    ),
    Sketch(
        title="GPU activity",
        says="Means over all GPUs where the signal was seen: active seconds over observed seconds.",
        unit="percentunit",
        top=1,
        queries=(_mean("sm"), _mean("tensor"), _mean("dram")),
    ),
    Sketch(
        title="Seen by signal",
        says="Share of the time in which each signal was really read; a gap is no idleness.",
        unit="percentunit",
        top=1,
        queries=(
            _q(
                "avg by (signal) (rate(gpunode_observed_seconds_total{@}[$__rate_interval]))",
                "{{signal}}",
            ),
        ),
        link=BOARD,
    ),
    Sketch(
        title="Power",
        says="Board power of all GPUs that tell it; MIG instances do not.",
        unit="watt",
        queries=(_q("sum(gpunode_power_watts{@})", "all GPUs"),),
    ),
)

EXPORTERS: Final = (
    Sketch(
        title="Exporters",
        says="Exporters that answer Prometheus, beside those that it knows.",
        unit="short",
        link=BOARD,
        queries=(
            _q('sum(up{@, job="gpu-exporter"})', "answer"),
            _q('count(up{@, job="gpu-exporter"})', "known"),
            _q("sum(gpunode_driver_up{@})", "with a driver"),
        ),
    ),
    Sketch(
        title="Nodes that the reaper cannot judge",
        says="Blind: nothing of the node's GPUs is seen. Doubted: it is not known who holds them.",
        unit="short",
        link=BOARD,
        queries=(
            _q("sum(gpureaper_node_blind{@})", "blind"),
            _q("sum(gpureaper_node_doubted{@})", "doubted"),
        ),
    ),
    Sketch(
        title="Oldest sample of a node",
        says="Age of the youngest answer of each node's driver, the oldest of them.",
        unit="s",
        link=BOARD,
        queries=(_q("max(gpunode_last_sample_age_seconds{@})", "oldest"),),
    ),
    Sketch(
        title="Xid errors in an hour",
        says="Errors that the driver reports, by number; the runbook on Xid says what they mean.",
        unit="short",
        link=BOARD,
        queries=(_growth("xid", "gpunode_xid_errors_total"),),
    ),
    Sketch(
        title="Lost GPUs",
        says="GPUs that do not answer although their node does.",
        unit="short",
        link=BOARD,
        queries=(_q("sum(gpunode_device_lost{@})", "lost"),),
    ),
    Sketch(
        title="What measuring costs a node",
        says="CPU time of an exporter and its worker as a share of one core, the costliest.",
        unit="percentunit",
        link=BOARD,
        queries=(
            _q(
                "max(rate(gpunode_exporter_cpu_seconds_total{@}[$__rate_interval]))",
                "of one core",
            ),
        ),
    ),
)

DECISIONS: Final = (
    Sketch(
        title="Open cases",
        says="Idle allocations on their way up a policy's ladder, by where they stand and mode.",
        unit="short",
        shape="stack",
        queries=(_q("sum by (state, mode) (gpureaper_cases{@})", "{{state}} ({{mode}})"),),
    ),
    Sketch(
        title="Notices in an hour",
        says="By channel and fate; assumed means that it would have been sent.",
        unit="short",
        queries=(_growth("channel, delivery", "gpureaper_notices_total"),),
    ),
    Sketch(
        title="Acts in an hour",
        says="Releases by how far they came; planned means that it would have been done.",
        unit="short",
        queries=(_growth("phase", "gpureaper_acts_total"),),
    ),
    Sketch(
        title="Refusals in an hour",
        says="Steps that were due and not taken, by the rule that forbade them.",
        unit="short",
        queries=(_growth("rule", "gpureaper_refusals_total"),),
    ),
    Sketch(
        title="Standing stops by kind",
        says="What stops acts now; gpu-reaper status names each with its reason.",
        unit="short",
        shape="bars",
        queries=(_q("sum by (kind) (gpureaper_holds{@})", "{{kind}}"),),
        steps=((0, _GREEN), (1, _RED)),
    ),
    Sketch(
        title="Allocations by policy",
        says="How many live allocations each policy matches; a policy that matches none is dead.",
        unit="short",
        shape="bars",
        queries=(
            _q("sum by (policy, mode) (gpureaper_policy_allocations{@})", "{{policy}} ({{mode}})"),
        ),
    ),
)

REAPER: Final = (
    Sketch(
        title="Age of the picture",
        says="How old the newest cycle is; every figure of the reaper is of then.",
        unit="s",
        link=BOARD,
        queries=(_q("max(gpureaper_cycle_age_seconds{@})", "age"),),
    ),
    Sketch(
        title="Sources' last answers",
        says="Age of what each source said last; an old answer is unknown, not wrong.",
        unit="s",
        link=BOARD,
        queries=(
            _q("max by (source, role) (gpureaper_source_age_seconds{@})", "{{source}} {{role}}"),
        ),
    ),
    Sketch(
        title="Turns of sources without an answer",
        says="In an hour, by source; one bad source never delays the others.",
        unit="short",
        link=BOARD,
        queries=(_growth("source", "gpureaper_source_failures_total"),),
    ),
)

ROWS: Final = (
    ("Now", NOW, 5),
    ("Use", FLEET_USE, 9),
    ("Exporters and devices", EXPORTERS, 7),
    ("Decisions", DECISIONS, 7),
    ("The reaper itself", REAPER, 7),
)


# ------------------------------------------------------------------ building


def fleet() -> str:
    """Return the fleet's dashboard as JSON text, the same bytes every time."""
    built = (
        dashboard.Dashboard("GPU fleet: held, working, idle")
        .uid("gpu-reaper-fleet")
        .description("What the GPUs do, what is held and idle, and what gpu-reaper does about it.")
        .tags(["gpu-reaper"])
        .time("now-24h", "now")
        .refresh("1m")
        .timezone("browser")
        .with_variable(
            dashboard.DatasourceVariable("datasource").label("Source").type("prometheus")
        )
        .with_variable(_cluster())
        .with_variable(_page())
        .link(_link(PAGE))
    )
    ids = count(1)
    for title, panels, height in ROWS:
        built.with_row(dashboard.Row(title).id(next(ids)))
        for panel in panels:
            built.with_panel(_panel(panel, height).id(next(ids)))
    return json.dumps(built.build(), cls=JSONEncoder, sort_keys=True, indent=2) + "\n"


def _cluster() -> dashboard.QueryVariable:
    return (
        dashboard.QueryVariable("cluster")
        .label("Cluster")
        .datasource(_SOURCE)
        .query("label_values(gpureaper_cycle_age_seconds, cluster)")
        .refresh(VariableRefresh.ON_TIME_RANGE_CHANGED)
        .multi(True)
        .include_all(True)
        .all_value(".*")
        .current(VariableOption(text="All", value="$__all", selected=True))
    )


def _page() -> dashboard.TextBoxVariable:
    here = "http://127.0.0.1:19450"
    return (
        dashboard.TextBoxVariable("page")
        .label("Reaper's page")
        .description("Where panels link to: the address of the reaper's page as browsers see it.")
        .default_value(here)
        .current(VariableOption(text=here, value=here, selected=True))
    )


def _link(to: tuple[str, str]) -> dashboard.DashboardLink:
    title, url = to
    return dashboard.DashboardLink(title).type(DashboardLinkType.LINK).url(url).target_blank(True)


def _panel(asked: Sketch, height: int) -> Builder:
    panel = _shaped(asked)
    panel.title(asked.title).description(asked.says).unit(asked.unit).datasource(_SOURCE)
    panel.span(asked.width).height(height).links([_link(asked.link)]).thresholds(
        _steps(asked.steps)
    )
    if asked.shape != "table":
        panel.min(0)
    if asked.top is not None:
        panel.max(asked.top)
    for number, (expression, legend) in enumerate(asked.queries):
        query = prometheus.Dataquery().expr(expression).legend_format(legend)
        query.ref_id(chr(ord("A") + number)).datasource(_SOURCE)
        if asked.shape in ("stat", "bars", "table"):
            query.instant()
        if asked.shape == "table":
            query.format(PromQueryFormat.TABLE)
        panel.with_target(query)
    return panel


def _shaped(asked: Sketch) -> Builder:
    if asked.shape == "stat":
        return stat.Panel().color_mode(BigValueColorMode.VALUE).reduce_options(_newest())
    if asked.shape == "bars":
        return bargauge.Panel().reduce_options(_newest())
    if asked.shape == "table":
        return _table()
    lines = timeseries.Panel().fill_opacity(10).line_width(1)
    lines.color_scheme(dashboard.FieldColor().mode(FieldColorModeId.PALETTE_CLASSIC))
    lines.legend(
        common.VizLegendOptions()
        .display_mode(LegendDisplayMode.LIST)
        .placement(LegendPlacement.BOTTOM)
        .show_legend(True)
    )
    if asked.shape == "stack":
        lines.fill_opacity(40).stacking(common.StackingConfig().mode(StackingMode.NORMAL))
    return lines


def _newest() -> common.ReduceDataOptions:
    return common.ReduceDataOptions().calcs(["lastNotNull"])


def _table() -> table.Panel:
    """Return the table of idle allocations: three queries merged, one row an allocation."""
    names = {"Value #A": "idle for", "Value #B": "GPUs", "Value #C": "per hour"}
    units = {"idle for": "s", "GPUs": "short", "per hour": "none"}
    panel = table.Panel().with_transformation(DataTransformerConfig(id_val="merge", options={}))
    panel.with_transformation(
        DataTransformerConfig(
            id_val="organize",
            options={"excludeByName": {"Time": True}, "indexByName": {}, "renameByName": names},
        )
    )
    for name, unit in units.items():
        panel.override_by_name(name, [DynamicConfigValue(id_val="unit", value=unit)])
    explain = {
        "title": "Explain it",
        "url": "${page}/allocation/${__data.fields.platform}/${__data.fields.allocation}",
        "targetBlank": True,
    }
    panel.override_by_name("allocation", [DynamicConfigValue(id_val="links", value=[explain])])
    return panel.sort_by([common.TableSortByFieldState().display_name("per hour").desc(True)])


def _steps(steps: Iterable[tuple[float, str]]) -> dashboard.ThresholdsConfig:
    found = [
        Threshold(value=None if number == 0 else value, color=colour)
        for number, (value, colour) in enumerate(steps)
    ]
    plain = [Threshold(value=None, color=_BLUE)]
    return dashboard.ThresholdsConfig().mode(ThresholdsMode.ABSOLUTE).steps(found or plain)


def main() -> int:
    """Write the files."""
    FLEET.write_text(fleet(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
