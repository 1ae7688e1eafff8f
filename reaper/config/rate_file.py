"""A file of prices, read into the rate card of the books."""

from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, Field, ValidationError, WithJsonSchema

from reaper.config.policy_settings import Until
from reaper.domain.money.rates import ANYTHING, Kind, Rate, RateCard, RateError
from reaper.edge.documents import Document, read
from reaper.edge.problems import Problem, mistakes
from reaper.schema import Globs, Mistake, Settings, shown


def _amount(value: object) -> Decimal:
    text = str(value).strip()
    if isinstance(value, bool) or not text.replace(".", "", 1).isdecimal():
        raise Mistake(f"{shown(value)} is no price", "write for example 2.50")
    return Decimal(text)


class RateSettings(Settings):
    """What a GPU-hour costs for whom it fits; the most specific rate decides."""

    per_hour: Annotated[
        Decimal, BeforeValidator(_amount), WithJsonSchema({"type": "number", "examples": [2.5]})
    ]
    currency: str = Field(default="", pattern=r"^([A-Z]{3})?$", examples=["EUR"])
    kind: Kind = Kind.OWNED
    """Only on-demand and spot GPUs turn a release into cash."""
    model: str = ANYTHING
    site: str = ANYTHING
    partition: str = ANYTHING
    labels: Globs = ()
    begin: Until | None = Field(default=None, alias="from")
    end: Until | None = Field(default=None, alias="until")
    """First day on which it no longer holds."""
    note: str = ""


class RateFile(Settings):
    """The whole file."""

    rates: tuple[RateSettings, ...] = Field(examples=["- {model: '*A100*', per_hour: 2.50}"])


def rate_card(
    path: Path, *, name: str, currency: str, zone: str
) -> tuple[RateCard, tuple[Problem, ...]]:
    """Read a file of prices; every mistake is named, contradictions included."""
    document, problems = read(path, name=name)
    if document.value is None:
        lacks = () if problems else (document.problem(("rates",), "missing", "write its rates"),)
        return RateCard(), (*problems, *lacks)
    try:
        entries = RateFile.model_validate(document.value).rates
    except ValidationError as error:
        return RateCard(), (*problems, *_named(error, document))
    rates = tuple(_rate(entry, currency, ZoneInfo(zone)) for entry in entries)
    try:
        return RateCard(rates=rates), problems
    except RateError as error:
        found = (document.problem(("rates",), what) for what in error.problems)
        return RateCard(), (*problems, *found)


def instant(text: str, zone: ZoneInfo) -> float:
    """Return Unix seconds of a day's begin or of an instant."""
    when = datetime.fromisoformat(text)
    return (when if when.tzinfo else when.replace(tzinfo=zone)).timestamp()


def _named(error: ValidationError, document: Document) -> tuple[Problem, ...]:
    found = mistakes(error, RateFile, document.value)
    return tuple(document.problem(*mistake) for mistake in found)


def _rate(entry: RateSettings, currency: str, zone: ZoneInfo) -> Rate:
    return Rate(
        amount=entry.per_hour,
        currency=entry.currency or currency,
        kind=entry.kind,
        model=entry.model,
        site=entry.site,
        partition=entry.partition,
        labels=entry.labels,
        begin=None if entry.begin is None else instant(entry.begin, zone),
        end=None if entry.end is None else instant(entry.end, zone),
        note=entry.note,
    )
