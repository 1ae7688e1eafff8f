# ruff: noqa: INP001 - a folder of scripts, no package
"""
What a panel is made of, and the forms of query that many of them share.

``@`` in an expression stands for the labels that a dashboard's variables choose.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

Shape = Literal["stat", "lines", "stack", "bars", "table", "timeline"]

BLUE, GREEN, YELLOW, RED = "blue", "green", "yellow", "red"
GOOD_TO_BAD: Final = ((0, GREEN), (1, RED))

#: Places of the reaper's page, asked under the address in the variable `page`.
PAGE: Final = ("The reaper's page", "${page}/")
BOARD: Final = ("What each source last said", "${page}/debug/board")

#: The labels by which the reaper names an idle allocation.
ALLOCATION: Final = "platform, allocation, partition, namespace, team, owner"
HOURS: Final = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table: the value of one of its queries, in order."""

    name: str
    unit: str = "short"


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
    columns: tuple[Column, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """
    A variable: the values of a label of a family.

    `among` are labels of that family that other variables choose; everything fits by default.
    """

    name: str
    label: str
    family: str
    among: str = ""
    one: bool = False
    """Exactly one value is chosen."""
    called: str = ""
    """The label, where it is not called as the variable is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Panels below a title, all of one height."""

    title: str
    panels: tuple[Sketch, ...]
    height: int = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """A dashboard; its file is named after `name`."""

    name: str
    title: str
    says: str
    rows: tuple[Row, ...]
    choices: tuple[Choice, ...] = ()
    span: str = "24h"


CLUSTER: Final = Choice(name="cluster", label="Cluster", family="gpureaper_cycle_age_seconds")


def asked(expression: str, legend: str = "", *, by: Iterable[str] = ()) -> tuple[str, str]:
    """Return a query; `by` are the variables beside the cluster that choose its series."""
    labels = ", ".join(f'{name}=~"${name}"' for name in ("cluster", *by))
    return expression.replace("@", labels), legend


def legend_of(labels: str) -> str:
    """Return a legend of label values."""
    return " ".join(f"{{{{{label}}}}}" for label in labels.split(", "))


def growth(labels: str, counter: str, *, by: Iterable[str] = ()) -> tuple[str, str]:
    """Return what a counter grew by in an hour."""
    return asked(f"sum by ({labels}) (increase({counter}{{@}}[1h]))", legend_of(labels), by=by)


def mean(signal: str, *, by: Iterable[str] = (), of: str = "") -> tuple[str, str]:
    """Return the mean of a signal where it was seen: what was active over what was observed."""
    group = f" by ({of})" if of else ""
    active = f"sum{group} (rate(gpunode_{signal}_active_seconds_total{{@}}[$__rate_interval]))"
    seen = (
        f"sum{group} "
        f'(rate(gpunode_observed_seconds_total{{@, signal="{signal}"}}[$__rate_interval]))'
    )
    return asked(f"{active} / {seen}", f"{{{{{of}}}}}" if of else signal, by=by)
