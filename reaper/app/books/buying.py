"""Buy or rent from the books: the demand of whole weeks, and the prices of the configuration."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import floor
from zoneinfo import ZoneInfo

from reaper.config import Configuration
from reaper.domain.audit.filling import Stated
from reaper.domain.audit.filling import at as stated_at
from reaper.domain.audit.jobs import Records, single
from reaper.domain.buying.mixes import (
    FIXED,
    Curve,
    Holding,
    Plan,
    Prices,
    cheapest,
    curves,
    hourly,
    offered,
    plan,
    waited,
)
from reaper.domain.money.calendar import Week, week_of
from reaper.domain.money.entries import CapacitySpan
from reaper.domain.prices.rates import CASH_KINDS, Kind, Rate
from reaper.ports import Books, ReaperError, Store, WrongError
from reaper.reports.buying_page import BuyOrRent, Wasted


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked: how many weeks back, spot prices too, prices in place of the card's."""

    weeks: int = 4
    spot: bool = False
    own: Decimal | None = None
    rent: Decimal | None = None
    capacity: tuple[Stated, ...] = ()
    """What there is, in place of the inventory."""


async def buy_or_rent(
    store: Store, configuration: Configuration, asked: Asked, *, now: float
) -> BuyOrRent:
    """Return the plans of every model; raise ReaperError where the books hold no whole hour."""
    zone = ZoneInfo(configuration.zone)
    last = week_of(now, zone)
    weeks = [last.shifted(-back) for back in range(asked.weeks, 0, -1)]
    begin = weeks[0].begin if weeks else last.begin
    async with store.reading() as books:
        capacity = await books.capacity(begin, now)
        opened = min((one.begin for one in capacity), default=now)
        # Weeks that are over, or what there is of the first one where none is yet.
        end = last.begin if opened < last.begin - 3600 else now
        span = (max(begin, opened), end)
        if span[1] - span[0] < 3600:
            raise ReaperError("the books hold no whole hour yet: ask again when they do")
        tenures = await books.tenures(*span)
        demand = await books.demand(floor(span[0] / 60), floor(span[1] / 60))
        wasted = await _wasted(books, configuration.zone, weeks)
    plans, without = _plans(hourly(tenures, span).values(), capacity, configuration, asked, span[1])
    return BuyOrRent(
        cluster=configuration.cluster,
        begin=span[0],
        end=span[1],
        zone=zone,
        plans=plans,
        without=without,
        waiting=waited(demand, span),
        wasted=wasted,
    )


def from_files(files: Sequence[Records], configuration: Configuration, asked: Asked) -> BuyOrRent:
    """
    Return the plans for what recorded jobs held.

    Raises WrongError for a file that holds none, ReaperError for records that cannot be read.
    """
    if unread := [str(one) for records in files for one in records.unread if not one.kept]:
        more = f" and {len(unread) - 1} more" if unread[1:] else ""
        kind = WrongError if any(records.foreign for records in files) else ReaperError
        raise kind(f"not everything could be read: {unread[0]}{more}; `audit` lists it")
    jobs = single(job for records in files for job in records.jobs).jobs
    held = [
        Holding(model=job.model, cards=job.cards, begin=job.began, end=job.began + job.seconds)
        for job in jobs
        if job.began is not None and job.cards and job.seconds > 0
    ]
    span = (
        min((one.begin for one in held), default=0.0),
        max((one.end or 0.0 for one in held), default=0.0),
    )
    if span[1] - span[0] < 3600:
        raise ReaperError("the files hold no whole hour of any GPU")
    plans, without = _plans(curves(held, span).values(), (), configuration, asked, span[1])
    return BuyOrRent(
        cluster=configuration.cluster,
        begin=span[0],
        end=span[1],
        zone=ZoneInfo(configuration.zone),
        plans=plans,
        without=without,
    )


def _plans(
    curves: Iterable[Curve],
    capacity: Sequence[CapacitySpan],
    configuration: Configuration,
    asked: Asked,
    at: float,
) -> tuple[tuple[Plan, ...], tuple[tuple[Curve, str], ...]]:
    plans: list[Plan] = []
    without: list[tuple[Curve, str]] = []
    for curve in curves:
        prices = _prices(curve.model, configuration, asked, at)
        if isinstance(prices, Prices):
            there = stated_at(asked.capacity, curve.model, at)
            if there is None:
                there = _installed(curve.model, capacity, at)
            plans.append(plan(curve, prices, installed=None if there is None else round(there)))
        else:
            cure = "write one (docs/rates.md), or say --own and --rent"
            without.append((curve, f"{prices}; {cure}"))
    return tuple(sorted(plans, key=lambda one: -one.curve.total)), tuple(without)


def _prices(model: str, configuration: Configuration, asked: Asked, at: float) -> Prices | str:
    """Return the prices that were given, else those of the card; what is missing where one is."""
    rates = list(offered(configuration.rates.rates, model, at, spot=asked.spot))
    for amount, kind, kinds in (
        (asked.own, Kind.OWNED, FIXED),
        (asked.rent, Kind.ON_DEMAND, CASH_KINDS),
    ):
        if amount is not None:
            others = [rate for rate in rates if rate.kind not in kinds]
            # A price that is given is in the currency of what it is compared with.
            currency = others[0].currency if others else configuration.currency
            note = "as given on the command line"
            rates = [*others, Rate(amount=amount, currency=currency, kind=kind, note=note)]
    return cheapest(rates)


def _installed(model: str, capacity: Sequence[CapacitySpan], at: float) -> int | None:
    """Return how many GPUs of a model the inventory has; None where it calls none so."""
    word = model.lower()
    alike = [
        one
        for one in capacity
        if one.model and (one.model.lower() in word or word in one.model.lower())
    ]
    there = [one for one in alike if one.begin < at and (one.end is None or one.end >= at)]
    return sum(one.gpus for one in there) if there and model else None


async def _wasted(books: Books, zone: str, weeks: Iterable[Week]) -> Mapping[str, Wasted]:
    """Return what was wasted by model in those of the weeks that are closed."""
    held: dict[str, float] = defaultdict(float)
    lost: dict[str, float] = defaultdict(float)
    for week in weeks:
        closed = await books.closed_week(zone, str(week))
        for key, figures in closed.figures.items() if closed else ():
            held[key.model] += figures.allocated
            lost[key.model] += figures.wasted
    return {model: Wasted(held=held[model], wasted=lost[model]) for model in held if held[model]}
