# ruff: noqa: INP001 - a folder of scripts, no package
"""Draws sketches with Grafana's own builders: the same bytes every time."""

import json
from collections.abc import Iterable
from itertools import count
from typing import Final

from grafana_foundation_sdk.builders import (
    bargauge,
    common,
    dashboard,
    prometheus,
    stat,
    statetimeline,
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

from dashboards.sketch import BLUE, CLUSTER, PAGE, Choice, Dashboard, Sketch

Builder = stat.Panel | timeseries.Panel | bargauge.Panel | table.Panel | statetimeline.Panel

_SOURCE: Final = DataSourceRef(type_val="prometheus", uid="${datasource}")
_INSTANT: Final = frozenset(("stat", "bars", "table"))
_TAG: Final = "gpu-reaper"


def drawn(asked: Dashboard) -> str:
    """Return a dashboard as JSON text."""
    built = (
        dashboard.Dashboard(asked.title)
        .uid(f"gpu-reaper-{asked.name}")
        .description(asked.says)
        .tags([_TAG])
        .time(f"now-{asked.span}", "now")
        .refresh("1m")
        .timezone("browser")
        .with_variable(
            dashboard.DatasourceVariable("datasource").label("Source").type("prometheus")
        )
    )
    for choice in (CLUSTER, *asked.choices):
        built.with_variable(_choice(choice))
    built.with_variable(_page()).link(_link(PAGE)).link(_siblings())
    ids = count(1)
    for row in asked.rows:
        built.with_row(dashboard.Row(row.title).id(next(ids)))
        for panel in row.panels:
            built.with_panel(_panel(panel, row.height).id(next(ids)))
    return json.dumps(built.build(), cls=JSONEncoder, sort_keys=True, indent=2) + "\n"


# ------------------------------------------------------------------ variables and links


def _choice(choice: Choice) -> dashboard.QueryVariable:
    family = f"{choice.family}{{{choice.among}}}" if choice.among else choice.family
    variable = (
        dashboard.QueryVariable(choice.name)
        .label(choice.label)
        .datasource(_SOURCE)
        .query(f"label_values({family}, {choice.called or choice.name})")
        .refresh(VariableRefresh.ON_TIME_RANGE_CHANGED)
    )
    if choice.one:
        return variable.multi(False).include_all(False)
    everything = VariableOption(text="All", value="$__all", selected=True)
    return variable.multi(True).include_all(True).all_value(".*").current(everything)


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


def _siblings() -> dashboard.DashboardLink:
    """Return the list of the other dashboards, which keeps what was chosen."""
    link = dashboard.DashboardLink("Other GPU dashboards").type(DashboardLinkType.DASHBOARDS)
    return link.tags([_TAG]).as_dropdown(True).include_vars(True).keep_time(True)


# ------------------------------------------------------------------ panels


def _panel(asked: Sketch, height: int) -> Builder:
    panel = _shaped(asked)
    panel.title(asked.title).description(asked.says).unit(asked.unit).datasource(_SOURCE)
    panel.span(asked.width).height(height).links([_link(asked.link)])
    panel.thresholds(_steps(asked.steps))
    if asked.shape != "table":
        panel.min(0)
    if asked.top is not None:
        panel.max(asked.top)
    for number, (expression, legend) in enumerate(asked.queries):
        query = prometheus.Dataquery().expr(expression).legend_format(legend)
        query.ref_id(chr(ord("A") + number)).datasource(_SOURCE)
        if asked.shape in _INSTANT:
            query.instant()
        if asked.shape == "table":
            query.format(PromQueryFormat.TABLE)
        panel.with_target(query)
    return panel


def _shaped(asked: Sketch) -> Builder:
    if asked.shape == "stat":
        return stat.Panel().color_mode(BigValueColorMode.VALUE).reduce_options(_newest())
    if asked.shape == "bars":
        small = common.VizTextDisplayOptions().title_size(13).value_size(16)
        return bargauge.Panel().reduce_options(_newest()).text(small)
    if asked.shape == "table":
        return _table(asked)
    if asked.shape == "timeline":
        by_steps = dashboard.FieldColor().mode(FieldColorModeId.THRESHOLDS)
        return statetimeline.Panel().merge_values(True).fill_opacity(90).color_scheme(by_steps)
    return _lines(stacked=asked.shape == "stack")


def _lines(*, stacked: bool) -> timeseries.Panel:
    lines = timeseries.Panel().fill_opacity(40 if stacked else 10).line_width(1)
    lines.color_scheme(dashboard.FieldColor().mode(FieldColorModeId.PALETTE_CLASSIC))
    lines.legend(
        common.VizLegendOptions()
        .display_mode(LegendDisplayMode.LIST)
        .placement(LegendPlacement.BOTTOM)
        .show_legend(True)
    )
    return lines.stacking(common.StackingConfig().mode(StackingMode.NORMAL)) if stacked else lines


def _newest() -> common.ReduceDataOptions:
    return common.ReduceDataOptions().calcs(["lastNotNull"])


def _table(asked: Sketch) -> table.Panel:
    """Return a table: its queries merged, one row for each set of labels."""
    names = {
        f"Value #{chr(ord('A') + number)}": column.name
        for number, column in enumerate(asked.columns)
    }
    shown = {"excludeByName": {"Time": True}, "indexByName": {}, "renameByName": names}
    panel = table.Panel().with_transformation(DataTransformerConfig(id_val="merge", options={}))
    panel.with_transformation(DataTransformerConfig(id_val="organize", options=shown))
    for column in asked.columns:
        panel.override_by_name(column.name, [DynamicConfigValue(id_val="unit", value=column.unit)])
    explain = {
        "title": "Explain it",
        "url": "${page}/allocation/${__data.fields.platform}/${__data.fields.allocation}",
        "targetBlank": True,
    }
    panel.override_by_name("allocation", [DynamicConfigValue(id_val="links", value=[explain])])
    last = asked.columns[-1].name
    return panel.sort_by([common.TableSortByFieldState().display_name(last).desc(True)])


def _steps(steps: Iterable[tuple[float, str]]) -> dashboard.ThresholdsConfig:
    found = [
        Threshold(value=None if number == 0 else value, color=colour)
        for number, (value, colour) in enumerate(steps)
    ]
    plain = [Threshold(value=None, color=BLUE)]
    return dashboard.ThresholdsConfig().mode(ThresholdsMode.ABSOLUTE).steps(found or plain)
