"""The report as a person reads it in a terminal: headline, identity, whose, what happened, how."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from reaper.domain.money.entries import Event
from reaper.domain.money.figures import Figures
from reaper.reports import definitions, quality
from reaper.reports.layout import lines, plain, table
from reaper.reports.week import Line, WeekReport
from reaper.reports.words import (
    NOTHING,
    clean,
    hours,
    money,
    money_range,
    part,
    percent,
    short_stamp,
    stamp,
)

#: Cells of the bar that stands for the whole calendar.
BAR: Final = 40

_GROUPS: Final = (
    ("By owner", "owner"),
    ("By team", "team"),
    ("By class", "purpose"),
    ("By model", "model"),
)
_BARE: Final = "unpriced"
_COLUMNS: Final = ("held", "active", "low", "idle", "unknown", "wasted", "of held", "costs", "seen")


def render(report: WeekReport) -> str:
    """Return the report as plain text."""
    return plain(page(report))


def page(report: WeekReport) -> RenderableType:
    """Return the report for a terminal."""
    return Group(
        _head(report),
        _identity(report),
        *_groups(report),
        *_top(report),
        *_actions(report),
        lines("Data quality", tuple(_quality(report))),
        lines("Definitions", definitions.of(report)),
    )


def headline(report: WeekReport) -> tuple[str, ...]:
    """Return the sentences that a person who reads nothing else should read."""
    total = report.total
    share = percent(part(total.wasted, total.allocated))
    low = "at least " if report.at_least else ""
    worth = f"{low}{money_range(total.costs.wasted, total.costs.high)}"
    wasted = f"Wasted {hours(total.wasted)} of {hours(total.allocated)} held GPU-h ({share})"
    if report.blind:
        wasted = f"Nothing was seen of {hours(total.allocated)} held GPU-h; wasted is not known"
    return (
        f"{wasted} = {worth}, coverage {percent(total.coverage)}",
        *_needless(total),
        *_returned(total),
    )


def _needless(total: Figures) -> Iterator[str]:
    if total.avoidable:
        money_of_it = money(total.costs.avoidable)
        yield f"Avoidable under the policies: {hours(total.avoidable)} GPU-h = {money_of_it}"
    if total.idle_while_waiting:
        yield f"Idle while jobs waited: {hours(total.idle_while_waiting)} GPU-h"


def _returned(total: Figures) -> Iterator[str]:
    if total.reclaimed:
        most = f"Reclaimed at most {hours(total.reclaimed)} GPU-h = {money(total.costs.reclaimed)}"
        least = f"re-used at least {hours(total.reused)} GPU-h = {money(total.costs.reused)}"
        yield f"{most}, {least}, cash {money(total.costs.cash)}"
    if total.given_back:
        yield f"Given back by owners themselves: {hours(total.given_back)} GPU-h"
    if not total.reclaimed and not total.given_back:
        yield "Nothing was released, nothing given back"


def _head(report: WeekReport) -> Group:
    accounts, zone = report.accounts, report.context.zone
    week = f"week {report.week}" if report.week else "a span"
    so_far = "" if report.whole or not report.week else " so far"
    title = f"GPU-hours and money of {clean(report.context.cluster)}, {week}{so_far}"
    span = f"{stamp(accounts.begin, zone)} to {stamp(accounts.end, zone)}"
    known = f"as of {stamp(accounts.as_of, zone)}, zone {report.context.zone_name}"
    first, *rest = headline(report)
    return Group(
        Text(title, style="bold"),
        Text(f"{span}; {known}"),
        Text(""),
        Text(first, style="bold"),
        *(Text(sentence) for sentence in rest),
        Text(""),
    )


def _identity(report: WeekReport) -> Group:
    calendar = report.total.calendar
    rows: list[Sequence[str | Text]] = [
        (name, hours(seconds, 3), percent(part(seconds, calendar)), _bar(seconds, calendar))
        for name, seconds in report.identity
    ]
    equal = f"sum {hours(report.total.states, 3)} = calendar {hours(calendar, 3)}"
    return Group(
        table("Where every GPU-hour went", ("state", "GPU-h", "share", ""), rows),
        Text(f"{equal}, difference {hours(report.difference, 3)}"),
        Text(""),
    )


def _bar(seconds: float, calendar: float) -> Text:
    cells = round(BAR * (part(seconds, calendar) or 0.0))
    return Text("█" * cells, style="dim")


def _groups(report: WeekReport) -> Iterator[Group]:
    """Yield a table a field; teams and models only where they differ."""
    for title, name in _GROUPS:
        found = report.by(name)
        if len(found) > 1 or (found and name in ("owner", "purpose")):
            yield table(title, ("", *_COLUMNS), [_row(line) for line in found])


def _row(line: Line) -> tuple[str, ...]:
    return (clean(line.name) or NOTHING, *_cells(line.figures))


def _cells(one: Figures) -> tuple[str, ...]:
    return (
        hours(one.allocated),
        hours(one.active),
        hours(one.low),
        hours(one.idle),
        hours(one.unknown),
        hours(one.wasted),
        percent(part(one.wasted, one.allocated)),
        _worth(one),
        percent(one.coverage),
    )


def _worth(one: Figures) -> str:
    return money_range(one.costs.wasted, one.costs.high) if one.costs.wasted.currencies else _BARE


def _top(report: WeekReport) -> Iterator[Group]:
    rows = [
        (
            str(run.run),
            clean(run.key.owner) or NOTHING,
            run.key.purpose,
            f"{run.devices} × {clean(run.key.model) or 'GPU'}",
            hours(run.figures.wasted),
            hours(run.longest),
            _worth(run.figures),
            "runs" if run.end is None else short_stamp(run.end, report.context.zone),
        )
        for run in report.top
    ]
    columns = ("allocation", "owner", "class", "GPUs", "wasted", "longest h", "costs", "ended")
    if rows:
        yield table("Allocations that wasted most, or may have", columns, rows, words=3)


def _actions(report: WeekReport) -> Iterator[Group]:
    if not report.actions:
        return
    counts = ", ".join(f"{number} × {clean(kind)}" for kind, number in report.actions.items())
    zone = report.context.zone
    names = {run.run.key: str(run.run) for run in report.accounts.runs}
    latest = (
        f"{short_stamp(event.at, zone)}  {clean(event.kind)}{_whose(event, names)}: "
        f"{clean(event.text)}"
        for event in report.latest
    )
    yield lines("What happened", (counts, *latest))


def _whose(event: Event, names: Mapping[str, str]) -> str:
    """Return the allocation that an event is about, where its text does not name it."""
    name = names.get(event.run_key, "")
    return f" of {clean(name)}" if name and name not in event.text else ""


def _quality(report: WeekReport) -> Iterable[str]:
    total = report.total
    yield f"unseen {hours(total.unknown)} of {hours(total.allocated)} held GPU-h"
    if total.joined:
        what = "seen idle in stretches that unseen minutes cut too short, in the high end alone"
        yield f"{what}: {hours(total.joined)} GPU-h"
    if total.unpriced:
        models = ", ".join(clean(name) for name in definitions.bare(report))
        yield f"without a price {hours(total.unpriced)} GPU-h: {models}"
    if total.one_witness:
        yield f"idle by one witness only, not counted as wasted: {hours(total.one_witness)} GPU-h"
    if total.engine_only:
        yield f"engine busy without any work, inside low: {hours(total.engine_only)} GPU-h"
    if report.accounts.begin > report.asked[0]:
        yield f"the books begin on {stamp(report.accounts.begin, report.context.zone)}"
    yield from quality.looks(report)
    if report.compared is not None:
        yield quality.reconciled(report.compared)
    for finding in report.accounts.findings:
        yield f"{clean(finding.subject)}: {clean(finding.text)} ({hours(finding.seconds)} GPU-h)"
