"""
The pages that people ask for by GET: the cluster, one allocation, what is theirs, what is asked.

Each is made for who asks; what somebody may not see does not exist for them.
"""

from asyncio import to_thread
from dataclasses import dataclass
from typing import Final

from aiohttp import web
from pydantic import ValidationError

from reaper.domain.picture import Picture, Row
from reaper.questions import Explanation
from reaper.web import words
from reaper.web.access.visitor import StrangerError, Visitor, visitor
from reaper.web.html.changes import EVERYTHING, OWN
from reaper.web.html.desk import Desk
from reaper.web.html.latest import bare, latest
from reaper.web.html.offer import Offer, offered
from reaper.web.html.page import sheet
from reaper.web.html.report_page import framed
from reaper.web.html.sight import explained, findable
from reaper.web.html.trail import trail
from reaper.web.json_api.asks import ReportAsk
from reaper.web.json_api.routes import NoReportError, Reporting
from reaper.web.languages import LANGUAGES

_DAY: Final = 86400.0
_WEEK: Final = 7 * _DAY

#: Allocations of one person of which more is read than their rows.
_EXPLAINED: Final = 50

#: Changes that the audit trail lists.
_CHANGES: Final = 500

#: Days that the audit trail shows, as somebody may choose them.
DAYS: Final = (1, 7, 30, 90)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """Answers with pages; `report` reports, where there is a ledger to report from."""

    desk: Desk
    report: Reporting | None = None

    def add(self, router: web.UrlDispatcher) -> None:
        """Add its routes."""
        router.add_get("/", self._overview)
        router.add_get("/allocation/{platform}/{id:.+}", self._allocation)
        router.add_get("/mine", self._mine)
        router.add_get("/ask/{verb}/{platform}/{id:.+}", self._ask)
        router.add_get("/queue", self._queue)
        router.add_get("/audit", self._audit)
        router.add_get("/report", self._report)

    async def _overview(self, request: web.Request) -> web.Response:
        asking = visitor(request)
        if not asking.sees_all:
            start = "/report" if asking.manager else "/mine"
            return web.Response(status=303, headers={"Location": start})
        guest, picture = self.desk.guest(request), await self.desk.picture(request)
        query = request.query.get("q", "")[:100]
        text = await to_thread(self.desk.page.overview, picture, guest=guest, query=query)
        return self.desk.html(text, guest)

    async def _mine(self, request: web.Request) -> web.Response:
        asking = visitor(request)
        if not asking.known:
            raise StrangerError(
                "nobody is asked who they are here, so nothing is yours: ask `gpu-reaper status`, "
                "or let people sign in (`web.sign_in`)"
            )
        guest, picture = self.desk.guest(request), await self.desk.picture(request)
        rows = await self.desk.questions.mine(asking.user)
        shown = rows[: self.desk.settings.rows]
        found = [await self._own(row, place, guest.now) for place, row in enumerate(shown)]
        lines = [
            (one.row, self.offer(one, f"{one.row.platform}/{one.row.id}", asking, guest.now))
            for one in found
            if one.row is not None
        ]
        past = await self.desk.questions.past(asking.user, begin=guest.now - _WEEK, end=guest.now)
        text = self.desk.page.render(
            "mine.html",
            guest,
            picture=picture,
            lines=lines,
            held=sum(row.gpus for row in rows),
            idle=sum(row.idle_gpus for row in rows),
            unclear=sum(row.gpus for row in rows if row.verdict == "unknown"),
            past=past,
            more=len(rows) - len(shown),
        )
        return self.desk.html(text, guest)

    async def _own(self, row: Row, place: int, now: float) -> Explanation:
        """Return what is known of one's own allocation; of the last of many, their rows alone."""
        if place >= _EXPLAINED:
            return bare(row, now)
        return latest(await self.desk.questions.explain(row.run_key), now)

    async def _allocation(self, request: web.Request) -> web.Response:
        name, picture, found = await self._found(request)
        guest, asking = self.desk.guest(request), visitor(request)
        offer = self.offer(found, name, asking, guest.now) if asking.known else None
        told = explained(found, asking)
        text = self.desk.page.allocation(told, picture, name=name, guest=guest, offer=offer)
        return self.desk.html(text, guest)

    async def _ask(self, request: web.Request) -> web.Response:
        """Ask whether it is meant; nothing is done until the form is sent."""
        verb = request.match_info["verb"]
        if verb not in OWN:
            raise web.HTTPNotFound
        visitor(request).identity  # noqa: B018 - nobody is asked what nobody may do
        name, picture, found = await self._found(request)
        guest = self.desk.guest(request)
        offer = self.offer(found, name, visitor(request), guest.now)
        text = self.desk.page.render(
            "ask.html",
            guest,
            picture=picture,
            verb=verb,
            offer=offer,
            action=f"/do/{verb}/{words.path(name)}",
            back=f"/allocation/{words.path(name)}",
            **sheet(explained(found, visitor(request)), name),
        )
        return self.desk.html(text, guest)

    async def _queue(self, request: web.Request) -> web.Response:
        guest, picture = self.desk.guest(request), await self.desk.picture(request)
        queue = await self.desk.questions.queue()
        text = self.desk.page.render(
            "queue.html",
            guest,
            picture=picture,
            queue=queue,
            policies=[policy.name for policy in self.desk.policies],
            everything=EVERYTHING,
        )
        return self.desk.html(text, guest)

    async def _audit(self, request: web.Request) -> web.Response:
        guest, picture = self.desk.guest(request), await self.desk.picture(request)
        named = request.query.get("days", "")
        days = int(named) if named in map(str, DAYS) else DAYS[1]
        query = request.query.get("q", "")[:100]
        events = await self.desk.questions.audit(begin=guest.now - days * _DAY, end=guest.now + 1)
        wanted = query.casefold().strip()
        keys = [event.run_key for event in events[-_CHANGES:] if event.run_key]
        names = await self.desk.questions.called(keys)
        shown = [one for one in trail(events, names) if one.has(wanted)]
        text = self.desk.page.render(
            "audit.html",
            guest,
            picture=picture,
            changes=shown,
            most=_CHANGES,
            days=days,
            choices=DAYS,
            query=query,
        )
        return self.desk.html(text, guest)

    async def _report(self, request: web.Request) -> web.Response:
        """Answer with the report of a week, in which nobody has a name."""
        if self.report is None:
            raise NoReportError("this reaper gives no report: ask `gpu-reaper report`")
        week, guest = request.query.get("week", "")[:20], self.desk.guest(request)
        try:
            code = guest.language.code if guest.language.code in LANGUAGES else ""
            ask = ReportAsk.model_validate({"form": "html", "week": week, "language": code})
        except ValidationError:
            raise NoReportError(f"{week!r} is no ISO week: write for example 2026-W48") from None
        report = await self.report(ask)
        assert isinstance(report, str)  # noqa: S101 - only a PDF is none
        return self.desk.html(framed(self.desk.page, report, guest=guest, week=week), guest)

    # -------------------------------------------------------------- one allocation

    async def _found(self, request: web.Request) -> tuple[str, Picture, Explanation]:
        name = f"{request.match_info['platform']}/{request.match_info['id']}"
        picture = await self.desk.picture(request)
        one = await findable(self.desk.questions, name, visitor(request))
        return name, picture, latest(one, self.desk.clock.now())

    def offer(self, one: Explanation, name: str, asking: Visitor, now: float) -> Offer:
        """Return what this person may ask of an allocation."""
        return offered(one, self.desk.rule(one.row), name=name, user=asking.user, now=now)
