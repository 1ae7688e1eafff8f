# ruff: noqa: INP001 - a folder of scripts, no package
"""Draws sketches with Grafana's own builders: the same bytes every time."""

import json
from collections.abc import Iterable
from itertools import count
from typing import Any, Final

from grafana_foundation_sdk.builders import (
    bargauge,
    common,
    dashboard,
    prometheus,
    stat,
    statetimeline,
    timeseries,
)
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.common import (
    BarGaugeDisplayMode,
    BigValueColorMode,
    BigValueGraphMode,
    BigValueTextMode,
    LegendDisplayMode,
    LegendPlacement,
    SortOrder,
    StackingMode,
    TooltipDisplayMode,
    VisibilityMode,
)
from grafana_foundation_sdk.models.dashboard import (
    DashboardCursorSync,
    DashboardLinkType,
    DashboardSpecialValueMapOptions,
    DataSourceRef,
    DynamicConfigValue,
    FieldColorModeId,
    SpecialValueMap,
    SpecialValueMatch,
    Threshold,
    ThresholdsMode,
    ValueMap,
    ValueMappingResult,
    VariableOption,
    VariableRefresh,
    VariableSort,
)
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

from dashboards.sketch import BLUE, CLUSTER, PAGE, Choice, Dashboard, Sketch
from dashboards.tables import Table, drawn_table

Builder = stat.Panel | timeseries.Panel | bargauge.Panel | Table | statetimeline.Panel

_SOURCE: Final = DataSourceRef(type_val="prometheus", uid="${datasource}")
_INSTANT: Final = frozenset(("stat", "bars", "table"))
_TAG: Final = "gpu-reaper"
#: Two bars need no more room than ten; Grafana knows these options since 10.3, the builders don't.
_THIN: Final = {"sizing": "manual", "minVizHeight": 16, "maxVizHeight": 40}
_EVERYTHING: Final = VariableOption(text="All", value="$__all", selected=True)
_UNKNOWN: Final = -1
"""Stands for a figure without an answer: no count and no share is below zero."""


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
        .tooltip(DashboardCursorSync.CROSSHAIR)
        .with_variable(
            dashboard.DatasourceVariable("datasource").label("Source").type("prometheus")
        )
    )
    for choice in (CLUSTER, *asked.choices):
        built.with_variable(_choice(choice))
    built.with_variable(_page()).link(_link(PAGE)).link(_siblings())
    ids = count(1)
    for row in asked.rows:
        title = dashboard.Row(row.title).id(next(ids))
        panels = [_panel(panel, row.height).id(next(ids)) for panel in row.panels]
        for panel in panels if row.closed else ():
            title.with_panel(panel)
        built.with_row(title)
        for panel in () if row.closed else panels:
            built.with_panel(panel)
    content = json.loads(json.dumps(built.build(), cls=JSONEncoder))
    for panel in panels_of(content):
        if panel["type"] == "bargauge":
            panel["options"] |= _THIN
    return json.dumps(content, sort_keys=True, indent=2) + "\n"


def panels_of(content: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the panels of a drawn dashboard, those of closed rows too, in their order."""
    return [panel for shown in content["panels"] for panel in (shown, *(shown.get("panels") or ()))]


# ------------------------------------------------------------------ variables and links


def _choice(choice: Choice) -> dashboard.QueryVariable:
    if choice.worst:
        return _worst(choice)
    family = f"{choice.family}{{{choice.among}}}" if choice.among else choice.family
    variable = (
        dashboard.QueryVariable(choice.name)
        .label(choice.label)
        .datasource(_SOURCE)
        .query(f"label_values({family}, {choice.called or choice.name})")
        .refresh(VariableRefresh.ON_TIME_RANGE_CHANGED)
        .sort(VariableSort.NUMERICAL_ASC if choice.cut else VariableSort.ALPHABETICAL_ASC)
    )
    if choice.cut:
        variable.regex(choice.cut)
    if choice.one:
        return variable.multi(False).include_all(False)
    return variable.multi(True).include_all(True).all_value(".*").current(_EVERYTHING)


def _worst(choice: Choice) -> dashboard.QueryVariable:
    """Return a variable in which all are those that are offered, and no others."""
    variable = dashboard.QueryVariable(choice.name).label(choice.label).datasource(_SOURCE)
    variable.query(f"query_result({choice.worst})").regex(f'/{choice.called}="([^"]+)"/')
    variable.refresh(VariableRefresh.ON_TIME_RANGE_CHANGED).sort(VariableSort.DISABLED)
    return variable.multi(True).include_all(True).current(_EVERYTHING)


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
    panel.thresholds(_steps(asked.steps)).no_value(asked.empty)
    if asked.shape != "table":
        panel.min(0)
    if asked.top is not None:
        panel.max(asked.top)
    if asked.decimals is not None:
        panel.decimals(asked.decimals)
    for name, colour in asked.colours:
        fixed = {"mode": "fixed", "fixedColor": colour}
        paint = panel.override_by_regexp if name.startswith("/") else panel.override_by_name
        paint(name, [DynamicConfigValue(id_val="color", value=fixed)])
    for number, (expression, legend) in enumerate(asked.queries):
        panel.with_target(_query(asked, expression, legend).ref_id(chr(ord("A") + number)))
    return panel


def _query(asked: Sketch, expression: str, legend: str) -> prometheus.Dataquery:
    if asked.trend:
        expression = f"{expression} or vector({_UNKNOWN})"
    query = prometheus.Dataquery().expr(expression).legend_format(legend).datasource(_SOURCE)
    if asked.shape == "table":
        query.format(PromQueryFormat.TABLE)
    return query.instant() if asked.shape in _INSTANT and not asked.trend else query.range()


def _shaped(asked: Sketch) -> Builder:
    if asked.shape == "stat":
        return _stat(asked)
    if asked.shape == "bars":
        small = common.VizTextDisplayOptions().title_size(12).value_size(14)
        bars = bargauge.Panel().reduce_options(_newest()).text(small)
        return bars.display_mode(BarGaugeDisplayMode.BASIC)
    if asked.shape == "table":
        return drawn_table(asked)
    if asked.shape == "timeline":
        by_steps = dashboard.FieldColor().mode(FieldColorModeId.THRESHOLDS)
        line = statetimeline.Panel().merge_values(True).fill_opacity(90).color_scheme(by_steps)
        return line.show_value(VisibilityMode.NEVER).row_height(0.8).legend(_legend())
    return _lines(stacked=asked.shape == "stack")


def _stat(asked: Sketch) -> stat.Panel:
    figure = stat.Panel().color_mode(BigValueColorMode.VALUE)
    if asked.named:
        figure.text_mode(BigValueTextMode.VALUE_AND_NAME)
    if not asked.trend:
        nothing = DashboardSpecialValueMapOptions(
            match=SpecialValueMatch.NULL, result=ValueMappingResult(text=asked.empty, color="text")
        )
        figure.mappings([SpecialValueMap(options=nothing)])
        return figure.reduce_options(_newest()).graph_mode(BigValueGraphMode.NONE)
    unknown = ValueMappingResult(text="unknown", color="text")
    figure.mappings([ValueMap(options={str(_UNKNOWN): unknown})])
    last = common.ReduceDataOptions().calcs(["last"])
    return figure.reduce_options(last).graph_mode(BigValueGraphMode.AREA)


def _lines(*, stacked: bool) -> timeseries.Panel:
    lines = timeseries.Panel().fill_opacity(50 if stacked else 0).line_width(1)
    lines.color_scheme(dashboard.FieldColor().mode(FieldColorModeId.PALETTE_CLASSIC))
    lines.show_points(VisibilityMode.NEVER).legend(_legend())
    together = common.VizTooltipOptions().mode(TooltipDisplayMode.MULTI)
    lines.tooltip(together if stacked else together.sort(SortOrder.DESCENDING))
    return lines.stacking(common.StackingConfig().mode(StackingMode.NORMAL)) if stacked else lines


def _legend() -> common.VizLegendOptions:
    legend = common.VizLegendOptions().display_mode(LegendDisplayMode.LIST)
    return legend.placement(LegendPlacement.BOTTOM).show_legend(True)


def _newest() -> common.ReduceDataOptions:
    return common.ReduceDataOptions().calcs(["lastNotNull"])


def _steps(steps: Iterable[tuple[float, str]]) -> dashboard.ThresholdsConfig:
    found = [
        Threshold(value=None if number == 0 else value, color=colour)
        for number, (value, colour) in enumerate(steps)
    ]
    plain = [Threshold(value=None, color=BLUE)]
    return dashboard.ThresholdsConfig().mode(ThresholdsMode.ABSOLUTE).steps(found or plain)
