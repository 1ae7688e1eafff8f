"""Forms of people who are signed in: checked, done through a request, told on the next page."""

from dataclasses import dataclass

from aiohttp import web

from reaper.requests import RefusedError
from reaper.web import words
from reaper.web.access.visitor import NotYoursError, visitor
from reaper.web.html import forms
from reaper.web.html.changes import OPERATOR, OWN, Changes, FormError, asked
from reaper.web.html.desk import Desk
from reaper.web.html.sight import findable


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """Answers to forms, with a redirect to a page of ours."""

    desk: Desk

    def add(self, router: web.UrlDispatcher) -> None:
        """Add its routes."""
        router.add_post("/do/{verb}/{name:.+}", self._do)

    async def _do(self, request: web.Request) -> web.Response:
        asking, now = visitor(request), self.desk.clock.now()
        verb, name = request.match_info["verb"], request.match_info["name"]
        if verb not in (*OWN, *OPERATOR):
            raise web.HTTPNotFound
        by = asking.identity
        own = forms.origins(request, self.desk.settings.address)
        fields = await forms.posted(request, self.desk.seal, bound=asking.bound, now=now, own=own)
        if verb in OPERATOR and not asking.operator:
            raise NotYoursError("only operators may do this")
        if verb == "pause":
            name = fields.get("policy", name)
        if verb in OWN:
            await findable(self.desk.questions, name, asking)
        back = f"/allocation/{words.path(name)}" if verb in OWN else "/queue"
        try:
            granted = await Changes(requests=self.desk.requests, now=now).make(
                verb, asked(verb, name, fields), by
            )
        except (RefusedError, FormError) as error:
            status = 403 if isinstance(error, RefusedError) else 400
            return self.desk.refusal(request, status, "not_done", error, again=back)
        response = web.Response(status=303, headers={"Location": back})
        said = self.desk.done(request, verb, name, granted)
        self.desk.sessions.tell(response, said, asking.bound, now)
        return response
