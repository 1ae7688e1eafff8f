"""
Weeks that are over: closed from tracks once, then told from their figures.

A report of a closed week reads figures alone, whatever the size of the cluster; only a week that
was not closed yet is made from its tracks.
"""

from dataclasses import replace

from reaper.domain.money.calendar import Week, week_named, week_of
from reaper.domain.money.closing import Closed, Closing, kept_runs, newest, restatements
from reaper.ports import Books
from reaper.reports.week import Context, WeekReport, week_report

#: Weeks that a trend shows beside its own, and that a quarter can have.
TREND = 13

_DAY = 86400.0


async def closed(books: Books, context: Context, week: Week, *, now: float) -> Closed:
    """Return a week's figures, made from its tracks, as its first closing."""
    report = await week_report(books, context, now=now, span=(week.begin, week.end))
    accounts = report.accounts
    return Closed(
        closing=Closing(
            week=str(week),
            zone=context.zone_name,
            version=1,
            begin=accounts.begin,
            end=accounts.end,
            asked=(week.begin, week.end),
            as_of=accounts.as_of,
            total=accounts.total,
            teams={team: figures for (team,), figures in accounts.by("team").items()},
            terms=context.terms.version,
            rates=context.terms.rates.version if context.terms.rates.rates else "",
            policies=context.policies,
        ),
        figures=accounts.figures,
        runs=kept_runs(accounts.runs),
        findings=accounts.findings,
        tails=accounts.tails,
        conduct=report.conduct,
    )


async def of_week(books: Books, context: Context, name: str, *, now: float) -> WeekReport:
    """
    Return the report of a week by its ISO name, or of this week so far where none is named.

    Raises ValueError for what is no week, and for one that has not begun.
    """
    week = week_named(name, context.zone) if name else week_of(now, context.zone)
    if week.begin > now:
        last = week_of(now, context.zone).shifted(-1)
        raise ValueError(f"{week} has not begun: name an earlier week, for example {last}")
    known = await books.closed_week(context.zone_name, str(week))
    if known is not None:
        return await with_past(books, told(known, context))
    span = (week.begin, week.end) if week.end <= now else None
    return await with_past(books, await week_report(books, context, now=now, span=span))


def told(known: Closed, context: Context) -> WeekReport:
    """Return the report of a closed week."""
    head = known.closing
    return WeekReport(
        context=replace(context, policies=head.policies),
        week=head.week,
        whole=True,
        asked=head.asked,
        accounts=known.accounts,
        actions=known.conduct.actions,
        latest=(),
        conduct=known.conduct,
        version=head.version,
        compared=known.compared,
    )


async def with_past(books: Books, report: WeekReport) -> WeekReport:
    """Return a report with the weeks before it: its trend, the last week, what was restated."""
    zone, begin = report.context.zone_name, report.asked[0]
    heads = await books.closings(zone, begin - TREND * 7 * _DAY - _DAY, begin)
    past = newest(heads)[-TREND:]
    last = str(week_of(begin, report.context.zone).shifted(-1))
    known = await books.closed_week(zone, last) if past and past[-1].week == last else None
    return replace(
        report,
        trend=past,
        before=known.accounts.by("team", "model") if known else {},
        restated=restatements(heads),
    )
