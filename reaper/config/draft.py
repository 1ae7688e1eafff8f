"""
A policy as far as it can be read.

A mistake in one key must not hide what is wrong elsewhere, so the rules look at a draft: each part
is there, or None where it could not be read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from reaper.config.policy_settings import (
    IdleSettings,
    KeepSettings,
    MatchSettings,
    ReleaseSettings,
    RungSettings,
    WarnSettings,
)
from reaper.config.save_settings import SaveSettings
from reaper.domain.judgement.policy import Mode
from reaper.edge.problems import Where

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRung:
    """A rung's place, its step ("" where that is unclear) and what could be read of it."""

    position: int
    step: str
    warn: WarnSettings | None = None
    save: SaveSettings | None = None
    release: ReleaseSettings | None = None

    @property
    def acts(self) -> bool:
        """Tell whether it saves or releases."""
        return self.step in ("save", "release")

    def at(self, *keys: str) -> Where:
        """Return the place of one of its keys, from the policy's root."""
        return ("rungs", self.position, *((self.step,) if self.step and keys else ()), *keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The parts of a policy that rules look at."""

    name: str
    match: MatchSettings | None
    idle: IdleSettings | None
    keep: KeepSettings | None
    mode: Mode | None
    rungs: tuple[DraftRung, ...]

    @property
    def warnings(self) -> tuple[DraftRung, ...]:
        """Return the rungs that warn before anything acts, in order."""
        first = self.acts[0].position if self.acts else len(self.rungs)
        return tuple(rung for rung in self.rungs[:first] if rung.step == "warn")

    @property
    def acts(self) -> tuple[DraftRung, ...]:
        """Return the rungs that act, in order."""
        return tuple(rung for rung in self.rungs if rung.acts)

    @property
    def clear(self) -> bool:
        """Tell whether the step of every rung is known."""
        return all(rung.step for rung in self.rungs)


def draft(raw: object) -> Draft:
    """Read what can be read of a policy."""
    parts: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
    rungs = parts.get("rungs")
    return Draft(
        name=str(parts.get("name") or ""),
        match=_part(MatchSettings, parts.get("match", {})),
        idle=_part(IdleSettings, parts.get("idle")),
        keep=_part(KeepSettings, parts.get("keep", {})),
        mode=_part(Mode, parts.get("mode", Mode.OBSERVE)),
        rungs=tuple(
            _rung(position, rung)
            for position, rung in enumerate(rungs if isinstance(rungs, list) else ())
        ),
    )


def _rung(position: int, raw: object) -> DraftRung:
    keys = raw if isinstance(raw, Mapping) else ()
    steps = [key for key in keys if key in RungSettings.model_fields]
    if len(steps) != 1:
        return DraftRung(position=position, step="")
    read = _part(RungSettings, raw)
    if read is None:
        return DraftRung(position=position, step=steps[0])
    return DraftRung(
        position=position, step=steps[0], warn=read.warn, save=read.save, release=read.release
    )


def _part(kind: type[T], raw: object) -> T | None:
    """Return a part without its unknown keys, or None where it cannot be read."""
    try:
        return TypeAdapter(kind).validate_python(raw)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False, include_input=False)
    if any(item["type"] != "extra_forbidden" for item in errors):
        return None
    try:
        return TypeAdapter(kind).validate_python(_without([item["loc"] for item in errors], raw))
    except ValidationError:
        return None


def _without(places: Sequence[tuple[int | str, ...]], raw: object, at: Where = ()) -> object:
    if isinstance(raw, Mapping):
        return {
            key: _without(places, item, (*at, key))
            for key, item in raw.items()
            if (*at, key) not in places
        }
    return raw
