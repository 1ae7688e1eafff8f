"""The sentences of a report that people read first, the same in every form."""

from collections.abc import Iterator
from math import fsum

from reaper.domain.money.figures import Figures
from reaper.reports.languages import Tongue
from reaper.reports.week import WeekReport
from reaper.reports.words import hours, money, money_range, part, percent

#: Weeks whose mean a week is compared with.
MEAN = 4


def headline(report: WeekReport) -> tuple[str, str]:
    """Return the headline in two parts: how much was wasted, and what that is in money."""
    total, tongue = report.total, report.context.tongue
    share = percent(part(total.wasted, total.allocated))
    wasted = tongue.text(
        "wasted_of", wasted=hours(total.wasted), held=hours(total.allocated), share=share
    )
    if report.blind:
        wasted = tongue.text("nothing_seen_of", held=hours(total.allocated))
    if not total.costs.wasted.currencies:
        return wasted, _at_least(report, tongue.text("no_price_known"))
    return wasted, _at_least(report, money_range(total.costs.wasted, total.costs.high))


def _at_least(report: WeekReport, worth: str) -> str:
    priced = report.total.costs.wasted.currencies
    return (
        report.context.tongue.text("at_least", amount=worth)
        if report.at_least and priced
        else worth
    )


def comparison(report: WeekReport) -> str:
    """Return how the week compares with those before; that there are none where that is so."""
    tongue = report.context.tongue
    shares = [_share(head.total) for head in report.trend]
    known = [share for share in shares if share is not None]
    here = _share(report.total)
    if here is None or not known:
        return tongue.text("no_earlier")
    last = _points(here - known[-1], tongue)
    told = tongue.text("than_before", points=last, share=percent(known[-1]))
    if len(known) > 1:
        weeks = known[-MEAN:]
        mean = fsum(weeks) / len(weeks)
        points = _points(here - mean, tongue)
        told = tongue.text(
            "and",
            one=told,
            other=tongue.text("than_mean", points=points, weeks=len(weeks), share=percent(mean)),
        )
    return tongue.text("share_wasted", compared=told)


def what_came_back(report: WeekReport) -> tuple[str, ...]:
    """Return what releases returned, in one sentence each; that nothing was where that is so."""
    return tuple(_returned(report.total, report.context.tongue))


def _returned(total: Figures, tongue: Tongue) -> Iterator[str]:
    if total.reclaimed:
        yield tongue.text(
            "returned",
            returned=hours(total.reclaimed),
            worth=money(total.costs.reclaimed),
            reused=hours(total.reused),
            reused_worth=money(total.costs.reused),
            cash=money(total.costs.cash),
        )
    if total.given_back:
        yield tongue.text("gave_back", hours=hours(total.given_back))
    if not total.reclaimed and not total.given_back:
        yield tongue.text("nothing_back")


def exempted(report: WeekReport) -> str:
    """Return how many exemptions are in force, and until when."""
    tongue, zone = report.context.tongue, report.context.zone
    ends = [end for end in report.context.exemptions if end is None or end > report.asked[0]]
    dated = sorted(end for end in ends if end is not None)
    first = tongue.text("first_ends", at=tongue.stamp(dated[0], zone)) if dated else ""
    endless = len(ends) - len(dated)
    forever = tongue.text("endless", number=endless) if endless else ""
    return tongue.join(", ", (text for text in (str(len(ends)), first, forever) if text))


def _share(figures: Figures) -> float | None:
    return part(figures.wasted, figures.allocated)


def _points(difference: float, tongue: Tongue) -> str:
    points = round(100 * difference, 1)
    if not points:
        return tongue.text("as_high")
    return tongue.text("above" if points > 0 else "below", points=f"{abs(points):g}")
