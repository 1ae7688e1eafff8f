"""
The JSON API that page and command line share.

Reading shows everybody what their role may see.  Changing exists on the unix socket alone, by POST,
under the identity that the kernel gives.
"""

from asyncio import to_thread
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from math import isfinite, nan
from typing import Final, Protocol, TypeVar, cast

from aiohttp import web
from pydantic import ValidationError

from reaper.domain.money.entries import Event
from reaper.domain.picture import Picture
from reaper.ports import Clock, ReaperError
from reaper.questions import Questions
from reaper.requests import Granted, Identity, RefusedError, Requests, UsedTokenError
from reaper.web.access.identity import Connection, identify, is_unix, once, peer
from reaper.web.access.visitor import NotYoursError, StrangerError, visitor
from reaper.web.html.headline import headline
from reaper.web.html.sight import explained, findable, seen
from reaper.web.json_api import openapi
from reaper.web.json_api.answers import answer, body, problem
from reaper.web.json_api.asks import (
    FOR_OPERATORS,
    FORMS,
    ApproveAsk,
    Change,
    DisputeAsk,
    KeepAsk,
    PauseAsk,
    ReleaseAsk,
    ReportAsk,
    ResumeAsk,
    RuleAsk,
    wrong,
)
from reaper.web.json_api.showing import Status
from reaper.web.json_api.told import Explained, History, Mine, installed
from reaper.web.settings import Operators

_DAY: Final = 86400.0

_DONE: Final = "it was done already, when it was asked with this key before"


class NoCycleError(ReaperError):
    """Nothing can be told before the first cycle was written."""


class NoReportError(ReaperError):
    """There is no such report; the message says which there are."""


#: A report shows and asks nothing but itself.
REPORT_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"
}

#: Forms that a browser keeps as a file, and what such a file is called.
_ENDINGS: Final = {"csv": "csv", "focus": "focus.csv", "focus-1.3": "focus.csv", "pdf": "pdf"}

A = TypeVar("A", bound=Change)


class Eventful(Protocol):
    """Tells what happened."""

    def __call__(self, *, begin: float, end: float) -> Awaitable[Sequence[Event]]:
        """Return the events of ``[begin, end)``, oldest first."""


class Reporting(Protocol):
    """Gives reports."""

    def __call__(self, ask: ReportAsk, /) -> Awaitable[str | bytes]:
        """Return a report as asked, a PDF as bytes; raise ReaperError where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """Answers questions and passes requests on."""

    questions: Questions
    requests: Requests
    clock: Clock
    told_by: Clock
    operators: Operators
    report: Reporting | None = None
    rate: float = 1.0
    beat: Callable[[], float] | None = None
    """How fast the clock runs at this moment, where that changes."""

    def read(self, router: web.UrlDispatcher) -> None:
        """Add what may be asked by GET."""
        router.add_get("/api/v1/status", self._status)
        router.add_get("/api/v1/allocations/{platform}/{id:.+}", self._explain)
        router.add_get("/api/v1/explain", self._explain_by_name)
        router.add_get("/api/v1/history", self._history)
        router.add_get("/api/v1/report", self._report)
        router.add_get("/api/v1/mine", self._mine)
        router.add_get("/api/v1/queue", self._queue)
        router.add_get("/api/v1/audit", self._audit)
        router.add_get(openapi.PATH, self._openapi)

    def change(self, router: web.UrlDispatcher) -> None:
        """Add what may be asked by POST, with the peer's credentials."""
        router.add_post("/api/v1/keep", self._changing(KeepAsk, self._keep))
        router.add_post("/api/v1/release", self._changing(ReleaseAsk, self._release))
        router.add_post("/api/v1/dispute", self._changing(DisputeAsk, self._dispute))
        router.add_post("/api/v1/pause", self._changing(PauseAsk, self._pause))
        router.add_post("/api/v1/resume", self._changing(ResumeAsk, self._resume))
        router.add_post("/api/v1/rule", self._changing(RuleAsk, self._rule))
        router.add_post("/api/v1/approve", self._changing(ApproveAsk, self._approve))

    # -------------------------------------------------------------- questions

    async def _status(self, request: web.Request) -> web.Response:
        asking, now = visitor(request), self.told_by.now()
        brief = asking.sees_all and request.query.get("brief") == "yes"
        picture = seen(await self._picture(brief=brief), asking)
        told = Status(
            now=now,
            rate=self.beat() if self.beat else self.rate,
            picture=picture,
            whole=asking.sees_all,
            headline=headline(picture, now, self.rate).text,
        )
        return _json(await to_thread(body, told))

    async def _explain(self, request: web.Request) -> web.Response:
        return await self._explained("{platform}/{id}".format_map(request.match_info), request)

    async def _explain_by_name(self, request: web.Request) -> web.Response:
        return await self._explained(request.query.get("name", ""), request)

    async def _explained(self, name: str, request: web.Request) -> web.Response:
        picture, asking = await self._picture(), visitor(request)
        found = await findable(self.questions, name, asking)
        told = Explained(
            now=self.told_by.now(),
            rate=self.rate,
            step=picture.step,
            currency=picture.currency,
            explanation=explained(found, asking),
        )
        return answer(told)

    async def _picture(self, *, brief: bool = False) -> Picture:
        picture = await (self.questions.brief() if brief else self.questions.status())
        if picture is None:
            raise NoCycleError("no cycle was written yet: ask again in a minute")
        return picture

    async def _history(self, request: web.Request) -> web.Response:
        self._for_operators(request)
        return await self._events(request, self.questions.history)

    async def _audit(self, request: web.Request) -> web.Response:
        self._for_operators(request)
        return await self._events(request, self.questions.audit)

    async def _events(self, request: web.Request, ask: Eventful) -> web.Response:
        now = self.clock.now()
        try:
            begin = float(request.query.get("begin", now - _DAY))
            end = float(request.query.get("end", now))
        except ValueError:
            begin = end = nan
        if not (isfinite(begin) and isfinite(end)):
            return problem(400, "begin and end are Unix seconds, for example begin=1773100800")
        events = await ask(begin=begin, end=end)
        return answer(History(begin=begin, end=end, events=tuple(events)))

    async def _mine(self, request: web.Request) -> web.Response:
        """Tell a person's own allocations: who signed in, or whom the unix socket names."""
        user = visitor(request).user
        if not user:
            raise StrangerError("nobody is signed in, so nothing is anybody's own here")
        return answer(Mine(now=self.told_by.now(), user=user, rows=await self.questions.mine(user)))

    async def _queue(self, request: web.Request) -> web.Response:
        self._for_operators(request)
        return answer(await self.questions.queue())

    async def _report(self, request: web.Request) -> web.Response:
        if self.report is None:
            return problem(404, "this reaper gives no report: ask `gpu-reaper report`")
        query = dict(request.query)
        form = query.pop("format", "json")
        if form not in FORMS:
            return problem(400, f"format is one of {', '.join(FORMS)}")
        try:
            ask = ReportAsk.model_validate({**query, "form": form})
        except ValidationError as error:
            return problem(400, wrong(error))
        if not visitor(request).sees_all and (ask.names or ask.team or form in FOR_OPERATORS):
            raise NotYoursError(
                "only operators may see names: ask for html, pdf, markdown or focus"
            )
        found = await self.report(ask)
        response = web.Response(content_type=FORMS[form], headers=REPORT_HEADERS)
        if isinstance(found, str):
            response.text = found
        else:
            response.body = found
        if form in _ENDINGS:
            name = f"gpu-report{'-' if ask.week else ''}{ask.week}.{_ENDINGS[form]}"
            response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    async def _openapi(self, _request: web.Request) -> web.Response:
        return _json(await to_thread(body, openapi.description(installed())))

    def _for_operators(self, request: web.Request) -> None:
        """Refuse everybody else, on the unix socket too: it tells what others asked for."""
        asking = visitor(request)
        if not (asking.operator if is_unix(connection(request)) else asking.sees_all):
            raise NotYoursError("only operators may see what others asked for (see `operators:`)")

    # -------------------------------------------------------------- requests

    def _peer(self, request: web.Request) -> Identity:
        return identify(peer(connection(request)), self.operators)

    def _changing(
        self, kind: type[A], change: Callable[[A, Identity], Awaitable[Granted]]
    ) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def handle(request: web.Request) -> web.Response:
            by = self._peer(request)
            try:
                asked = kind.model_validate_json(await request.read())
            except ValidationError as error:
                return problem(400, wrong(error))
            try:
                return answer(await change(asked, once(by, request.path, asked)))
            except UsedTokenError:
                return answer(Granted(text=_DONE))

        return handle

    async def _keep(self, asked: KeepAsk, by: Identity) -> Granted:
        if asked.seconds is None:
            return await self.requests.keep_until_morning(
                name=asked.name, reason=asked.reason, by=by
            )
        return await self.requests.keep(
            name=asked.name, seconds=asked.seconds, reason=asked.reason, by=by
        )

    async def _release(self, asked: ReleaseAsk, by: Identity) -> Granted:
        return await self.requests.release(
            name=asked.name, reason=asked.reason, by=by, confirmed=asked.confirm
        )

    async def _dispute(self, asked: DisputeAsk, by: Identity) -> Granted:
        return await self.requests.dispute(name=asked.name, reason=asked.reason, by=by)

    async def _pause(self, asked: PauseAsk, by: Identity) -> Granted:
        until = None if asked.seconds is None else self.clock.now() + asked.seconds
        return await self.requests.pause(
            reason=asked.reason, by=by, until=until, policy=asked.policy
        )

    async def _rule(self, asked: RuleAsk, by: Identity) -> Granted:
        return await self.requests.rule(
            name=asked.name, upheld=asked.upheld, reason=asked.reason, by=by
        )

    async def _approve(self, asked: ApproveAsk, by: Identity) -> Granted:
        return await self.requests.approve(name=asked.name, reason=asked.reason, by=by)

    async def _resume(self, asked: ResumeAsk, by: Identity) -> Granted:
        return await self.requests.resume(reason=asked.reason, by=by, hold=asked.hold)


def connection(request: web.Request) -> Connection:
    """Return the socket that a request came by; raise RefusedError where that is gone."""
    transport = request.transport
    found = transport.get_extra_info("socket") if transport else None
    if found is None:
        raise RefusedError("connection-gone")
    return cast("Connection", found)


def _json(text: str) -> web.Response:
    return web.Response(text=text, content_type="application/json")
