"""What the handlers of all pages share: who is shown what, with which forms, in which answer."""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from aiohttp import web

from reaper.domain.judgement.policy import KeepRule, Policy
from reaper.domain.picture import Picture, Row
from reaper.languages.language import Language
from reaper.ports import Clock, ReaperError
from reaper.questions import Questions
from reaper.requests import Granted, Requests
from reaper.web import words
from reaper.web.access.sealing import Seal
from reaper.web.access.sessions import Sessions
from reaper.web.access.visitor import Visitor, remember, visitor
from reaper.web.given import unsaid
from reaper.web.html import forms
from reaper.web.html.changes import FormError
from reaper.web.html.failures import failure, success
from reaper.web.html.page import Guest, Page
from reaper.web.html.sight import seen
from reaper.web.json_api.routes import NoCycleError
from reaper.web.languages import LANGUAGES, chosen
from reaper.web.settings import WebSettings

_POLICY: Final = (
    "default-src 'none'; style-src 'nonce-{0}'; script-src 'nonce-{0}'; connect-src 'self'; "
    "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

_LANGUAGE: Final = web.RequestKey("language", Language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Everything that pages are made from."""

    questions: Questions
    requests: Requests
    clock: Clock
    told_by: Clock
    """Counts on from the last turn: the ages on pages are told by it."""
    settings: WebSettings
    page: Page
    seal: Seal
    sessions: Sessions
    policies: Sequence[Policy] = ()
    reads: Callable[[str], Awaitable[str]] = unsaid
    """The code of the language that a user reads, as a directory says; "" where none does."""
    languages: Mapping[str, Language] = field(default_factory=lambda: LANGUAGES)

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

    async def greet(self, request: web.Request, asking: Visitor) -> None:
        """Note who asks, and what they read: as a directory says, else as the browser does."""
        remember(request, asking)
        known = await self.reads(asking.user) if asking.known else ""
        request[_LANGUAGE] = self._chosen(known, request)

    def language(self, request: web.Request) -> Language:
        """Return what the person who was greeted reads; of others as the browser says."""
        return request.get(_LANGUAGE) or self._chosen("", request)

    def _chosen(self, known: str, request: web.Request) -> Language:
        return chosen(known, request.headers.get("Accept-Language", ""), self.languages)

    def guest(self, request: web.Request, asking: Visitor | None = None) -> Guest:
        """Return for whom a page is made, and what was done just now."""
        who = visitor(request) if asking is None else asking
        now = self.clock.now()
        return Guest(
            visitor=who,
            form=forms.word(self.seal, who.bound, now) if who.known else "",
            told=self.sessions.told(request, who.bound, now) if who.known else "",
            nonce=secrets.token_urlsafe(16),
            now=self.told_by.now(),
            language=self.language(request),
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
        self,
        request: web.Request,
        status: int,
        title: str,
        text: str,
        *,
        foreign: str = "",
        again: str = "",
        label: str = "back",
    ) -> web.Response:
        """Return a page that says one thing, by the keys of its title and its text."""
        guest = self.guest(request)
        head, said = guest.language.text(title), guest.language.text(text)
        page = self.page.message(head, said, guest=guest, foreign=foreign, again=again, label=label)
        return self.html(page, guest, status=status)

    def no_page(self, request: web.Request, error: web.HTTPException) -> web.Response:
        """Return a page that says that there is none, or why a request means nothing."""
        missing = error.status == web.HTTPNotFound.status_code
        response = self.message(
            request,
            error.status,
            "title_no_page" if missing else "title_other",
            "no_page" if missing else "error_page",
            foreign="" if missing else words.sentence(error.reason),
            again="/",
            label="to_start",
        )
        if "Allow" in error.headers:
            response.headers["Allow"] = error.headers["Allow"]
        return response

    def refusal(
        self,
        request: web.Request,
        status: int,
        title: str,
        error: ReaperError | FormError,
        *,
        again: str = "",
        label: str = "back",
    ) -> web.Response:
        """Return a page that says why something was not done, in the person's words if we can."""
        guest = self.guest(request)
        text, foreign = failure(error, guest.language)
        heading = guest.language.text(title)
        page = self.page.message(
            heading, text, guest=guest, foreign=foreign, again=again, label=label
        )
        return self.html(page, guest, status=status)

    def done(self, request: web.Request, verb: str, name: str, granted: Granted) -> str:
        """Return what a person is told of what was done."""
        language, until = self.language(request), ""
        if granted.until is not None:
            zone = ZoneInfo(self.settings.zone)
            at = datetime.fromtimestamp(granted.until, tz=zone)
            until = f"{language.instant(granted.until, self.clock.now(), zone)} {at:%Z}"
        return success(verb, name, granted, until, language)

    def signed_out(self, request: web.Request, *, again: str) -> web.Response:
        """Return a page for somebody who is nobody from now on."""
        language = self.language(request)
        guest = Guest(nonce=secrets.token_urlsafe(16), now=self.told_by.now(), language=language)
        title, text = language.text("signed_out"), language.text("signed_out_text")
        page = self.page.message(title, text, guest=guest, again=again, label="sign_in")
        return self.html(page, guest)
