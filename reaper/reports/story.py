"""The sentences of a report that people read first, the same in every form."""

from collections.abc import Iterator
from math import fsum

from reaper.domain.money.figures import Figures
from reaper.reports.languages.tongue import Tongue
from reaper.reports.week import WeekReport
from reaper.reports.words import hours, money, money_range, part, percent

#: Weeks whose mean a week is compared with.
MEAN = 4


def headline(report: WeekReport) -> tuple[str, str]:
    """Return the headline in two parts: how much was wasted, and what that is in money."""
    total, tongue = report.total, report.context.tongue
    share = percent(part(total.wasted, total.allocated))
    wasted = tongue.say("wasted_of", hours(total.wasted), hours(total.allocated), share)
    if report.blind:
        wasted = tongue.say("nothing_seen_of", hours(total.allocated))
    if not total.costs.wasted.currencies:
        return wasted, _at_least(report, tongue.say("no_price_known"))
    return wasted, _at_least(report, money_range(total.costs.wasted, total.costs.high))


def _at_least(report: WeekReport, worth: str) -> str:
    priced = report.total.costs.wasted.currencies
    return report.context.tongue.say("at_least", worth) if report.at_least and priced else worth


def comparison(report: WeekReport) -> str:
    """Return how the week compares with those before; that there are none where that is so."""
    tongue = report.context.tongue
    shares = [_share(head.total) for head in report.trend]
    known = [share for share in shares if share is not None]
    here = _share(report.total)
    if here is None or not known:
        return tongue.say("no_earlier")
    last = _points(here - known[-1], tongue)
    told = tongue.say("than_before", last, percent(known[-1]))
    if len(known) > 1:
        weeks = known[-MEAN:]
        mean = fsum(weeks) / len(weeks)
        points = _points(here - mean, tongue)
        told = tongue.say("and", told, tongue.say("than_mean", points, len(weeks), percent(mean)))
    return tongue.say("share_wasted", told)


def what_came_back(report: WeekReport) -> tuple[str, ...]:
    """Return what releases returned, in one sentence each; that nothing was where that is so."""
    return tuple(_returned(report.total, report.context.tongue))


def _returned(total: Figures, tongue: Tongue) -> Iterator[str]:
    if total.reclaimed:
        yield tongue.say(
            "returned",
            hours(total.reclaimed),
            money(total.costs.reclaimed),
            hours(total.reused),
            money(total.costs.reused),
            money(total.costs.cash),
        )
    if total.given_back:
        yield tongue.say("gave_back", hours(total.given_back))
    if not total.reclaimed and not total.given_back:
        yield tongue.say("nothing_back")


def exempted(report: WeekReport) -> str:
    """Return how many exemptions are in force, and until when."""
    tongue, zone = report.context.tongue, report.context.zone
    ends = [end for end in report.context.exemptions if end is None or end > report.asked[0]]
    dated = sorted(end for end in ends if end is not None)
    first = tongue.say("first_ends", tongue.stamp(dated[0], zone)) if dated else ""
    endless = len(ends) - len(dated)
    forever = tongue.say("endless", endless) if endless else ""
    return tongue.join(", ", (text for text in (str(len(ends)), first, forever) if text))


def _share(figures: Figures) -> float | None:
    return part(figures.wasted, figures.allocated)


def _points(difference: float, tongue: Tongue) -> str:
    points = round(100 * difference, 1)
    if not points:
        return tongue.say("as_high")
    return tongue.say("above" if points > 0 else "below", f"{abs(points):g}")
