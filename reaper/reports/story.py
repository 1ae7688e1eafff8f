"""The sentences of a report that people read first, the same in every form."""

from collections.abc import Iterator
from math import fsum

from reaper.domain.money.figures import Figures
from reaper.reports.week import WeekReport
from reaper.reports.words import hours, money, money_range, part, percent, stamp

#: Weeks whose mean a week is compared with.
MEAN = 4


def headline(report: WeekReport) -> tuple[str, str]:
    """Return the headline in two parts: how much was wasted, and what that is in money."""
    total = report.total
    share = percent(part(total.wasted, total.allocated))
    wasted = f"{hours(total.wasted)} of {hours(total.allocated)} held GPU-hours wasted ({share})"
    if report.blind:
        wasted = f"Nothing was seen of {hours(total.allocated)} held GPU-hours: waste is not known"
    low = "at least " if report.at_least else ""
    worth = money_range(total.costs.wasted, total.costs.high)
    return wasted, f"{low}{worth}" if total.costs.wasted.currencies else "without a price"


def comparison(report: WeekReport) -> str:
    """Return how the week compares with those before; that there are none where that is so."""
    shares = [_share(head.total) for head in report.trend]
    known = [share for share in shares if share is not None]
    here = _share(report.total)
    if here is None or not known:
        return "No earlier week to compare with."
    words = [f"{_points(here - known[-1])} the week before ({percent(known[-1])})"]
    if len(known) > 1:
        mean = fsum(known[-MEAN:]) / len(known[-MEAN:])
        words.append(
            f"{_points(here - mean)} the mean of the last {len(known[-MEAN:])} ({percent(mean)})"
        )
    return f"The share wasted is {' and '.join(words)}."


def what_came_back(report: WeekReport) -> tuple[str, ...]:
    """Return what releases returned, in one sentence each; that nothing was where that is so."""
    return tuple(_returned(report.total))


def _returned(total: Figures) -> Iterator[str]:
    if total.reclaimed:
        yield (
            f"Releases returned at most {hours(total.reclaimed)} GPU-hours "
            f"({money(total.costs.reclaimed)}); others put at least {hours(total.reused)} of them "
            f"to work ({money(total.costs.reused)}); cash saved {money(total.costs.cash)}."
        )
    if total.given_back:
        yield f"Owners gave back {hours(total.given_back)} GPU-hours themselves."
    if not total.reclaimed and not total.given_back:
        yield "Nothing was released, nothing given back."


def exempted(report: WeekReport) -> str:
    """Return how many exemptions are in force, and until when."""
    ends = [end for end in report.context.exemptions if end is None or end > report.asked[0]]
    dated = sorted(end for end in ends if end is not None)
    first = f"the first ends {stamp(dated[0], report.context.zone)}" if dated else ""
    endless = len(ends) - len(dated)
    forever = f"{endless} without an end" if endless else ""
    return ", ".join(text for text in (str(len(ends)), first, forever) if text)


def _share(figures: Figures) -> float | None:
    return part(figures.wasted, figures.allocated)


def _points(difference: float) -> str:
    points = round(100 * difference, 1)
    if not points:
        return "as high as in"
    return f"{abs(points):g} points {'above' if points > 0 else 'below'}"
