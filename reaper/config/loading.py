"""One configuration out of its files, or every mistake that stands in the way."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from reaper.config.configuration import Configuration, socket, state_directory
from reaper.config.conversion import exemption, policy, working_hours
from reaper.config.lacks import gaps, lacks
from reaper.config.rate_file import rate_card
from reaper.config.reading import Reading
from reaper.config.sections import BudgetSettings, FileSettings, InterlockSettings
from reaper.domain.escalation.budget import Limits
from reaper.domain.escalation.interlock import Bounds
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.prices.rates import RateCard
from reaper.edge.documents import Document
from reaper.edge.problems import Problem
from reaper.people.yaml_directory import YamlDirectorySettings, directory
from reaper.ports import WrongError
from reaper.schema import Settings
from reaper.web.settings import mistakes

LONGEST_SOCKET = 107
"""Bytes that the kernel takes for the path of a unix socket."""

S = TypeVar("S", bound=Settings)


class ConfigError(WrongError):
    """The configuration has mistakes; `problems` names every one."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


def load(
    path: Path | None = None, *, environ: Mapping[str, str] = os.environ, pace: Pace = NORMAL
) -> Configuration:
    """Return the configuration of a file (None for the defaults); raise ConfigError."""
    read = written(path, environ=environ, pace=pace)
    if read.configuration is None or read.problems:
        raise ConfigError(read.problems)
    return read.configuration


def check(
    paths: Sequence[Path], *, environ: Mapping[str, str] = os.environ, pace: Pace = NORMAL
) -> tuple[Problem, ...]:
    """
    Return every mistake of each file, then what its modes still lack.

    What lacks is marked `lacking`: the program starts without it, but refuses acts.
    """
    found: list[Problem] = []
    for path in paths:
        read = written(path, environ=environ, pace=pace)
        found += read.problems
        if read.configuration is not None and not read.problems:
            found += lacks(read.configuration, name=str(path))
            found += gaps(read.configuration, name=str(path))
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What stands in a file: the configuration as far as it can be read, and its mistakes."""

    document: Document
    configuration: Configuration | None
    problems: tuple[Problem, ...]


def written(
    path: Path | None, *, environ: Mapping[str, str] = os.environ, pace: Pace = NORMAL
) -> Written:
    """Read a file (None for the defaults) and all that it names; nothing is raised."""
    base = Path() if path is None else path.parent
    reading = Reading(pace=pace, base=base)
    reading.file(path)
    document = reading.document or Document(name=str(path or ""))
    if reading.settings is None:
        return Written(document=document, configuration=None, problems=tuple(reading.problems))
    made, problems = _compose(reading, reading.settings, path, environ)
    return Written(
        document=document,
        configuration=made,
        problems=_in_order((*reading.problems, *problems)),
    )


def _in_order(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Sort by line within each file, the files in the order in which they were read."""
    files = list(dict.fromkeys(problem.file for problem in problems))
    return tuple(sorted(problems, key=lambda item: (files.index(item.file), item.line or 0)))


def _compose(
    reading: Reading, settings: FileSettings, path: Path | None, environ: Mapping[str, str]
) -> tuple[Configuration, tuple[Problem, ...]]:
    here = rooted(settings, reading.base)
    root = os.geteuid() == 0
    state_dir = here.state_dir or state_directory(environ, root=root)
    hours = working_hours(here.working_hours, here.report.zone)
    rates, problems = _rates(here)
    web = _defaults(
        here.web, socket=socket(environ, root=root, state_dir=state_dir), zone=here.report.zone
    )
    made = Configuration(
        path=path,
        cluster=here.cluster,
        state_dir=state_dir,
        activity=here.activity,
        servers=here.servers,
        platforms=tuple((name, rooted(item, reading.base)) for name, item in reading.platforms),
        people=here.people,
        notifiers=here.notifiers,
        policies=tuple(policy(item, hours) for item in reading.policies),
        exemptions=tuple(exemption(item, here.report.zone) for item in reading.exemptions),
        hours=hours,
        limits=_limits(here.budgets),
        bounds=_bounds(here.interlocks),
        rates=rates,
        zone=here.report.zone,
        currency=here.report.currency,
        waits=here.report.waste.waits(),
        places=here.report.whereabouts(),
        report=here.report,
        operators=here.operators,
        kill_switch=here.kill_switch or state_dir / "STOP",
        web=web,
        store=_defaults(here.store, directory=state_dir),
    )
    document = reading.document or Document(name="")
    return made, (*problems, *_people(made), *_web(made, document))


def rooted(settings: S, base: Path) -> S:
    """Return settings whose relative paths, where an operator wrote them, begin at `base`."""
    return settings.model_copy(
        update={name: _rooted(getattr(settings, name), base) for name in settings.model_fields_set}
    )


def _rooted(value: Any, base: Path) -> Any:  # noqa: ANN401 - any field
    if isinstance(value, Path):
        return base / value
    if isinstance(value, Settings):
        return rooted(value, base)
    return tuple(_rooted(item, base) for item in value) if isinstance(value, tuple) else value


def _defaults(settings: S, **defaults: object) -> S:
    """Fill in what the operator left out and only this machine knows."""
    missing = {
        name: value for name, value in defaults.items() if name not in settings.model_fields_set
    }
    return settings.model_copy(update=missing)


def _rates(here: FileSettings) -> tuple[RateCard, tuple[Problem, ...]]:
    if here.rates is None:
        return RateCard(), ()
    report = here.report
    return rate_card(here.rates, name=str(here.rates), currency=report.currency, zone=report.zone)


def _people(made: Configuration) -> tuple[Problem, ...]:
    files = [item.file for item in made.people if isinstance(item, YamlDirectorySettings)]
    return tuple(problem for file in files for problem in directory(file, name=str(file)).problems)


def _web(made: Configuration, document: Document) -> Iterator[Problem]:
    for where, what, cure in mistakes(made.web):
        yield document.problem(("web", *where), what, cure)
    if len(os.fsencode(made.web.socket)) > LONGEST_SOCKET:
        what = f"the path is longer than {LONGEST_SOCKET} bytes"
        yield document.problem(("web", "socket"), what, "name a shorter path")


def _limits(settings: BudgetSettings) -> Limits:
    return replace(Limits(), **settings.model_dump())


def _bounds(settings: InterlockSettings) -> Bounds:
    return replace(Bounds(), **settings.model_dump())
