"""
People in a YAML file that a site keeps by hand or writes from its own directory.

Such a file reads::

    people:
      mira:
        name: Mira Example
        team: vision
        email: mira@example.org
        slack: U0123ABC
        zone: Europe/Berlin
        language: ru
        channels: [mail, slack]
        leads: [vision]
      otto:
        team: vision
        left: true
    teams:
      vision: {head: mira, email: vision-leads@example.org, part_of: physics}
      physics: {head: mira}

The file is read again when it changes; one with mistakes is not taken, the last good one stays.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from reaper.edge.documents import Document, read
from reaper.edge.problems import Problem, mistakes
from reaper.people import standing_in
from reaper.people.entries import PeopleFile
from reaper.ports import Person, SourceError
from reaper.schema import Settings

LOG: Final = logging.getLogger(__name__)


class YamlDirectorySettings(Settings):
    """A file of people."""

    kind: Literal["yaml"] = "yaml"
    file: Path = Field(examples=["people.yaml"])
    """Path; relative to the configuration that names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """A file as it was read: its people, or what is wrong with it."""

    people: Mapping[str, Person] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


class YamlDirectory:
    """Answers from the file, as it stands."""

    name = "yaml"

    def __init__(self, settings: YamlDirectorySettings) -> None:
        self._path = settings.file
        self._state: tuple[int, int] | None = None
        self._people: Mapping[str, Person] | None = None

    async def person(self, user: str) -> Person | None:
        """Return a person, or None when the file lacks them; SourceError without a good file."""
        return (await self._known()).get(user)

    async def leads(self) -> tuple[Person, ...]:
        """Return who leads a team; SourceError without a good file."""
        return tuple(person for person in (await self._known()).values() if person.leads)

    async def _known(self) -> Mapping[str, Person]:
        await asyncio.to_thread(self._refresh)
        if self._people is None:
            raise SourceError(f"{self._path}: no usable list of people; gpu-reaper check names why")
        return self._people

    def _refresh(self) -> None:
        state = _state(self._path)
        if state == self._state:
            return
        found = directory(self._path)
        for problem in found.problems:
            LOG.warning("people not taken: %s", problem)
        self._state = state
        self._people = self._people if found.problems else found.people


def directory(path: Path, *, name: str = "") -> Directory:
    """Read a file of people; every mistake is named."""
    document, problems = read(path, name=name)
    if document.value is None:
        missing = document.problem(("people",), "missing", "write its people")
        return Directory(problems=problems or (missing,))
    try:
        file = PeopleFile.model_validate(document.value)
    except ValidationError as error:
        return Directory(problems=(*problems, *_named(error, document)))
    lacks = tuple(document.problem(*mistake) for mistake in standing_in.mistakes(file))
    return Directory(people=standing_in.persons(file), problems=(*problems, *lacks))


def _named(error: ValidationError, document: Document) -> tuple[Problem, ...]:
    found = mistakes(error, PeopleFile, document.value)
    return tuple(document.problem(*mistake) for mistake in found)


def _state(path: Path) -> tuple[int, int]:
    """Return what changes with the file; zeros while it is not there."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return status.st_mtime_ns, status.st_size
