"""Buy or rent, as text and as JSON: each model's mixes with their costs and assumptions."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from decimal import Decimal
from typing import Any, Final

from reaper.domain.buying.mixes import COMMON, STEADY, Curve, Mix, Plan
from reaper.reports.layout import lines, plain, table
from reaper.reports.words import NOTHING, clean, euros, iso, percent, stamp

ASSUMPTIONS: Final = (
    "demand is what was held, idle time included: waste that is freed first is no demand",
    "an hour counts with its mean; rented GPUs are there at once and paid for what they are used",
    "one's own cost every hour, used or not; the span stands for the years to come",
    "break-even: the part of the time in use from which on a GPU of one's own is cheaper",
    f"steady base: held in {100 * STEADY:g} of 100 hours; common peak: enough in {100 * COMMON:g}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wasted:
    """Of one model in weeks that are closed: card-seconds held, and wasted of them."""

    held: float = 0.0
    wasted: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyOrRent:
    """What is told of a span: a plan for each model with both prices, why not for the others."""

    cluster: str
    begin: float
    end: float
    zone: tzinfo
    plans: tuple[Plan, ...]
    without: tuple[tuple[Curve, str], ...] = ()
    """Models without a plan, and why."""
    waiting: float = 0.0
    """GPU-hours that requests waited for, of whatever model."""
    wasted: Mapping[str, Wasted] = field(default_factory=dict)


def text(told: BuyOrRent) -> str:
    """Return it as plain text."""
    span = f"{stamp(told.begin, told.zone)} to {stamp(told.end, told.zone)}"
    pages = [lines(f"Buy or rent for {clean(told.cluster)}, {span}", tuple(_head(told)))]
    for plan in told.plans:
        title = clean(plan.curve.model) or "unknown model"
        pages.append(lines(title, tuple(_sentences(plan, told))))
        columns = ("mix", "owned", "used", "owned idle GPU-h", "rented GPU-h", "cost")
        rows = [_row(one, plan) for one in plan.mixes]
        pages.append(table(f"{title}: what each mix would have cost", columns, rows))
    pages.append(lines("Assumptions", ASSUMPTIONS))
    return "\n".join(plain(page) for page in pages)


def to_json(told: BuyOrRent) -> str:
    """Return it as indented JSON; hours are GPU-hours, amounts exact texts."""
    values: dict[str, Any] = {
        "cluster": told.cluster,
        "begin": iso(told.begin),
        "end": iso(told.end),
        "waiting_gpu_hours": round(told.waiting, 3),
        "models": [_plan(plan) for plan in told.plans],
        "without": [
            {"model": curve.model, "gpu_hours": round(curve.total, 3), "why": why}
            for curve, why in told.without
        ],
        "assumptions": list(ASSUMPTIONS),
    }
    return json.dumps(values, indent=1, ensure_ascii=False) + "\n"


PAGES: Final[Mapping[str, Callable[[BuyOrRent], str]]] = {"text": text, "json": to_json}
"""Every form in which it is written."""


def _head(told: BuyOrRent) -> Iterator[str]:
    hours = max((len(plan.curve.hours) for plan in told.plans), default=0)
    yield f"{hours or (told.end - told.begin) / 3600:,.0f} hours of the books"
    if told.waiting:
        yield (
            f"requests waited for {told.waiting:,.1f} GPU-h more; they do not always say which "
            "model, so no curve has them"
        )
    for curve, why in told.without:
        name = clean(curve.model) or "unknown model"
        yield f"no plan for {name}, {curve.total:,.1f} GPU-h: {why}"


def _sentences(plan: Plan, told: BuyOrRent) -> Iterator[str]:
    curve, prices = plan.curve, plan.prices
    yield (
        f"held: {curve.held_for(STEADY):,.1f} GPUs steadily, {curve.mean:,.1f} in the mean, "
        f"{curve.peak:,.1f} at the peak; {curve.total:,.1f} GPU-h"
    )
    yield f"own {prices.own:f} {prices.currency} a GPU-hour ({clean(prices.own_why)})"
    yield f"rent {prices.rent:f} {prices.currency} a GPU-hour ({clean(prices.rent_why)})"
    parts = f"{prices.own:f} / {prices.rent:f} = {100 * prices.break_even:.1f} %"
    yield f"break-even: a GPU of one's own must be in use for {parts} of the time"
    best = plan.best
    yield f"cheapest: own {best.owned:,}, rent the rest: {_money(best.cost, plan)}"
    if plan.installed is not None:
        yield f"installed: {plan.installed:,}"
    waste = told.wasted.get(curve.model)
    if waste is not None and waste.wasted:
        share = percent(waste.wasted / waste.held)
        gpus = waste.wasted / waste.held * curve.mean
        yield f"wasted of what was held: {share}, as much as {gpus:,.1f} GPUs all the time"


def _row(one: Mix, plan: Plan) -> tuple[str, ...]:
    return (
        one.name,
        f"{one.owned:,}",
        NOTHING if one.share_used is None else percent(one.share_used),
        f"{one.idle:,.1f}",
        f"{one.rented:,.1f}",
        _money(one.cost, plan),
    )


def _money(amount: Decimal, plan: Plan) -> str:
    return f"{euros(amount):,} {plan.prices.currency}"


def _plan(plan: Plan) -> dict[str, Any]:
    curve, prices = plan.curve, plan.prices
    return {
        "model": curve.model,
        "hours": len(curve.hours),
        "gpu_hours": round(curve.total, 3),
        "steady_gpus": round(curve.held_for(STEADY), 3),
        "mean_gpus": round(curve.mean, 3),
        "peak_gpus": round(curve.peak, 3),
        "installed": plan.installed,
        "own_per_hour": f"{prices.own:f}",
        "rent_per_hour": f"{prices.rent:f}",
        "currency": prices.currency,
        "own_why": prices.own_why,
        "rent_why": prices.rent_why,
        "break_even": round(float(prices.break_even), 6),
        "cheapest_owned": plan.best.owned,
        "mixes": [
            {
                "mix": one.name,
                "owned": one.owned,
                "rented_gpu_hours": round(one.rented, 3),
                "owned_idle_gpu_hours": round(one.idle, 3),
                "owned_used": None if one.share_used is None else round(one.share_used, 6),
                "cost": f"{euros(one.cost):f}",
            }
            for one in plan.mixes
        ],
    }
