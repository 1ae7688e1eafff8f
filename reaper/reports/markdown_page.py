"""The report for a chat channel, in Slack's own markup: what fits into one message, no table."""

from collections.abc import Callable, Iterator
from typing import Final

from reaper.domain.money.proposals import Proposal, propose
from reaper.reports import shares
from reaper.reports.story import comparison, headline, what_came_back
from reaper.reports.week import WeekReport
from reaper.reports.words import clean, hours, model, money, money_range, part, percent

#: Characters that Slack shows in one section of a message.
LONGEST: Final = 3000

#: How a sentence is said.
Say = Callable[..., str]

#: Teams that are named.
_TEAMS: Final = 3


def render(report: WeekReport) -> str:
    """Return the report as a message."""
    text = "\n".join(_lines(report))
    return (text if len(text) <= LONGEST else f"{text[: LONGEST - 2]}…") + "\n"


def _lines(report: WeekReport) -> Iterator[str]:
    total, say = report.total, report.context.tongue.text
    yield f"*{_title(report, say)}*"
    wasted, worth = headline(report)
    yield f"*{wasted}*: {worth}; {say('coverage', share=percent(total.coverage))}"
    yield comparison(report)
    yield from what_came_back(report)
    if total.idle_while_waiting:
        waited = say("gpu_h", hours=hours(total.idle_while_waiting))
        yield f"{say('idle_waiting')}: *{waited}*{_wait(report)}"
    listed = [cell for cell in shares.cells(report) if not cell.others and cell.figures.idle]
    if listed:
        yield ""
        yield f"*{say('costs_most')}*"
        yield from (_cell(cell, say) for cell in listed[:_TEAMS])
    yield from _proposals(report)


def _title(report: WeekReport, say: Say) -> str:
    of = say("title", cluster=_safe(report.context.cluster))
    team = "" if report.team is None else say("title_team", team=_safe(report.team) or say("none"))
    so_far = "" if report.whole else f" {say('so_far')}"
    return f"{of}{team}{say('title_week', week=report.week)}{so_far}"


def _wait(report: WeekReport) -> str:
    wait, tongue = report.conduct.queue_wait, report.context.tongue
    return "" if wait is None else tongue.text("had_waited", span=tongue.clocked(wait))


def _cell(cell: shares.Cell, say: Say) -> str:
    one = cell.figures
    cost = money(one.costs.idle) if one.costs.idle.currencies else say("unpriced")
    share = percent(part(one.idle, one.allocated))
    team = _safe(cell.team) or say("no_team")
    card = _safe(model(cell.model)) or say("unknown")
    told = say(
        "idle_of_team", team=team, model=card, hours=hours(one.idle), share=share, amount=cost
    )
    return f"• {told}"


def _proposals(report: WeekReport) -> Iterator[str]:
    found = propose(report.accounts) if report.team is None else ()
    tongue = report.context.tongue
    if found:
        yield ""
        yield f"*{tongue.text('proposals')}*"
    for number, one in enumerate(found, start=1):
        title, why = (_safe(tongue.phrase(text)) for text in (one.title, one.arithmetic))
        yield f"{number}. {title}{_returned(one, tongue.text)}. {why}."


def _returned(one: Proposal, say: Say) -> str:
    if not one.seconds:
        return ""
    worth = say("worth", amount=money_range(one.worth, one.worth)) if one.worth.currencies else ""
    return f"{say('would_return', hours=hours(one.seconds))}{worth}{say('a_week')}"


def _safe(text: str) -> str:
    """Return a name that Slack takes for text: no markup, no mention, one line."""
    escaped = clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace("*", "∗").replace("`", "'")
