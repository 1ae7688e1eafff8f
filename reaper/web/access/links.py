"""
Signed links: one person's right to answer one notice, once, without signing in.

To follow a link shows and asks; only the form on its page does anything.
"""

from dataclasses import dataclass
from typing import Final

from aiohttp import web

from reaper.domain.escalation.token import Token, opened, use_id
from reaper.questions import Explanation, UnknownAllocationError
from reaper.requests import Identity, RefusedError
from reaper.web.access.proxy import client
from reaper.web.access.visitor import Visitor
from reaper.web.attempts import Attempts
from reaper.web.html import forms
from reaper.web.html.changes import OWN, Changes, FormError, asked
from reaper.web.html.desk import Desk
from reaper.web.html.latest import latest
from reaper.web.html.offer import Offer, offered
from reaper.web.html.page import sheet
from reaper.web.html.sight import explained, seen

CHANNEL: Final = "link"


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Answers signed links; `key` is what they are signed with."""

    desk: Desk
    key: bytes
    attempts: Attempts

    def add(self, router: web.UrlDispatcher) -> None:
        """Add its routes."""
        router.add_get("/answer/{token}", self._show)
        router.add_post("/answer/{token}", self._answer)

    async def _show(self, request: web.Request) -> web.Response:
        token = await self._opened(request)
        if token is None:
            return self._stale(request)
        verb = request.query.get("do", "").replace("-", "_")
        return await self._page(request, token, verb if verb in OWN else "")

    async def _answer(self, request: web.Request) -> web.Response:
        token = await self._opened(request)
        if token is None:
            return self._stale(request)
        text = request.match_info["token"]
        asking, now = _visitor(token, text), self.desk.clock.now()
        own = forms.origins(request, self.desk.settings.address)
        fields = dict(
            await forms.posted(request, self.desk.seal, bound=asking.bound, now=now, own=own)
        )
        verb = fields.pop("do", "")
        by = Identity(user=token.user, channel=CHANNEL, token=use_id(text))
        try:
            granted = await Changes(requests=self.desk.requests, now=now).make(
                verb, asked(verb, token.run_key, fields), by
            )
        except (RefusedError, FormError) as error:
            status = 403 if isinstance(error, RefusedError) else 400
            return self.desk.refusal(request, status, "not_done", error, again="?")
        said = self.desk.done(request, verb, await self._called(token), granted)
        response = web.Response(status=303, headers={"Location": "?"})
        self.desk.sessions.tell(response, said, asking.bound, now)
        return response

    async def _called(self, token: Token) -> str:
        """Return what people call the allocation that a link is about."""
        try:
            return _name(await self.desk.questions.explain(token.run_key))
        except UnknownAllocationError:
            return token.run_key

    # -------------------------------------------------------------- tokens

    async def _opened(self, request: web.Request) -> Token | None:
        """
        Return what a link's token says; None where it holds no longer, or never did.

        Guesses are counted by address; one that holds is answered wherever others guess.
        """
        text = request.match_info["token"]
        token = opened(text, self.key, self.desk.clock.now())
        if token is None:
            here = client(request, self.desk.settings.proxies)
            self.attempts.admit(here)
            self.attempts.refuse(here)
        else:
            await self.desk.greet(request, _visitor(token, text))
        return token

    def _stale(self, request: web.Request) -> web.Response:
        return self.desk.message(request, 410, "dead_link", "dead_link_text")

    async def _page(self, request: web.Request, token: Token, verb: str) -> web.Response:
        asking = _visitor(token, request.match_info["token"])
        try:
            found = await self.desk.questions.explain(token.run_key)
        except UnknownAllocationError:
            return self.desk.message(request, 410, "dead_link", "forgotten_link")
        guest = self.desk.guest(request, asking)
        one = latest(found, guest.now)
        picture = await self.desk.questions.status()
        text = self.desk.page.render(
            "answer.html",
            guest,
            picture=seen(picture, asking) if picture else None,
            verb=verb,
            offer=self._offer(one, token, guest.now),
            until=token.expires,
            used=await self.desk.questions.used(asking.session),
            **sheet(explained(one, asking), _name(one)),
        )
        return self.desk.html(text, guest)

    def _offer(self, one: Explanation, token: Token, now: float) -> Offer:
        rule = self.desk.rule(one.row)
        offer = offered(one, rule, name=token.run_key, user=token.user, now=now)
        yours = one.row is None or one.row.owner == token.user
        return offer if yours else Offer(name=offer.name)


def _visitor(token: Token, text: str) -> Visitor:
    return Visitor(user=token.user, channel=CHANNEL, session=use_id(text))


def _name(one: Explanation) -> str:
    if one.row is not None:
        return f"{one.row.platform}/{one.row.id}"
    return str(one.tenures[-1].run) if one.tenures else one.run_key
