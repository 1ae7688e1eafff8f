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
      leads: [vision]

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
from reaper.ports import Person, SourceError
from reaper.schema import Settings, Zone

LOG: Final = logging.getLogger(__name__)


class YamlDirectorySettings(Settings):
    """A file of people."""

    kind: Literal["yaml"] = "yaml"
    file: Path = Field(examples=["people.yaml"])
    """Path; relative to the configuration that names it."""


class PersonEntry(Settings):
    """One person; all but the user's name may be missing, but then no message can arrive."""

    name: str = ""
    team: str = ""
    email: str = Field(default="", pattern=r"^([^@\s]+@[^@\s]+)?$", examples=["mira@example.org"])
    slack: str = Field(default="", pattern=r"^([UW][A-Z0-9]{2,})?$", examples=["U0123ABC"])
    """Slack's member id; without it the e-mail address finds the person."""
    zone: Zone = "UTC"
    language: Literal["en"] = "en"
    """Language of messages."""
    leads: tuple[str, ...] = Field(default=(), examples=["[vision]"])
    """Teams of which this person gets the weekly report, with the names of its members."""


class PeopleFile(Settings):
    """The whole file."""

    people: dict[str, PersonEntry]
    """Persons by the user name that the platform gives them."""


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
        lacks = () if problems else (document.problem(("people",), "missing", "write its people"),)
        return Directory(problems=(*problems, *lacks))
    try:
        entries = PeopleFile.model_validate(document.value).people
    except ValidationError as error:
        return Directory(problems=(*problems, *_named(error, document)))
    people = {user: _person(user, entry) for user, entry in entries.items()}
    return Directory(people=people, problems=problems)


def _named(error: ValidationError, document: Document) -> tuple[Problem, ...]:
    found = mistakes(error, PeopleFile, document.value)
    return tuple(document.problem(*mistake) for mistake in found)


def _person(user: str, entry: PersonEntry) -> Person:
    return Person(
        user=user,
        name=entry.name,
        team=entry.team,
        email=entry.email,
        zone=entry.zone,
        language=entry.language,
        addresses={"slack": entry.slack} if entry.slack else {},
        leads=entry.leads,
    )


def _state(path: Path) -> tuple[int, int]:
    """Return what changes with the file; zeros while it is not there."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return status.st_mtime_ns, status.st_size
