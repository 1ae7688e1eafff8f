"""The workspace on loopback in a thread of its own, with the time of each message."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from aiohttp import web

from tests.fakes_slack import FakeSlack, slack


@dataclass(slots=True)
class TimedSlack(FakeSlack):
    """A workspace that knows when each message came."""

    times: list[float] = field(default_factory=list)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one call."""
        before = len(self.posts)
        response = await FakeSlack.handle(self, request)
        self.times += [time.time()] * (len(self.posts) - before)
        return response


@contextmanager
def serving(people: dict[str, str]) -> Iterator[TimedSlack]:
    """Serve a workspace until the block ends."""
    fake = TimedSlack(people=people)
    loop = asyncio.new_event_loop()
    ready, over = threading.Event(), asyncio.Event()

    async def serve() -> None:
        async with slack(fake):
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    assert ready.wait(60), "the workspace does not open"
    try:
        yield fake
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(60)
        loop.close()
