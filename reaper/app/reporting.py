"""The report of this week so far, from a configuration and a store: for the API and the command."""

from zoneinfo import ZoneInfo

from reaper.config import Configuration
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.money.ledger import Terms
from reaper.ports import Store
from reaper.reports.week import Context, WeekReport, week_report


def context(configuration: Configuration, *, pace: Pace = NORMAL) -> Context:
    """Return what a report is told beside the books."""
    return Context(
        cluster=configuration.cluster,
        zone=ZoneInfo(configuration.zone),
        zone_name=configuration.zone,
        terms=Terms(rates=configuration.rates, waits=configuration.waits, pace=pace),
        places=configuration.places,
        policies=tuple(f"{policy.name} {policy.version}" for policy in configuration.policies),
    )


async def this_week(store: Store, told: Context, *, now: float) -> WeekReport:
    """Return the report of this week so far."""
    async with store.reading() as books:
        return await week_report(books, told, now=now)


async def written(store: Store, told: Context, *, now: float, form: str) -> str:
    """Return that report written as text, json or csv."""
    from reaper.reports.pages import PAGES

    return PAGES[form](await this_week(store, told, now=now))
