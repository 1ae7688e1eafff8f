"""
Policies that stand elsewhere than in a configuration: in a scenario, or proposed in a file.

They are read by the same rules, with all their mistakes at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from pydantic import ValidationError

from reaper.config.conversion import exemption, policy
from reaper.config.loading import ConfigError
from reaper.config.reading import Reading
from reaper.config.sections import BudgetSettings, InterlockSettings
from reaper.config.shipped import NAMES, shipped
from reaper.domain.escalation.budget import Limits
from reaper.domain.escalation.interlock import Bounds
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.judgement.policy import Exemption, Hours, Policy
from reaper.edge.documents import Document
from reaper.edge.problems import Problem, Where, mistakes
from reaper.schema import Settings

S = TypeVar("S", bound=Settings)

#: The tables of a scenario, each with the list of a policy file that it is an item of.
_LISTS: Final[Mapping[str | int, str]] = {"policy": "policies", "exemption": "exemptions"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Policies and exemptions, in the order in which they match."""

    policies: tuple[Policy, ...]
    exemptions: tuple[Exemption, ...]


def named(name: str, *, base: Path, hours: Hours | None = None, pace: Pace = NORMAL) -> Drawn:
    """Read shipped policies by their name, or a policy file; raise ConfigError."""
    if name in NAMES:
        return _read(
            Document(name=name, value={"policies": [str(shipped(name))]}), base, hours, pace
        )
    if not (base / name).exists():
        cure = f"write {', '.join(NAMES)}, or the path of a policy file"
        raise ConfigError(
            [Problem(file=str(base / name), where="", what="is not there", cure=cure)]
        )
    return _read(Document(name=name, value={"policies": [name]}), base, hours, pace)


def written(
    policies: Sequence[Mapping[str, object]],
    exemptions: Sequence[Mapping[str, object]],
    *,
    name: str,
    hours: Hours | None = None,
    pace: Pace = NORMAL,
    lines: Mapping[Where, int] | None = None,
) -> Drawn:
    """
    Read policies that stand as tables in the document `name`; raise ConfigError.

    `lines` says where the tables ``policy`` and ``exemption`` and their keys stand in it.
    """
    value = {"policies": list(policies), "exemptions": list(exemptions)}
    places = {
        (_LISTS[where[0]], *where[1:]): line
        for where, line in (lines or {}).items()
        if where[0] in _LISTS
    }
    return _read(Document(name=name, value=value, lines=places), Path(), hours, pace)


def limits(
    table: Mapping[str, object],
    *,
    name: str,
    usual: Limits,
    lines: Mapping[Where, int] | None = None,
) -> Limits:
    """Read budgets over the usual ones; raise ConfigError."""
    given = _section(BudgetSettings, table, name, "budgets", lines)
    return replace(usual, **{key: getattr(given, key) for key in given.model_fields_set})


def bounds(
    table: Mapping[str, object],
    *,
    name: str,
    usual: Bounds,
    lines: Mapping[Where, int] | None = None,
) -> Bounds:
    """Read bounds of interlocks over the usual ones; raise ConfigError."""
    given = _section(InterlockSettings, table, name, "interlocks", lines)
    return replace(usual, **{key: getattr(given, key) for key in given.model_fields_set})


def _read(document: Document, base: Path, hours: Hours | None, pace: Pace) -> Drawn:
    reading = Reading(pace=pace, base=base)
    reading.policies_of(document)
    if reading.problems:
        raise ConfigError(reading.problems)
    own = hours or Hours()
    return Drawn(
        policies=tuple(policy(item, own) for item in reading.policies),
        exemptions=tuple(exemption(item, own.zone) for item in reading.exemptions),
    )


def _section(
    kind: type[S],
    table: Mapping[str, object],
    name: str,
    key: str,
    lines: Mapping[Where, int] | None,
) -> S:
    try:
        return kind.model_validate(dict(table))
    except ValidationError as error:
        document = Document(name=name, value={key: dict(table)}, lines=lines or {})
        found: list[Problem] = [
            document.problem((key, *where), what, cure)
            for where, what, cure in mistakes(error, kind, table)
        ]
        raise ConfigError(found) from error
