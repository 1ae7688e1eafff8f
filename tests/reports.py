"""Reports made from books in memory."""

from datetime import UTC, tzinfo

from reaper.domain.money.ledger import Ledger, Terms
from reaper.domain.money.spans import Span
from reaper.reports.week import Context, WeekReport, week_report
from reaper.store.memory import MemoryStore


def context(terms: Terms, *, zone: tzinfo = UTC, **fields: object) -> Context:
    """Give the context of an invented cluster."""
    return Context(cluster="alpha", zone=zone, zone_name=str(zone), terms=terms, **fields)


async def stored(ledger: Ledger, terms: Terms) -> MemoryStore:
    """Write a ledger into a store."""
    store = MemoryStore(cluster="alpha", pace=terms.pace)
    epoch = await store.lead("test", 0.0)
    async with store.transaction(epoch) as books:
        await books.keep_tenures(ledger.tenures)
        await books.keep_capacity(ledger.capacity)
        await books.append_events(ledger.events)
        await books.append_minutes(ledger.tracks)
        for point in ledger.demand:
            await books.append_demand(point)
    return store


async def reported(
    ledger: Ledger, terms: Terms, *, now: float, span: Span | None = None, **fields: object
) -> WeekReport:
    """Give the report of a ledger that went through a store."""
    store = await stored(ledger, terms)
    async with store.reading() as books:
        return await week_report(books, context(terms, **fields), now=now, span=span)
