"""The report as a person reads it in a terminal: headline, identity, whose, what happened, how."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from reaper.domain.money.entries import Event
from reaper.domain.money.figures import Figures
from reaper.languages.catalogue import said
from reaper.reports import definitions, quality
from reaper.reports.languages import Tongue
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
)

#: How a sentence is said.
Say = Callable[..., str]

#: Cells of the bar that stands for the whole calendar.
BAR: Final = 40

_GROUPS: Final = ("owner", "team", "purpose", "model")
_COLUMNS: Final = (
    *("t_held", "t_active", "t_low", "t_idle", "t_unknown", "t_wasted_column"),
    *("t_of_held", "t_costs", "t_seen"),
)


def render(report: WeekReport) -> str:
    """Return the report as plain text."""
    return plain(page(report))


def page(report: WeekReport) -> RenderableType:
    """Return the report for a terminal."""
    say = report.context.tongue.text
    return Group(
        _head(report),
        _identity(report),
        *_groups(report),
        *_top(report),
        *_actions(report),
        lines(say("t_quality"), tuple(_quality(report))),
        lines(say("t_definitions"), definitions.of(report)),
    )


def headline(report: WeekReport) -> tuple[str, ...]:
    """Return the sentences that a person who reads nothing else should read."""
    total, say = report.total, report.context.tongue.text
    share = percent(part(total.wasted, total.allocated))
    worth = money_range(total.costs.wasted, total.costs.high)
    worth = say("at_least", amount=worth) if report.at_least else worth
    wasted = say("t_wasted", wasted=hours(total.wasted), held=hours(total.allocated), share=share)
    if report.blind:
        wasted = say("t_nothing_seen", held=hours(total.allocated))
    return (
        say("t_headline", wasted=wasted, worth=worth, share=percent(total.coverage)),
        *_needless(total, report.context.tongue),
        *_returned(total, report.context.tongue),
    )


def _needless(total: Figures, tongue: Tongue) -> Iterator[str]:
    if total.avoidable:
        yield tongue.text(
            "t_avoidable", hours=hours(total.avoidable), amount=money(total.costs.avoidable)
        )
    if total.idle_while_waiting:
        yield tongue.text("t_idle_waiting", hours=hours(total.idle_while_waiting))


def _returned(total: Figures, tongue: Tongue) -> Iterator[str]:
    costs = total.costs
    if total.reclaimed:
        yield tongue.text(
            "t_reclaimed",
            returned=hours(total.reclaimed),
            worth=money(costs.reclaimed),
            reused=hours(total.reused),
            reused_worth=money(costs.reused),
            cash=money(costs.cash),
        )
    if total.given_back:
        yield tongue.text("t_given_back", hours=hours(total.given_back))
    if not total.reclaimed and not total.given_back:
        yield tongue.text("t_nothing_back")


def _head(report: WeekReport) -> Group:
    accounts, zone, tongue = report.accounts, report.context.zone, report.context.tongue
    say = tongue.text
    week = say("week_of", week=report.week) if report.week else say("t_span")
    so_far = "" if report.whole or not report.week else f" {say('so_far')}"
    title = f"{say('t_title', cluster=clean(report.context.cluster), week=week)}{so_far}"
    span = say(
        "from_to", begin=tongue.stamp(accounts.begin, zone), end=tongue.stamp(accounts.end, zone)
    )
    known = f"{say('as_of', at=tongue.stamp(accounts.as_of, zone))}, "
    known += say("t_zone", zone=report.context.zone_name)
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
    calendar, say = report.total.calendar, report.context.tongue.text
    rows: list[Sequence[str | Text]] = [
        (
            say(f"t_state_{name}"),
            hours(seconds, 3),
            percent(part(seconds, calendar)),
            _bar(seconds, calendar),
        )
        for name, seconds in report.identity
    ]
    columns = (say("t_state"), say("t_gpu_h"), say("t_share"), "")
    equal = say(
        "t_equal",
        states=hours(report.total.states, 3),
        calendar=hours(calendar, 3),
        difference=hours(report.difference, 3),
    )
    return Group(
        table(say("t_where"), columns, rows),
        Text(equal),
        Text(""),
    )


def _bar(seconds: float, calendar: float) -> Text:
    cells = round(BAR * (part(seconds, calendar) or 0.0))
    return Text("█" * cells, style="dim")


def _groups(report: WeekReport) -> Iterator[Group]:
    """Yield a table a field; teams and models only where they differ."""
    say = report.context.tongue.text
    columns = ("", *map(say, _COLUMNS))
    for name in _GROUPS:
        found = report.by(name)
        if len(found) > 1 or (found and name in ("owner", "purpose")):
            rows = [(_called(name, line, say), *_cells(line.figures, say)) for line in found]
            yield table(say(f"t_by_{name}"), columns, rows)


def _called(name: str, line: Line, say: Say) -> str:
    if name == "purpose" and line.name:
        return say(f"class_{line.name}")
    return clean(line.name) or NOTHING


def _cells(one: Figures, say: Say) -> tuple[str, ...]:
    return (
        hours(one.allocated),
        hours(one.active),
        hours(one.low),
        hours(one.idle),
        hours(one.unknown),
        hours(one.wasted),
        percent(part(one.wasted, one.allocated)),
        _worth(one, say),
        percent(one.coverage),
    )


def _worth(one: Figures, say: Say) -> str:
    priced = bool(one.costs.wasted.currencies)
    return money_range(one.costs.wasted, one.costs.high) if priced else say("unpriced")


def _top(report: WeekReport) -> Iterator[Group]:
    say = report.context.tongue.text
    rows = [
        (
            str(run.run),
            clean(run.key.owner) or NOTHING,
            say(f"class_{run.key.purpose}"),
            f"{run.devices} × {clean(run.key.model) or 'GPU'}",
            hours(run.figures.wasted),
            hours(run.longest),
            _worth(run.figures, say),
            _until(run.end, report),
        )
        for run in report.top
    ]
    columns = [
        *("t_allocation", "t_owner", "t_class", "t_gpus", "t_wasted_column"),
        *("t_longest", "t_costs", "t_ended"),
    ]
    if rows:
        yield table(say("top"), tuple(map(say, columns)), rows, words=3)


def _until(end: float | None, report: WeekReport) -> str:
    tongue = report.context.tongue
    return tongue.text("t_runs") if end is None else tongue.short_stamp(end, report.context.zone)


def _actions(report: WeekReport) -> Iterator[Group]:
    if not report.actions:
        return
    tongue, zone = report.context.tongue, report.context.zone
    counts = ", ".join(
        f"{number} × {tongue.phrase(clean(kind))}" for kind, number in report.actions.items()
    )
    names = {run.run.key: str(run.run) for run in report.accounts.runs}
    latest = (
        f"{tongue.short_stamp(event.at, zone)}  {tongue.phrase(clean(event.kind))}"
        f"{_whose(event, names, tongue)}: {tongue.phrase(event.text)}"
        for event in report.latest
    )
    yield lines(tongue.text("t_happened"), (counts, *latest))


def _whose(event: Event, names: Mapping[str, str], tongue: Tongue) -> str:
    """Return the allocation that an event is about, where its text does not name it."""
    name = names.get(event.run_key, "")
    named = name in said(event.text)
    return tongue.text("t_of", owner=clean(name)) if name and not named else ""


def _quality(report: WeekReport) -> Iterable[str]:
    total, tongue = report.total, report.context.tongue
    say = tongue.text
    yield say("t_unseen", unseen=hours(total.unknown), held=hours(total.allocated))
    if total.joined:
        yield say("t_joined", hours=hours(total.joined))
    if total.unpriced:
        models = ", ".join(clean(name) for name in definitions.bare(report))
        yield say("t_without_price", hours=hours(total.unpriced), models=models)
    if total.one_witness:
        yield say("t_one_witness", hours=hours(total.one_witness))
    if total.engine_only:
        yield say("t_engine_only", hours=hours(total.engine_only))
    if report.accounts.begin > report.asked[0]:
        yield say("t_books_begin", at=tongue.stamp(report.accounts.begin, report.context.zone))
    yield from quality.looks(report)
    if report.compared is not None:
        yield quality.reconciled(report.compared, tongue)
    for finding in report.accounts.findings:
        text = tongue.phrase(clean(finding.text))
        yield say(
            "t_finding", subject=clean(finding.subject), finding=text, hours=hours(finding.seconds)
        )
