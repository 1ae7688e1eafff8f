"""The rules by which a scenario is judged: its own, or those that are named for it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import TypeVar

from exporter.contract.scenario import Scenario
from exporter.contract.tables import Place
from reaper.app.compose import rules as composed
from reaper.config import Configuration
from reaper.config.drawn import Drawn, bounds, limits, named, written
from reaper.config.loading import ConfigError
from reaper.cycle.rules import Rules
from reaper.domain.judgement.policy import Exemption, Hours, Policy
from reaper.edge.problems import Problem

T = TypeVar("T")

#: Policies of a scenario that names none, where no configuration is given either.
USUAL = "act"


def rules_of(
    scenario: Scenario,
    *,
    source: Path,
    base: Configuration,
    configured: bool,
    proposed: str = "",
) -> tuple[Rules, str]:
    """
    Return the rules of a scenario that was read from `source`, and where its policies come from.

    The first of these holds: what is `proposed` (a policy file, or a shipped name), what the
    scenario says, the policies of a configuration that was named, the shipped act policies.
    A scenario that expects something goes the same everywhere: no configuration changes it.
    Raises ConfigError with every mistake.
    """
    usual = composed(base)
    every = _Problems()
    nothing: tuple[Drawn | None, str] = (None, "")
    found, whence = every.of(
        lambda: _policies(scenario, source, base, configured=configured, proposed=proposed),
        nothing,
    )
    if found is not None:
        usual = replace(usual, policies=found.policies, exemptions=found.exemptions)
    made = every.of(lambda: surrounded(usual, scenario, source=source, base=base), usual)
    if every.found:
        raise ConfigError(every.found)
    return made, whence


def surrounded(usual: Rules, scenario: Scenario, *, source: Path, base: Configuration) -> Rules:
    """
    Return rules as they hold in a scenario: with its budgets, interlocks and exemptions.

    Raises ConfigError with every mistake in these.
    """
    name, lines = str(source), scenario.lines
    every = _Problems()
    no_exemptions: tuple[Exemption, ...] = ()
    made = replace(
        usual,
        limits=every.of(
            lambda: limits(scenario.budgets, name=name, usual=usual.limits, lines=lines),
            usual.limits,
        ),
        bounds=every.of(
            lambda: bounds(scenario.interlocks, name=name, usual=usual.bounds, lines=lines),
            usual.bounds,
        ),
    )
    own = every.of(
        lambda: (
            written((), scenario.exemptions, name=name, hours=base.hours, lines=lines).exemptions
        ),
        no_exemptions,
    )
    if every.found:
        raise ConfigError(every.found)
    return replace(made, exemptions=(*made.exemptions, *own))


class _Problems:
    """Gathers the mistakes of several readings, so that all are named at once."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def of(self, read: Callable[[], T], otherwise: T) -> T:
        """Return what is read, and `otherwise` where it has mistakes."""
        try:
            return read()
        except ConfigError as error:
            self.found += error.problems
            return otherwise


def _policies(
    scenario: Scenario,
    source: Path,
    base: Configuration,
    *,
    configured: bool,
    proposed: str,
) -> tuple[Drawn | None, str]:
    hours = base.hours
    if proposed:
        return named(proposed, base=Path(), hours=hours), proposed
    if scenario.policies:
        return _own(scenario, str(source), hours), "its own"
    if scenario.policy:
        return named(scenario.policy, base=source.parent, hours=hours), scenario.policy
    if configured and not scenario.expect.anything:
        return None, "those of the configuration"
    return named(USUAL, base=Path(), hours=hours), f"the shipped ones ({USUAL})"


def _own(scenario: Scenario, name: str, hours: Hours) -> Drawn:
    """Read a scenario's own policies: each by itself where they are not in force together."""
    lines = scenario.lines
    if not any(isfinite(at) for span in scenario.in_force for at in span):
        return written(scenario.policies, (), name=name, hours=hours, lines=lines)
    every, none = _Problems(), tuple[Policy, ...]()
    found = [
        every.of(partial(_one, table, name=name, hours=hours, lines=_moved(lines, index)), none)
        for index, table in enumerate(scenario.policies)
    ]
    if every.found:
        raise ConfigError(every.found)
    return Drawn(policies=tuple(chain.from_iterable(found)), exemptions=())


def _one(
    table: Mapping[str, object], *, name: str, hours: Hours, lines: Mapping[Place, int]
) -> tuple[Policy, ...]:
    return written((table,), (), name=name, hours=hours, lines=lines).policies


def _moved(lines: Mapping[Place, int], index: int) -> Mapping[Place, int]:
    """Return where the keys of one policy stand, as if it stood alone."""
    own = {where: line for where, line in lines.items() if where[:2] == ("policy", index)}
    return {("policy", 0, *where[2:]): line for where, line in own.items()}
