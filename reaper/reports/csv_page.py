"""The report as rows for a spreadsheet: one a key, hours and money in columns; rows add up."""

import csv
from decimal import Decimal
from io import StringIO
from itertools import dropwhile
from typing import Final
from unicodedata import category

from reaper.domain.money.figures import ALLOCATED, FREE, Costs, Figures, Key
from reaper.reports.week import WeekReport
from reaper.reports.words import HOUR, clean, iso

KEYS: Final = ("cluster", "owner", "team", "purpose", "model", "partition", "site")
HOURS: Final = (
    "calendar",
    *ALLOCATED,
    *FREE,
    "wasted",
    "partial",
    "one_witness",
    "high",
    "avoidable",
    "reclaimed",
    "given_back",
    "reused",
    "cash",
    "idle_while_waiting",
    "unpriced",
)
COSTS: Final = ("allocated", "wasted", "high", "avoidable", "reclaimed", "reused", "cash")

#: How a cell may not begin: a spreadsheet would compute it, in wide letters too.
_FORMULA: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")

#: What a spreadsheet skips before it: blanks, and signs that nobody sees.
_SKIPPED: Final = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf"))


def render(report: WeekReport) -> str:
    """Return the report as CSV with a header; hours are GPU-hours, empty money is unpriced."""
    currencies = _currencies(report)
    paper = StringIO()
    writer = csv.writer(paper, lineterminator="\n")
    writer.writerow(("begin", "end", "as_of", *KEYS, *_hour_names(), *_cost_names(currencies)))
    span = [iso(at) for at in (report.accounts.begin, report.accounts.end, report.accounts.as_of)]
    for key, figures in report.accounts.figures.items():
        writer.writerow((*span, *_key(key), *_hours(figures), *_costs(figures, currencies)))
    return paper.getvalue()


def _currencies(report: WeekReport) -> tuple[str, ...]:
    return report.total.costs.allocated.currencies


def _hour_names() -> tuple[str, ...]:
    return tuple(f"{name}_gpu_hours" for name in HOURS)


def _cost_names(currencies: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{name}_{currency}" for currency in currencies for name in COSTS)


def _key(key: Key) -> tuple[str, ...]:
    return tuple(safe(clean(str(getattr(key, name)))) for name in KEYS)


def safe(text: str) -> str:
    """Return a cell that a spreadsheet takes for text."""
    shown = dropwhile(lambda letter: category(letter) in _SKIPPED, text)
    return f"'{text}" if next(shown, "") in _FORMULA else text


def _hours(figures: Figures) -> tuple[str, ...]:
    return tuple(f"{getattr(figures, name) / HOUR:.6f}" for name in HOURS)


def _costs(figures: Figures, currencies: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        _amount(figures.costs, name, currency) for currency in currencies for name in COSTS
    )


def _amount(costs: Costs, name: str, currency: str) -> str:
    amounts = getattr(costs, name).by_currency
    amount: Decimal | None = amounts.get(currency)
    return "" if amount is None else f"{amount:.4f}"
