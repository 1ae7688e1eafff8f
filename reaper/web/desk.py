"""What the handlers of all pages share: who is shown what, with which forms, in which answer."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from reaper.domain.judgement.policy import KeepRule, Policy
from reaper.domain.picture import Picture, Row
from reaper.ports import Clock
from reaper.questions import Questions
from reaper.requests import Requests
from reaper.web import forms
from reaper.web.api import NoCycleError
from reaper.web.page import Guest, Page
from reaper.web.sealing import Seal
from reaper.web.sessions import Sessions
from reaper.web.settings import WebSettings
from reaper.web.sight import seen
from reaper.web.visitor import Visitor, visitor

_POLICY: Final = (
    "default-src 'none'; style-src 'nonce-{0}'; script-src 'nonce-{0}'; connect-src 'self'; "
    "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Everything that pages are made from."""

    questions: Questions
    requests: Requests
    clock: Clock
    settings: WebSettings
    page: Page
    seal: Seal
    sessions: Sessions
    policies: Sequence[Policy] = ()

    async def picture(self, request: web.Request) -> Picture:
        """Return what this person may see of the last cycle; raise NoCycleError before it."""
        picture = await self.questions.status()
        if picture is None:
            raise NoCycleError("no cycle was written yet: wait a minute")
        return seen(picture, visitor(request))

    def rule(self, row: Row | None) -> KeepRule:
        """Return how an allocation may be kept."""
        found = (policy.keep for policy in self.policies if row and policy.name == row.policy)
        return next(found, KeepRule())

    def guest(self, request: web.Request, asking: Visitor | None = None) -> Guest:
        """Return for whom a page is made, and what was done just now."""
        who = visitor(request) if asking is None else asking
        now = self.clock.now()
        return Guest(
            visitor=who,
            form=forms.word(self.seal, who.bound, now) if who.known else "",
            told=self.sessions.told(request, who.bound, now) if who.known else "",
            nonce=secrets.token_urlsafe(16),
            now=now,
        )

    def html(self, text: str, guest: Guest, *, status: int = 200) -> web.Response:
        """Return a page; what it said of something done is not said again."""
        response = web.Response(
            body=text.encode("utf-8", "replace"),
            status=status,
            headers={
                "Content-Type": "text/html; charset=utf-8",
                "Content-Security-Policy": _POLICY.format(guest.nonce),
            },
        )
        if guest.told:
            self.sessions.forget(response)
        return response

    def message(
        self, request: web.Request, status: int, title: str, text: str, *, again: str = ""
    ) -> web.Response:
        """Return a page that says one thing."""
        guest = self.guest(request)
        page = self.page.message(title, text, guest=guest, again=again)
        return self.html(page, guest, status=status)

    def signed_out(self, title: str, text: str, *, again: str) -> web.Response:
        """Return a page for somebody who is nobody from now on."""
        guest = Guest(nonce=secrets.token_urlsafe(16), now=self.clock.now())
        return self.html(self.page.message(title, text, guest=guest, again=again), guest)
