"""A policy, an exemption and their parts, as an operator writes them."""

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    model_validator,
)

from reaper.config.save_settings import SaveSettings
from reaper.domain.facts.allocation import Purpose
from reaper.domain.judgement.policy import Counted, Doubtful, Mode
from reaper.schema import Globs, Mistake, Settings, Span, Zone, shown
from reaper.schema.times import TimeOfDay, Weekdays

# ------------------------------------------------------------------ parsers


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _per_week(value: object) -> int:
    found = re.fullmatch(r"([0-7])( per week)?", str(value).strip())
    if not found:
        raise Mistake(f"{shown(value)} is no weekly budget", "write for example 1 per week")
    return int(found[1])


def _until(value: object) -> str:
    text = str(value).strip()
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise Mistake(f"{shown(value)} is no date", "write for example 2027-01-31") from None
    return when.date().isoformat() if ":" not in text else when.isoformat()


# ------------------------------------------------------------------ field types

_TEXT_SCHEMA: Final = {"type": "string"}

PerWeek = Annotated[
    int, BeforeValidator(_per_week), WithJsonSchema({**_TEXT_SCHEMA, "examples": ["1 per week"]})
]
"""How often in a week."""

Until = Annotated[
    str, BeforeValidator(_until), WithJsonSchema({**_TEXT_SCHEMA, "examples": ["2027-01-31"]})
]
"""A day, meant to its end, or an instant; without an offset in the report's zone."""

Classes = Annotated[tuple[Purpose, ...], BeforeValidator(_listed)]
"""What an allocation is for; one alone may stand without a list."""


# ------------------------------------------------------------------ settings


class CountSettings(Settings):
    """How many devices an allocation holds."""

    at_least: int = Field(default=0, ge=0)
    at_most: int | None = Field(default=None, ge=1)


class MatchSettings(Settings):
    """Whom it is for: every key given must fit, one of its patterns is enough."""

    platform: Globs = ()
    cluster: Globs = ()
    partition: Globs = ()
    qos: Globs = ()
    account: Globs = ()
    team: Globs = ()
    user: Globs = ()
    purpose: Classes = Field(default=(), alias="class")
    model: Globs = ()
    name: Globs = ()
    namespace: Globs = ()
    label: Globs = ()
    """Patterns of ``key=value``."""
    session: Globs = ()
    """Kinds of sessions in it, such as jupyter or vscode."""
    older_than: Span | None = None
    """How long ago it began, at least."""
    requeueable: bool | None = None
    devices: CountSettings = CountSettings()


class IdleSettings(Settings):
    """The window, and what must be known about the person."""

    model_config = ConfigDict(json_schema_extra={"examples": ["{for: 60m}"]})

    window: Span = Field(alias="for", examples=["60m"])
    """How long every device must be idle without a break."""
    human_away: Span = 1800.0
    """How long the person must be proven away; for interactive allocations only."""
    also: tuple[Literal["idle, host busy", "warm"], ...] = ()
    """Verdicts beyond idle and empty that may be released; each must be named."""
    counting: tuple[Counted, ...] = Field(default=("idle",), min_length=1)
    """`low` may count for policies that only warn: it is inefficiency, not idleness."""
    presence_unknown: Doubtful = "longer"
    """Where nothing can prove *away*: `hold`, or four times the window and at least 4 h."""


class HoursSettings(Settings):
    """Working hours, in the owner's zone where it is known."""

    zone: Zone | None = None
    """Zone of those whose zone is not known; default: the report's."""
    weekdays: Weekdays = (0, 1, 2, 3, 4)
    begin: TimeOfDay = 9.0
    end: TimeOfDay = 18.0
    holidays: tuple[date, ...] = ()
    """Days on which nobody works, as 2026-12-25."""

    @model_validator(mode="after")
    def _in_order(self) -> "HoursSettings":
        if self.begin >= self.end:
            raise Mistake("begin is not before end", "write for example begin: 09:00, end: 18:00")
        return self


class WhenSettings(Settings):
    """When a release may begin."""

    demand: Literal["any", "waiting"] = "any"
    """`waiting`: only while a pending job could start on these GPUs."""
    team_held_over: int | None = Field(default=None, ge=0)
    """Only while its team holds more GPUs than this: a quota of held GPUs."""
    team_idle_over: int | None = Field(default=None, ge=0)
    """Only while more of its team's GPUs idle than this: a quota of idle GPUs."""
    any_hour: bool = False
    """Also outside working hours; the default waits for them, or for a pending job."""
    hours: HoursSettings | None = None
    """This policy's own working hours."""


class WarnSettings(Settings):
    """A warning, due after so much idleness."""

    after: Span = Field(examples=["30m"])
    final: bool = False
    """The last one before the acts: the grace runs from its delivery."""


class ReleaseSettings(Settings):
    """End the allocation, in the gentlest way its platform has."""

    grace: Span | None = None
    requeue: bool = False
    """Put the job back into the queue."""


class RungSettings(Settings):
    """One rung: exactly one of the steps."""

    warn: WarnSettings | None = None
    save: SaveSettings | None = None
    release: ReleaseSettings | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_step(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the file holds
        if not isinstance(value, Mapping):
            return value
        steps = [key for key in value if key in cls.model_fields]
        if len(steps) != 1:
            raise Mistake(
                f"needs one of warn, save and release, has {' and '.join(steps) or 'none'}",
                "write one step a rung, for example - warn: {after: 30m}",
            )
        if value[steps[0]] is None and len(value) > 1:
            raise Mistake(f"the keys of {steps[0]} stand beside it", "indent them below it")
        return {key: {} if item is None else item for key, item in value.items()}


class KeepSettings(Settings):
    """The owner's budget of keeps."""

    per_request: Span = 4 * 3600.0
    per_day: int = Field(default=2, ge=1, le=24)
    until_next_morning: PerWeek = 0
    """How often a week a keep may last until the next working morning."""


class NoticesSettings(Settings):
    """How much an owner is told."""

    per_day: int = Field(default=4, ge=2, le=24)
    """Warnings and final notices of one allocation in 24 hours, at most; then its steps wait."""


class PolicySettings(Settings):
    """One policy; the first that matches decides."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$", examples=["notebooks"])
    match: MatchSettings = MatchSettings()
    idle: IdleSettings
    when: WhenSettings = WhenSettings()
    rungs: tuple[RungSettings, ...] = Field(min_length=1, examples=["- warn: {after: 30m}"])
    keep: KeepSettings = KeepSettings()
    notices: NoticesSettings = NoticesSettings()
    mode: Mode = Mode.OBSERVE


class ExemptionSettings(Settings):
    """An operator's standing no."""

    match: MatchSettings
    reason: str = Field(min_length=1, examples=["demo week, agreed with the owner"])
    until: Until | None = None
