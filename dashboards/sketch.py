# ruff: noqa: INP001 - a folder of scripts, no package
"""
What a panel is made of, and the forms of query that many of them share.

``@`` before a comma or a brace in an expression stands for the labels that variables choose.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

Shape = Literal["stat", "lines", "stack", "bars", "table", "timeline"]

BLUE, GREEN, YELLOW, ORANGE, RED = "blue", "green", "yellow", "orange", "red"
GREY: Final = "#808080"
"""What is not known: no colour of good or bad."""
NOTHING: Final = "–"
GOOD_TO_BAD: Final = ((0, GREEN), (1, RED))
GOOD_TO_ODD: Final = ((0, GREEN), (1, YELLOW))

#: Places of the reaper's page, asked under the address in the variable `page`.
PAGE: Final = ("The reaper's page", "${page}/")
BOARD: Final = ("What each source last said", "${page}/debug/board")

_CHOSEN: Final = re.compile("@(?=[,}])")

#: What else an empty panel can mean: silence is no zero.
NO_REAPER: Final = ", or the reaper is not scraped"
NO_EXPORTER: Final = ", or no exporter is scraped"
HOURS: Final = 3600
GPU_HOURS: Final = "suffix: GPU-h"
PER_HOUR: Final = "suffix:/h"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table: the value of one of its queries, in order."""

    name: str
    unit: str = "short"
    decimals: int | None = None
    steps: tuple[tuple[float, str], ...] = field(default=())
    """Colours of its text from a value on; none are the text's own."""
    words: tuple[tuple[str, str, str], ...] = field(default=())
    """Words and colours in place of values: (value, word, colour)."""
    absent: str = NOTHING
    """What stands where there is no value."""


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
    decimals: int | None = None
    colours: tuple[tuple[str, str], ...] = ()
    """Colours of series by their legend, or ``/expression/``; the same on every dashboard."""
    empty: str = "Nothing is scraped that tells this"
    """What stands there without a series: why it can be empty."""
    trend: bool = False
    """A figure with its past behind it; without an answer it is unknown, never its last one."""
    named: bool = False
    """A figure shows its legend, too."""
    labels: tuple[tuple[str, str], ...] = ()
    """Of a table: the labels that are its first columns, and what they are called."""
    columns: tuple[Column, ...] = ()
    behind: tuple[tuple[str, str], ...] = ()
    """Labels that stand behind the values, where a narrow window may cut them off."""
    first: str = ""
    """The column by which rows are sorted, largest first; the last one if not said."""
    jumps: tuple[tuple[str, str, str], ...] = ()
    """Links of a table's cells: (column, title, address)."""


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
    cut: str = ""
    """What of the label's value is chosen: a regular expression with one group."""
    worst: str = ""
    """A query whose series alone are offered, where a label's every value would be too many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """
    Panels below a title, all of one height.

    One that is `closed` asks nothing before somebody opens it: for what is asked of every device.
    """

    title: str
    panels: tuple[Sketch, ...]
    height: int = 7
    closed: bool = False


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
_OF_CLUSTER: Final = 'cluster=~"$cluster"'


def choice(name: str, label: str, family: str, *, within: str = "") -> Choice:
    """Return a variable whose values are those of the chosen clusters, and of what is `within`."""
    others = "".join(f', {other}=~"${other}"' for other in within.split())
    one_of = f', __name__=~"{family}"' if "|" in family else ""
    named = "" if one_of else family
    return Choice(name=name, label=label, family=named, among=_OF_CLUSTER + others + one_of)


def closer_look(worst: str, *, at_most: int) -> Choice:
    """Return the variable of the nodes that are looked at closely: the worst of the chosen ones."""
    most, _ = asked(f"topk({at_most}, {worst})", by=("instance",))
    return Choice(name="look", label="Closer look", family="", called="instance", worst=most)


def choices_of_place() -> tuple[Choice, ...]:
    """Return the variables for where allocations and their queue are, and of which team."""
    queue = "gpureaper_waiting_requests|gpureaper_runs_ended_total"
    idle = "gpureaper_allocation_idle_seconds"
    return (
        choice("partition", "Partition", f"{idle}|{queue}"),
        choice("namespace", "Namespace", idle, within="partition"),
        choice("team", "Team", "gpureaper_week_gpu_seconds"),
        choice("model", "Model", "gpureaper_week_gpu_seconds", within="team"),
    )


def asked(expression: str, legend: str = "", *, by: Iterable[str] = ()) -> tuple[str, str]:
    """
    Return a query; `by` are the variables beside the cluster that choose its series.

    One is called as the label that it chooses, or written ``label:variable``.
    """
    chosen = (name.partition(":") for name in ("cluster", *by))
    labels = ", ".join(f'{label}=~"${variable or label}"' for label, _, variable in chosen)
    return _CHOSEN.sub(lambda _: labels, expression), legend


def legend_of(labels: str) -> str:
    """Return a legend of label values."""
    return " ".join(f"{{{{{label}}}}}" for label in labels.split(", "))


def growth(
    labels: str, counter: str, *, by: Iterable[str] = (), legend: str = ""
) -> tuple[str, str]:
    """
    Return what a counter grew by in an hour.

    One that is born with its first event has no increase yet: it counts as it is, provided that
    its target was scraped an hour ago; else what was counted before a gap would be counted again.
    """
    alive = "gpunode_driver_up" if counter.startswith("gpunode") else "gpureaper_cycle_step_seconds"
    scraped = f"on (cluster, instance) {alive} offset 1h"
    born = f"{counter}{{@}} unless {counter}{{@}} offset 1h and {scraped}"
    grown = f"sum by ({labels}) (({born}) or increase({counter}{{@}}[1h]))"
    return asked(grown, legend or legend_of(labels), by=by)


def mean(signal: str, *, by: Iterable[str] = (), of: str = "") -> tuple[str, str]:
    """Return the mean of a signal where it was seen: what was active over what was observed."""
    group = f" by ({of})" if of else ""
    active = f"sum{group} (rate(gpunode_{signal}_active_seconds_total{{@}}[$__rate_interval]))"
    seen = (
        f"sum{group} "
        f'(rate(gpunode_observed_seconds_total{{@, signal="{signal}"}}[$__rate_interval]))'
    )
    return asked(f"{active} / {seen}", f"{{{{{of}}}}}" if of else signal, by=by)


def of_team(expression: str) -> str:
    """Return an expression in which those of no team have a name to be listed under."""
    return f'label_replace({expression}, "team", "(no team)", "team", "")'
