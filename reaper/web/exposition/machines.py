"""What machines read beside the API: metrics, health, and what the board holds."""

import hmac
from asyncio import to_thread
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from reaper.ports import Clock, StoreError
from reaper.questions import Questions
from reaper.web.access.visitor import StrangerError
from reaper.web.exposition import metrics
from reaper.web.exposition.metrics import Scene
from reaper.web.exposition.sums import WeekSums
from reaper.web.guards import plain
from reaper.web.html.view import STALE, stale
from reaper.web.json_api.answers import answer
from reaper.web.json_api.statuses import UNWELL
from reaper.web.settings import WebSettings

METRICS: Final = "/metrics"
#: Bytes of a request where nothing is sent.
_LARGEST: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Machines:
    """
    Answers what no person reads; `rate` is how many times as fast the clock runs.

    `clock` counts on from the last turn: its age is told by monotonic time.
    """

    questions: Questions
    clock: Clock
    settings: WebSettings
    version: str
    cycling: Callable[[], bool]
    debug: Callable[[], object]
    weeks: Callable[[], tuple[WeekSums, ...]]
    rate: float
    metrics_token: str = ""

    def add(self, router: web.UrlDispatcher) -> None:
        """Add its routes."""
        self.add_open(router)
        router.add_get("/debug/board", self._board)

    def add_open(self, router: web.UrlDispatcher) -> None:
        """Add what may be asked from elsewhere: probes, and metrics."""
        router.add_get(METRICS, self._metrics)
        router.add_get("/healthz", self._healthy)
        router.add_get("/readyz", self._ready)

    def application(self) -> web.Application:
        """Return the application of a port without pages."""
        app = web.Application(middlewares=[plain, self.scraping], client_max_size=_LARGEST)
        self.add_open(app.router)
        return app

    @web.middleware
    async def scraping(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let whoever proves to be a scraper read metrics; probes need to prove nothing."""
        if request.path == METRICS and not self.may_scrape(request):
            raise StrangerError("metrics are for scrapers here: send web.metrics_token as Bearer")
        return await handler(request)

    def may_scrape(self, request: web.Request) -> bool:
        """Tell whether somebody whom nobody knows may read metrics."""
        return self.settings.open_metrics or self.scraper(request)

    def scraper(self, request: web.Request) -> bool:
        """Tell whether a request for metrics proves itself by the configured word."""
        given = request.headers.get("Authorization", "").encode("utf-8", "replace")
        wanted = f"Bearer {self.metrics_token}".encode()
        return bool(self.metrics_token) and hmac.compare_digest(given, wanted)

    async def _metrics(self, _request: web.Request) -> web.Response:
        picture = await self.questions.status()
        scene = None
        if picture:
            scene = Scene(
                picture=picture,
                now=self.clock.now(),
                version=self.version,
                owners=self.settings.owners_on_metrics,
                bound=self.settings.idle_on_metrics,
                weeks=self.weeks(),
            )
        page = await to_thread(metrics.render, scene)
        return web.Response(body=page, headers={"Content-Type": metrics.CONTENT_TYPE})

    async def _healthy(self, _request: web.Request) -> web.Response:
        if self.cycling():
            return web.Response(text="ok\n")
        return web.Response(status=503, text="the cycle has ended\n")

    async def _ready(self, _request: web.Request) -> web.Response:
        try:
            picture = await self.questions.status()
        except StoreError:
            # Everybody may ask: where the store lies is for operators.
            return web.Response(status=503, text=f"{UNWELL}\n")
        if picture is None:
            return web.Response(status=503, text="no cycle was written yet\n")
        now = self.clock.now()
        if stale(picture, now, self.rate):
            return web.Response(status=503, text=_late(now - picture.at))
        return web.Response(text="ready\n")

    async def _board(self, _request: web.Request) -> web.Response:
        return answer(self.debug())


def _late(age: float) -> str:
    if age < 0:
        return f"the last cycle lies {-age:.0f} s in the future: the clock was set back\n"
    return f"no cycle for {age:.0f} s, that is over {STALE} steps\n"
