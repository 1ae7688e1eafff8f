"""The report as the body of an e-mail: what mail programs show of HTML, no chart and no style."""

from typing import Final

from reaper.domain.money.proposals import propose
from reaper.reports import quality, shares
from reaper.reports.html_page import ENVIRONMENT, marked
from reaper.reports.story import comparison, headline, what_came_back
from reaper.reports.week import WeekReport
from reaper.reports.words import clean, hours, part, percent

#: Teams and models that are listed; the attached report has them all.
ROWS: Final = 8


def subject(report: WeekReport) -> str:
    """Return the line under which the report stands in a mailbox."""
    total = report.total
    share = percent(part(total.wasted, total.allocated))
    return report.context.tongue.text(
        "subject", title=title(report), wasted=hours(total.wasted), share=share
    )


def title(report: WeekReport) -> str:
    """Return what the report is of."""
    say = report.context.tongue.text
    of = say("title", cluster=clean(report.context.cluster))
    team = "" if report.team is None else say("title_team", team=clean(report.team) or say("none"))
    return f"{of}{team}{say('title_week', week=report.week)}"


def render(report: WeekReport) -> str:
    """Return the body as HTML."""
    return _rendered(marked(report), title(report))


def _rendered(report: WeekReport, name: str) -> str:
    return ENVIRONMENT.get_template("mail.html").render(
        report=report,
        context=report.context,
        total=report.total,
        tongue=report.context.tongue,
        say=report.context.tongue.text,
        title=name,
        headline=headline(report),
        comparison=comparison(report),
        back=what_came_back(report),
        cells=shares.cells(report)[:ROWS],
        proposals=propose(report.accounts) if report.team is None else (),
        quality=tuple(quality.lines(report)),
    )
