"""
Charges: what a run held of a device in one state, in one piece of a day with one price.

Pieces end at midnight UTC and wherever a price changes, so that quantity times price is the cost.
"""

from asyncio import to_thread
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from reaper.domain.money.account import account
from reaper.domain.money.booking import Prices
from reaper.domain.money.figures import ALLOCATED
from reaper.domain.money.ledger import Ledger, RunFigures
from reaper.domain.money.spans import Span
from reaper.domain.prices.rates import Rate, Subject
from reaper.ports import Books
from reaper.reports import reading
from reaper.reports.week import Context

_DAY = 86400.0

#: Device-seconds below which there is nothing to charge.
_CRUMB = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """One row: device-seconds of one state, of which so many were wasted, at one rate or none."""

    begin: float
    end: float
    run: RunFigures
    state: str
    seconds: float
    wasted: float
    rate: Rate | None

    @property
    def device(self) -> str:
        """Return the device."""
        return self.run.gpu


async def charges(books: Books, context: Context, span: Span, *, now: float) -> tuple[Charge, ...]:
    """Return the charges of a span as known `now`."""
    ledger = await reading.read(
        books, span, now=now, cluster=context.cluster, terms=context.terms, places=context.places
    )
    begin = reading.opened(ledger, span)
    known = reading.newest(ledger, now, context.terms)
    end = max(begin, min(span[1], known))
    return await to_thread(charged, ledger, context, (begin, end), known)


def charged(ledger: Ledger, context: Context, span: Span, known: float) -> tuple[Charge, ...]:
    """Return the charges of a span from the books around it, in order of time and device."""
    return tuple(
        charge
        for piece in _pieces(context, span)
        for charge in _of_piece(ledger, context, piece, known)
    )


def _pieces(context: Context, span: Span) -> Iterator[Span]:
    first, last = int(span[0] // _DAY), int(span[1] // _DAY)
    midnights = {day * _DAY for day in range(first, last + 1)}
    rates = context.terms.rates.rates
    changes = {at for rate in rates for at in (rate.begin, rate.end) if at is not None}
    inner = sorted(at for at in midnights | changes if span[0] < at < span[1])
    yield from pairwise([span[0], *inner, span[1]])


def _of_piece(ledger: Ledger, context: Context, piece: Span, known: float) -> Iterator[Charge]:
    begin, end = piece
    found = account(ledger, begin=begin, end=end, as_of=known, terms=context.terms, by_device=True)
    prices = Prices(context.terms.rates, context.places, begin, end)
    for run in sorted(found.runs, key=lambda one: (one.gpu, one.run)):
        rate = _rate(run, context, prices, begin)
        for state in ALLOCATED:
            seconds = getattr(run.figures, state)
            if seconds > _CRUMB:
                wasted = run.figures.wasted if state == "idle" else 0.0
                yield Charge(
                    begin=begin,
                    end=end,
                    run=run,
                    state=state,
                    seconds=seconds,
                    wasted=wasted,
                    rate=rate,
                )


def _rate(run: RunFigures, context: Context, prices: Prices, at: float) -> Rate | None:
    place = prices.place(run.nodes[0]) if run.nodes else None
    subject = Subject(
        model=run.key.model,
        site=place.site if place else "",
        partition=run.key.partition,
        labels=place.labels if place else (),
    )
    return context.terms.rates.price(subject, at)
