"""A site's own tool on loopback that takes events, or fails as real ones do."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

KEY = "webhook-invented-and-never-repeated"
"""What no log, message or error may hold."""

#: What it answers instead of taking an event: status and headers.
ANSWERS: dict[str, tuple[int, dict[str, str]]] = {
    "moved": (302, {"Location": "https://elsewhere.example.org/"}),
    "not found": (404, {}),
    "signature refused": (401, {}),
    "too many": (429, {"Retry-After": "7"}),
    "too many for an age": (429, {"Retry-After": "999999999"}),
    "out of order": (500, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}),
    "away": (503, {}),
}


@dataclass(slots=True)
class FakeWebhook:
    """A tool: what it got, and how it answers the next event."""

    url: str = ""
    fault: str = ""
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    attempts: int = 0
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one event."""
        self.attempts += 1
        body = await request.read()
        if self.fault == "hangs":
            await self._over.wait()
        if self.fault == "closes" and request.transport:
            request.transport.close()
        if self.fault in ANSWERS:
            status, headers = ANSWERS[self.fault]
            return web.Response(status=status, headers=headers, text=f"no: {KEY}")
        if not self.fault:
            self.bodies.append(body)
            self.headers.append(dict(request.headers))
        return web.Response(status=202)

    def stop(self) -> None:
        """Let go of what hangs."""
        self._over.set()


@asynccontextmanager
async def webhook(tls: ssl.SSLContext | None = None) -> AsyncIterator[FakeWebhook]:
    """Serve until the block ends."""
    fake = FakeWebhook()
    app = web.Application()
    app.router.add_post("/hook", fake.handle)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
    await site.start()
    scheme = "https" if tls else "http"
    fake.url = f"{scheme}://127.0.0.1:{runner.addresses[0][1]}/hook"
    try:
        yield fake
    finally:
        fake.stop()
        await runner.cleanup()
