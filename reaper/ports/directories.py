"""Asking several directories of people in order, as everybody who asks them does."""

from collections.abc import Sequence

from reaper.ports.answers import Person
from reaper.ports.roles import People


async def known(people: Sequence[People], user: str) -> Person | None:
    """Return the person behind a user, as the first directory knows them; "" is nobody."""
    for directory in people if user else ():
        person = await directory.person(user)
        if person is not None:
            return person
    return None
