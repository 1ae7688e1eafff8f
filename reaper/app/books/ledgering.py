"""The slow work on the books, put together: closing, summing for the metrics, handing over."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from reaper.app.books.bookkeeping import Bookkeeper
from reaper.app.books.delivering import delivery
from reaper.app.books.handing import Clerk
from reaper.app.books.reporting import context
from reaper.app.books.summing import Summing
from reaper.app.parts import Adapters, Parts
from reaper.app.past.reconciling import Comparer
from reaper.config import Configuration


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookkeeping:
    """Who closes weeks, sums them for the metrics, and hands their reports over."""

    bookkeeper: Bookkeeper
    summing: Summing
    clerk: Clerk

    @property
    def chores(self) -> Mapping[str, Callable[[], Awaitable[object]]]:
        """Return their turns, by what they do."""
        return {"close weeks": self._books, "sum weeks": self.summing.turn}

    async def _books(self) -> None:
        if await self.bookkeeper.turn():
            self.summing.again()
            self.clerk.again()
        await self.clerk.turn()


def bookkeeping(configuration: Configuration, parts: Parts, built: Adapters) -> Bookkeeping:
    """Put them together under a leader's epoch."""
    told = context(configuration, pace=parts.rules.pace)
    settings = configuration.report
    chosen = delivery(configuration, built, parts.clock)
    return Bookkeeping(
        bookkeeper=Bookkeeper(
            store=parts.store,
            clock=parts.clock,
            epoch=parts.epoch,
            context=told,
            after=settings.close_after,
            comparer=_comparer(configuration, parts, built),
        ),
        summing=Summing(store=parts.store, clock=parts.clock, context=told),
        clerk=Clerk(
            store=parts.store,
            clock=parts.clock,
            epoch=parts.epoch,
            context=told,
            recipients=chosen.recipients,
            further=chosen.further,
        ),
    )


def _comparer(configuration: Configuration, parts: Parts, built: Adapters) -> Comparer | None:
    """Return what compares with the first platform that keeps books; None where none does."""
    for name, recorded in built.recorded.items():
        zone = configuration.zone
        return Comparer(store=parts.store, source=name, recorded=recorded, zone=zone)
    return None
