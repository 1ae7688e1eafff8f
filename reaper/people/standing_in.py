"""
From entries to persons: whoever has left is reached through whoever answers for them; pure.

In order: the contact named with the person, the addresses of the team, its head, then the same of
the team or department that it is part of.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from reaper.people.entries import PeopleFile, PersonEntry, Reachable, TeamEntry
from reaper.ports import Person

Mistake = tuple[tuple[str, ...], str, str]
"""Where in the file, what is wrong, and the cure."""

_DEEPEST: Final = 8
"""Departments above a team that are looked at: no chart is deeper."""


def persons(file: PeopleFile) -> Mapping[str, Person]:
    """Return every person of a file by user."""
    return {user: _person(user, entry, file) for user, entry in file.people.items()}


def mistakes(file: PeopleFile) -> Iterator[Mistake]:
    """Yield what a file names and does not hold."""
    for user, entry in file.people.items():
        if entry.contact and entry.contact not in file.people:
            cure = "name a user of this file"
            yield ("people", user, "contact"), f'"{entry.contact}" is not listed', cure
    for name, team in file.teams.items():
        if team.head and team.head not in file.people:
            yield (
                ("teams", name, "head"),
                f'"{team.head}" is not listed',
                "name a user of this file",
            )
        if team.part_of and team.part_of not in file.teams:
            cure = "name a team of this file"
            yield ("teams", name, "part_of"), f'"{team.part_of}" is not listed', cure


def _person(user: str, entry: PersonEntry, file: PeopleFile) -> Person:
    here = Person(
        user=user,
        name=entry.name,
        team=entry.team,
        leads=() if entry.left else entry.leads,
    )
    if not entry.left:
        return _reached(here, entry)
    away = replace(here, left=True, zone=entry.zone)
    other = _stand_in(entry, file)
    return replace(_reached(away, other[1]), contact=other[0]) if other else away


def _reached(person: Person, through: Reachable) -> Person:
    """Return a person with the addresses, zone and language of whoever reads the messages."""
    own = through if isinstance(through, PersonEntry) else None
    hours = own.hours.hours(own.zone) if own and own.hours else None
    return replace(
        person,
        email=through.email,
        addresses={"slack": through.slack} if through.slack else {},
        zone=through.zone,
        language=through.language or "",
        channels=own.channels if own else (),
        hours=hours,
    )


def _stand_in(entry: PersonEntry, file: PeopleFile) -> tuple[str, Reachable] | None:
    """Return the name and the addresses of whoever answers for a person; None without one."""
    named = file.people.get(entry.contact)
    if named is not None and not named.left:
        return named.name or entry.contact, named
    answers = (_answering(name, team, file) for name, team in _above(entry.team, file))
    return next((answer for answer in answers if answer), None)


def _above(name: str, file: PeopleFile) -> Iterator[tuple[str, TeamEntry]]:
    """Yield a team and the departments above it, from the bottom."""
    for _ in range(_DEEPEST):
        team = file.teams.get(name)
        if team is None:
            return
        yield name, team
        name = team.part_of


def _answering(name: str, team: TeamEntry, file: PeopleFile) -> tuple[str, Reachable] | None:
    if team.email or team.slack:
        return team.contact or name, team
    head = file.people.get(team.head)
    return (head.name or team.head, head) if head is not None and not head.left else None
