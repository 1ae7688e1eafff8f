"""
Sign-ins that last: a sealed cookie says who, what groups they have and until when.

That one was ended before its time is in the store, so that it holds on every copy and for good.
"""

import secrets
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from reaper.web.access.sealing import Seal
from reaper.web.access.visitor import STRANGER, Visitor, known_as
from reaper.web.roles import Members, Roles

CHANNEL: Final = "oidc"

_NAME: Final = "gpu-reaper"
_TOLD_SECONDS: Final = 60


@dataclass(slots=True, kw_only=True)
class Sessions:
    """Gives and reads the cookies of one site; `secure` where people reach it by https."""

    seal: Seal
    roles: Roles
    secure: bool
    lasts: float

    @property
    def name(self) -> str:
        """Return the name of the cookie."""
        return self.named("")

    def named(self, what: str) -> str:
        """Return a cookie's name: browsers hold ``__Host-`` to https, to this host and its root."""
        return f"__Host-{_NAME}{what}" if self.secure else f"{_NAME}{what}"

    def begin(self, response: web.Response, user: str, groups: tuple[str, ...], now: float) -> None:
        """Give a person a session; of the groups only those are kept that give a role."""
        held = sorted(set(groups) & _named(self.roles))
        words = [user, held, secrets.token_urlsafe(12)]
        text = self.seal.close("session", words, until=now + self.lasts)
        self.set(response, self.name, text, int(self.lasts))

    def visitor(self, request: web.Request, now: float) -> Visitor:
        """Return whose session a request carries; STRANGER for none."""
        words = self.seal.open("session", request.cookies.get(self.name, ""), now=now)
        if words is None:
            return STRANGER
        user, groups, ident = words
        if not isinstance(groups, list):
            return STRANGER
        held = [str(group) for group in groups]
        return known_as(str(user), held, self.roles, channel=CHANNEL, session=str(ident))

    def end(self, response: web.Response) -> None:
        """Take a session's cookie away from its browser."""
        response.del_cookie(self.name, path="/", secure=self.secure, httponly=True, samesite="Lax")

    # -------------------------------------------------------------- what was done

    def tell(self, response: web.Response, text: str, bound: str, now: float) -> None:
        """Let the next page say what was done."""
        sealed = self.seal.close("told", [bound, text[:600]], until=now + _TOLD_SECONDS)
        self.set(response, self.named("-told"), sealed, _TOLD_SECONDS)

    def told(self, request: web.Request, bound: str, now: float) -> str:
        """Return what was done just now by whoever `bound` is; "" for nothing."""
        words = self.seal.open("told", request.cookies.get(self.named("-told"), ""), now=now)
        return str(words[1]) if words and words[0] == bound else ""

    def forget(self, response: web.StreamResponse) -> None:
        """Say it once."""
        name = self.named("-told")
        response.del_cookie(name, path="/", secure=self.secure, httponly=True, samesite="Lax")

    def set(self, response: web.Response, name: str, text: str, lasts: int) -> None:
        """Give a browser a cookie for so many seconds; none at all for 0."""
        response.set_cookie(
            name,
            text,
            max_age=lasts,
            path="/",
            secure=self.secure,
            httponly=True,
            samesite="Lax",
        )


def _named(roles: Roles) -> frozenset[str]:
    both: tuple[Members, ...] = (roles.operators, roles.managers)
    return frozenset(group for members in both for group in members.groups)
