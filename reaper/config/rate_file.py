"""A file of prices, read into the rate card of the books."""

from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from reaper.config.policy_settings import Until
from reaper.domain.buying.owning import Owned, Reserved
from reaper.domain.prices.rates import ANYTHING, Kind, Rate, RateCard, RateError
from reaper.edge.documents import Document, read
from reaper.edge.problems import Problem, mistakes
from reaper.schema import Globs, Mistake, Settings, shown


def _amount(value: object) -> Decimal:
    text = str(value).strip()
    if isinstance(value, bool) or not text.replace(".", "", 1).isdecimal():
        raise Mistake(f"{shown(value)} is no price", "write for example 2.50")
    return Decimal(text)


def _above_zero(value: Decimal) -> Decimal:
    if not value:
        raise Mistake("is zero", "write for example 5")
    return value


Amount = Annotated[
    Decimal, BeforeValidator(_amount), WithJsonSchema({"type": "number", "examples": [2.5]})
]
Positive = Annotated[Amount, AfterValidator(_above_zero)]


class OwnedSettings(Settings):
    """GPUs of one's own with their nodes; amounts in the rate's currency."""

    gpus: int = Field(ge=1, examples=[8])
    """GPUs that all of this is for."""
    purchase: Amount
    residual: Amount = Decimal(0)
    """What they will still be worth."""
    years: Positive = Decimal(5)
    """How long they are in service."""
    power_kw: Amount = Decimal(0)
    """Mean draw of all of it."""
    cooling: Amount = Decimal(1)
    """By what factor the building draws more (PUE)."""
    per_kwh: Amount = Decimal(0)
    people_per_year: Amount = Decimal(0)
    """Support, space and staff."""

    @model_validator(mode="after")
    def _sensible(self) -> "OwnedSettings":
        if self.residual > self.purchase:
            raise Mistake("residual is above purchase", "write what they will still be worth")
        if self.cooling < 1:
            raise Mistake("cooling is below 1", "write for example 1.3: draw with cooling by draw")
        return self

    def owned(self) -> Owned:
        """Return it as the arithmetic takes it."""
        return Owned(
            gpus=self.gpus,
            purchase=self.purchase,
            residual=self.residual,
            years=self.years,
            power=self.power_kw,
            cooling=self.cooling,
            energy=self.per_kwh,
            people=self.people_per_year,
        )


class ReservedSettings(Settings):
    """GPUs reserved for a term, paid whether they are used or not."""

    gpus: int = Field(ge=1, examples=[8])
    commitment: Amount
    """For all of them, for the whole term."""
    years: Positive = Decimal(1)

    def reserved(self) -> Reserved:
        """Return it as the arithmetic takes it."""
        return Reserved(gpus=self.gpus, commitment=self.commitment, years=self.years)


class RateSettings(Settings):
    """What a GPU-hour costs for whom it fits; the most specific rate decides."""

    per_hour: Amount | None = None
    """Or, in its place, `owned` or `reserved`, from which it is worked out."""
    owned: OwnedSettings | None = None
    reserved: ReservedSettings | None = None
    currency: str = Field(default="", pattern=r"^([A-Z]{3})?$", examples=["EUR"])
    kind: Kind | None = None
    """Only on-demand and spot GPUs turn a release into cash; default: owned, or reserved."""
    model: str = ANYTHING
    site: str = ANYTHING
    partition: str = ANYTHING
    labels: Globs = ()
    begin: Until | None = Field(default=None, alias="from")
    end: Until | None = Field(default=None, alias="until")
    """First day on which it no longer holds."""
    note: str = ""

    @model_validator(mode="after")
    def _one_price(self) -> "RateSettings":
        given = [name for name in ("per_hour", "owned", "reserved") if getattr(self, name)]
        zero = self.per_hour is not None and not self.per_hour
        if len(given) + zero != 1:
            what = "has no price" if not given else f"has several prices: {', '.join(given)}"
            raise Mistake(what, "write one of per_hour: 2.50, owned: {...} or reserved: {...}")
        if self.kind is not None and self.kind is not (self._worked_out or self.kind):
            raise Mistake(f"kind {self.kind} contradicts {given[0]}", f"remove it, or {given[0]}")
        return self

    @property
    def _worked_out(self) -> Kind | None:
        return Kind.OWNED if self.owned else Kind.RESERVED if self.reserved else None

    def rate(self, currency: str, zone: ZoneInfo) -> Rate:
        """Return the rule; how its amount came about is in its note."""
        made = self.owned.owned() if self.owned else None
        made_of = made or (self.reserved.reserved() if self.reserved else None)
        amount = made_of.per_hour if made_of else self.per_hour
        assert amount is not None  # noqa: S101 - a rate has exactly one price
        return Rate(
            amount=amount,
            currency=self.currency or currency,
            kind=self.kind or self._worked_out or Kind.OWNED,
            model=self.model,
            site=self.site,
            partition=self.partition,
            labels=self.labels,
            begin=None if self.begin is None else instant(self.begin, zone),
            end=None if self.end is None else instant(self.end, zone),
            note="; ".join(filter(None, (self.note, made_of.arithmetic() if made_of else ""))),
        )


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
    rates = tuple(entry.rate(currency, ZoneInfo(zone)) for entry in entries)
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
