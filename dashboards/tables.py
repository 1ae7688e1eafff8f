# ruff: noqa: INP001 - a folder of scripts, no package
"""Draws tables: queries merged to one row for each set of labels, columns in their order."""

from collections.abc import Iterator, Sequence
from typing import Final

from grafana_foundation_sdk.builders import common, table
from grafana_foundation_sdk.models.dashboard import DataTransformerConfig, DynamicConfigValue

from dashboards.sketch import NOTHING, Column, Sketch

Table = table.Panel

_VALUES: Final = "Value #{}"
_HIDDEN: Final = ("Time", "__name__", "cluster", "job")
_COLOURED: Final = {"type": "color-text"}


def drawn_table(asked: Sketch) -> Table:
    """Return a table without its queries; the row with most in the column `first` stands first."""
    labels = list(asked.labels)
    values = [
        (_VALUES.format(chr(ord("A") + number)) if len(asked.queries) > 1 else "Value", column.name)
        for number, column in enumerate(asked.columns)
    ]
    columns = [*labels, *values, *asked.behind]
    arranged = {
        "excludeByName": dict.fromkeys(_HIDDEN, True),
        "indexByName": {name: place for place, (name, _) in enumerate(columns)},
        "renameByName": dict(columns),
    }
    panel = Table().with_transformation(DataTransformerConfig(id_val="merge", options={}))
    panel.with_transformation(DataTransformerConfig(id_val="organize", options=arranged))
    for _, name in (*labels, *asked.behind):
        panel.override_by_name(name, [DynamicConfigValue(id_val="noValue", value=NOTHING)])
    for column in asked.columns:
        panel.override_by_name(column.name, list(_looks(column)))
    for name in dict.fromkeys(name for name, _, _ in asked.jumps):
        panel.override_by_name(name, [_links(name, asked.jumps)])
    first = asked.first or asked.columns[-1].name
    return panel.sort_by([common.TableSortByFieldState().display_name(first).desc(True)])


def _looks(column: Column) -> Iterator[DynamicConfigValue]:
    yield DynamicConfigValue(id_val="unit", value=column.unit)
    yield DynamicConfigValue(id_val="noValue", value=column.absent)
    if column.decimals is not None:
        yield DynamicConfigValue(id_val="decimals", value=column.decimals)
    if column.steps:
        steps = [
            {"value": value if number else None, "color": colour}
            for number, (value, colour) in enumerate(column.steps)
        ]
        yield DynamicConfigValue(id_val="thresholds", value={"mode": "absolute", "steps": steps})
    if column.words:
        words = {
            value: {"text": word, "color": colour, "index": number}
            for number, (value, word, colour) in enumerate(column.words)
        }
        yield DynamicConfigValue(id_val="mappings", value=[{"type": "value", "options": words}])
    if column.steps or column.words:
        yield DynamicConfigValue(id_val="custom.cellOptions", value=_COLOURED)


def _links(name: str, jumps: Sequence[tuple[str, str, str]]) -> DynamicConfigValue:
    links = [
        {"title": title, "url": url, "targetBlank": url.startswith("${page}")}
        for column, title, url in jumps
        if column == name
    ]
    return DynamicConfigValue(id_val="links", value=links)
