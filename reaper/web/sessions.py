"""
Sign-ins that last: a sealed cookie says who, what groups they have and until when.

Nothing is stored but the sessions that were ended before their time.
"""

import secrets
from dataclasses import dataclass, field
from typing import Final

from aiohttp import web

from reaper.web.roles import Members, Roles
from reaper.web.sealing import Seal
from reaper.web.visitor import STRANGER, Visitor, known_as

CHANNEL: Final = "oidc"

#: Sessions that are remembered as ended; the oldest is forgotten first.
_ENDED: Final = 10_000

_NAME: Final = "gpu-reaper"
_TOLD: Final = "gpu-reaper-told"
_TOLD_SECONDS: Final = 60


@dataclass(slots=True, kw_only=True)
class Sessions:
    """Gives and reads the cookies of one site; `secure` where people reach it by https."""

    seal: Seal
    roles: Roles
    secure: bool
    lasts: float
    _ended: dict[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the name of the cookie: browsers hold ``__Host-`` to https and to this host."""
        return f"__Host-{_NAME}" if self.secure else _NAME

    def begin(self, response: web.Response, user: str, groups: tuple[str, ...], now: float) -> None:
        """Give a person a session; of the groups only those are kept that give a role."""
        held = sorted(set(groups) & _named(self.roles))
        words = [user, held, secrets.token_urlsafe(12)]
        text = self.seal.close("session", words, until=now + self.lasts)
        self._set(response, self.name, text, int(self.lasts))

    def visitor(self, request: web.Request, now: float) -> Visitor:
        """Return whose session a request carries; STRANGER for none."""
        words = self.seal.open("session", request.cookies.get(self.name, ""), now=now)
        if words is None:
            return STRANGER
        user, groups, ident = words
        if not isinstance(groups, list) or str(ident) in self._ended:
            return STRANGER
        held = [str(group) for group in groups]
        return known_as(str(user), held, self.roles, channel=CHANNEL, session=str(ident))

    def end(self, response: web.Response, asking: Visitor, now: float) -> None:
        """End a session: its cookie is gone, and worth nothing to whoever has copied it."""
        response.del_cookie(self.name, path="/", secure=self.secure, httponly=True, samesite="Lax")
        if asking.session:
            standing = {one: until for one, until in self._ended.items() if until > now}
            self._ended = dict(list(standing.items())[-_ENDED + 1 :])
            self._ended[asking.session] = now + self.lasts

    # -------------------------------------------------------------- what was done

    def tell(self, response: web.Response, text: str, bound: str, now: float) -> None:
        """Let the next page say what was done."""
        sealed = self.seal.close("told", [bound, text[:600]], until=now + _TOLD_SECONDS)
        self._set(response, _TOLD, sealed, _TOLD_SECONDS)

    def told(self, request: web.Request, bound: str, now: float) -> str:
        """Return what was done just now by whoever `bound` is; "" for nothing."""
        words = self.seal.open("told", request.cookies.get(_TOLD, ""), now=now)
        return str(words[1]) if words and words[0] == bound else ""

    def forget(self, response: web.StreamResponse) -> None:
        """Say it once."""
        response.del_cookie(_TOLD, path="/", secure=self.secure, httponly=True, samesite="Lax")

    def _set(self, response: web.Response, name: str, text: str, lasts: int) -> None:
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
