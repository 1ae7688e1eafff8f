"""Fetching the page: whatever the other side does, it ends, and is told in words."""

import asyncio
import re

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from exporter.clock import SystemClock
from exporter.dcgm.source import DcgmExporter
from exporter.sampling.snapshot import Absent, Activity, Device, Round, Turn
from tests.exporter.dcgm.pages import CARD, page

UNSUPPORTED = Absent(state="unsupported", reason="no monitor")
TEXT = page("SM_ACTIVE 0.5")


async def good(request):
    return web.Response(text=TEXT)


async def broken(request):
    return web.Response(status=500)


async def moved(request):
    raise web.HTTPFound("/other")


async def silent(request):
    await asyncio.Event().wait()


async def endless(request):
    answer = web.StreamResponse()
    await answer.prepare(request)
    while True:
        await answer.write(b"x" * 65536)


async def trickling(request):
    answer = web.StreamResponse()
    await answer.prepare(request)
    await answer.write(TEXT.encode())
    await asyncio.Event().wait()


async def guarded(request):
    given = request.headers.get("Authorization", "")
    return web.Response(text=TEXT if given == "Basic bWlyYTpwdw==" else "")


@pytest.fixture
async def serve():
    """Give `serve(handler)`: the base of an address where it answers."""
    servers = []

    async def begin(handler):
        app = web.Application()
        app.router.add_get("/metrics", handler)
        servers.append(TestServer(app))
        await servers[-1].start_server(shutdown_timeout=0.1)
        return f"127.0.0.1:{servers[-1].port}/metrics"

    yield begin
    for server in servers:
        await server.close()


async def sm(address, *, user="", interval=30.0):
    """Read once; return the multiprocessors' signal."""
    dcgm = DcgmExporter(f"http://{user}{address}", interval, SystemClock())
    await dcgm.once()
    reading = Activity(gpu=CARD, at=1.0, signals={"sm": UNSUPPORTED}, links={})
    turn = Turn(collector="activity", duration=0.1, finding=(reading,))
    device = Device(uuid=CARD, index=0)
    answer = Round(at=1.0, wall=1.0, driver="nvml", devices=(device,), turns=(turn,))
    return dcgm.complete(answer).turns[0].finding[0].signals["sm"]


async def test_a_page_is_read(serve):
    assert (await sm(await serve(good))).value == 0.5


async def test_the_name_in_the_address_opens_the_page(serve):
    assert (await sm(await serve(guarded), user="mira:pw@")).value == 0.5


@pytest.mark.parametrize(
    ("handler", "interval", "words"),
    [
        (broken, 30, "answers with status 500"),
        (moved, 30, "answers with status 302"),
        (silent, 0.2, "does not answer in time"),
        (trickling, 0.2, "does not answer in time"),
        (endless, 30, "serves a page of more than 4 MiB"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_a_page_that_does_not_come_is_stale_with_its_reason(serve, handler, interval, words):
    found = await sm(await serve(handler), interval=interval)

    assert (found.state, words in found.reason) == ("stale", True)


async def test_nobody_there_is_stale_with_its_reason():
    found = await sm("127.0.0.1:9/metrics")

    assert found.state == "stale"
    assert re.search(r"127\.0\.0\.1:9 cannot be read", found.reason)


async def test_a_page_is_read_again_every_interval(serve):
    count = 0

    async def counted(request):
        nonlocal count
        count += 1
        return web.Response(text=TEXT)

    dcgm = DcgmExporter(f"http://{await serve(counted)}", 0.05, SystemClock())
    task = asyncio.create_task(dcgm.run())
    async with asyncio.timeout(60):
        while count < 3:
            await asyncio.wait({task}, timeout=0.02)
    task.cancel()
    await asyncio.wait({task})

    assert count >= 3
