"""Reports from a configuration and a store: for the API, the command, and whoever they go to."""

from asyncio import Lock, to_thread
from dataclasses import replace
from typing import Final
from zoneinfo import ZoneInfo

from reaper.config import Configuration
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.money.calendar import week_named, week_of
from reaper.domain.money.ledger import Terms
from reaper.ports import Store
from reaper.reports.audience import extract, veiled
from reaper.reports.languages import tongue
from reaper.reports.past import of_week
from reaper.reports.week import Context, WeekReport
from reaper.web.json_api.asks import FOR_OPERATORS, ReportAsk
from reaper.web.json_api.routes import NoReportError


def context(configuration: Configuration, *, pace: Pace = NORMAL) -> Context:
    """Return what a report is told beside the books."""
    return Context(
        cluster=configuration.cluster,
        zone=ZoneInfo(configuration.zone),
        zone_name=configuration.zone,
        terms=Terms(rates=configuration.rates, waits=configuration.waits, pace=pace),
        places=configuration.places,
        policies=tuple(
            f"{policy.name} {policy.version} ({policy.mode})" for policy in configuration.policies
        ),
        exemptions=tuple(item.until for item in configuration.exemptions),
        least=configuration.report.least_gpu_hours * 3600.0,
        tongue=tongue(configuration.report.language),
        page=f"{(configuration.web.address or f'http://{configuration.web.listen}').rstrip('/')}/",
    )


async def asked(store: Store, told: Context, ask: ReportAsk, *, now: float) -> WeekReport:
    """Return the report that somebody asks for; raise NoReportError where there is none."""
    told = replace(told, tongue=tongue(ask.language)) if ask.language else told
    async with store.reading() as books:
        try:
            report = await of_week(books, told, ask.week, now=now)
        except ValueError as error:
            raise NoReportError(str(error)) from error
    if ask.team is None:
        return report if ask.names or ask.form in FOR_OPERATORS else veiled(report)
    teams = {line.name for line in report.by("team")}
    if ask.team not in teams:
        known = ", ".join(sorted(name or "none" for name in teams)) or "nobody"
        raise NoReportError(f"no team {ask.team!r} held a GPU in {report.week}: {known} did")
    return extract(report, ask.team)


async def written(store: Store, told: Context, *, now: float, ask: ReportAsk) -> str:
    """Return a report written in the form that was asked for."""
    if ask.form in ("focus", "focus-1.3"):
        return await _focus(store, told, now=now, ask=ask)
    from reaper.reports.pages import PAGES

    return PAGES[ask.form](await asked(store, told, ask, now=now))


async def printed(store: Store, told: Context, *, now: float, ask: ReportAsk) -> bytes:
    """Return a report as PDF, one at a time; raise NoReportError where none can be made here."""
    from reaper.reports import pdf

    page = await written(store, told, now=now, ask=ask.model_copy(update={"form": "html"}))
    try:
        async with _PRESS:
            return await to_thread(pdf.render, page)
    except pdf.PdfError as error:
        raise NoReportError(str(error)) from error


#: A page takes seconds of a core to print: whoever asks meanwhile waits.
_PRESS: Final = Lock()


async def _focus(store: Store, told: Context, *, now: float, ask: ReportAsk) -> str:
    from reaper.reports.focus.charge import charges
    from reaper.reports.focus.page import render

    try:
        week = week_named(ask.week, told.zone) if ask.week else week_of(now, told.zone)
    except ValueError as error:
        raise NoReportError(str(error)) from error
    async with store.reading() as books:
        found = await charges(books, told, (week.begin, min(week.end, now)), now=now)
    if ask.team is not None:
        found = tuple(one for one in found if one.run.key.team == ask.team)
    version = "1.3" if ask.form == "focus-1.3" else "1.2"
    return render(found, told, version=version, names=ask.names)
