"""
Who asks on the port, and which part of the whole they may see.

Everybody who signed in is an owner of what is theirs.  A manager also sees the week's report and
no person; an operator sees everything.  Where nobody is asked who they are, that is on loopback
alone, everything is shown and nothing can be changed.  On the unix socket the kernel says who
it is.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from aiohttp import web

from reaper.ports import ReaperError
from reaper.requests import Identity
from reaper.web.roles import Members, Roles


class Least(IntEnum):
    """The least that somebody must be to ask for a page."""

    ANYBODY = 0
    OWNER = 1
    MANAGER = 2
    OPERATOR = 3


class StrangerError(ReaperError):
    """Nobody has signed in, and what was asked for is not for everybody."""


class NotYoursError(ReaperError):
    """What was asked for is not for this person; the message says for whom it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """
    A person as a way of signing in names them; `channel` is that way.

    `local` is shown everything on this machine, whoever it is; `session` is what a sign-in is
    remembered by.
    """

    user: str = ""
    channel: str = ""
    operator: bool = False
    manager: bool = False
    local: bool = False
    session: str = ""

    @property
    def known(self) -> bool:
        """Tell whether it is known who this is."""
        return bool(self.user)

    @property
    def sees_all(self) -> bool:
        """Tell whether everything is shown."""
        return self.operator or self.local

    @property
    def identity(self) -> Identity:
        """Return as whom a request is made; raise StrangerError for nobody."""
        if not self.user:
            raise StrangerError("nobody is signed in, so nothing can be changed here")
        return Identity(
            user=self.user, operator=self.operator, manager=self.manager, channel=self.channel
        )

    @property
    def bound(self) -> str:
        """Return what this person's forms are bound to."""
        return f"{self.channel}\n{self.user}\n{self.session}"

    def may(self, least: Least) -> bool:
        """Tell whether this is enough to ask for a page."""
        if least is Least.ANYBODY or self.sees_all:
            return True
        return self.manager if least is Least.MANAGER else self.known and least is Least.OWNER


#: Nobody in particular, where nobody is asked.
LOCAL: Final = Visitor(local=True)

#: Nobody who may see anything.
STRANGER: Final = Visitor()

_KEY: Final = web.RequestKey("visitor", Visitor)


def visitor(request: web.Request) -> Visitor:
    """Return who asks; nobody until that was found out."""
    found: Visitor = request.get(_KEY, STRANGER)
    return found


def asked_who(request: web.Request) -> bool:
    """Tell whether it was found out who asks."""
    return _KEY in request


def remember(request: web.Request, asking: Visitor) -> None:
    """Note who asks, for the handlers of a request."""
    request[_KEY] = asking


def known_as(
    user: str, groups: Iterable[str], roles: Roles, *, channel: str, session: str = ""
) -> Visitor:
    """Return a person with the roles that the configuration gives them."""
    held = frozenset(groups)
    return Visitor(
        user=user,
        channel=channel,
        session=session,
        operator=_among(roles.operators, user, held),
        manager=_among(roles.managers, user, held),
    )


def _among(members: Members, user: str, groups: frozenset[str]) -> bool:
    return user in members.users or not groups.isdisjoint(members.groups)
