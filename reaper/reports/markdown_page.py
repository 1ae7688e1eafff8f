"""The report for a chat channel, in Slack's own markup: what fits into one message, no table."""

from collections.abc import Iterator
from typing import Final

from reaper.domain.money.proposals import propose
from reaper.reports import shares
from reaper.reports.story import comparison, headline, what_came_back
from reaper.reports.week import WeekReport
from reaper.reports.words import clean, hours, lasting, model, money, money_range, part, percent

#: Characters that Slack shows in one section of a message.
LONGEST: Final = 3000

#: Teams that are named.
_TEAMS: Final = 3


def render(report: WeekReport) -> str:
    """Return the report as a message."""
    text = "\n".join(_lines(report))
    return (text if len(text) <= LONGEST else f"{text[: LONGEST - 2]}…") + "\n"


def _lines(report: WeekReport) -> Iterator[str]:
    total = report.total
    team = "" if report.team is None else f", team {_safe(report.team) or 'none'}"
    so_far = "" if report.whole else " so far"
    yield f"*GPU report {_safe(report.context.cluster)}{team}, week {report.week}{so_far}*"
    wasted, worth = headline(report)
    yield f"*{wasted}*: {worth}; coverage {percent(total.coverage)}"
    yield comparison(report)
    yield from what_came_back(report)
    if total.idle_while_waiting:
        yield f"Idle while jobs waited: *{hours(total.idle_while_waiting)} GPU-h*{_wait(report)}"
    listed = [cell for cell in shares.cells(report) if not cell.others and cell.figures.idle]
    if listed:
        yield ""
        yield "*Idle time that costs most*"
        yield from (_cell(cell) for cell in listed[:_TEAMS])
    yield from _proposals(report)


def _wait(report: WeekReport) -> str:
    wait = report.conduct.queue_wait
    return "" if wait is None else f"; jobs that began had waited {lasting(wait)} in the median"


def _cell(cell: shares.Cell) -> str:
    one = cell.figures
    cost = money(one.costs.idle) if one.costs.idle.currencies else "unpriced"
    share = percent(part(one.idle, one.allocated))
    name = f"{_safe(cell.team) or 'no team'} on {_safe(model(cell.model)) or 'unknown'}"
    return f"• {name}: {hours(one.idle)} GPU-h idle ({share}) = {cost}"


def _proposals(report: WeekReport) -> Iterator[str]:
    found = propose(report.accounts) if report.team is None else ()
    if found:
        yield ""
        yield "*Proposals*"
    for number, one in enumerate(found, start=1):
        worth = f" = {money_range(one.worth, one.worth)}" if one.worth.currencies else ""
        returned = f": at least {hours(one.seconds)} GPU-h{worth} a week" if one.seconds else ""
        yield f"{number}. {_safe(one.title)}{returned}. {_safe(one.arithmetic)}."


def _safe(text: str) -> str:
    """Return a name that Slack takes for text: no markup, no mention, one line."""
    escaped = clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace("*", "∗").replace("`", "'")
