"""Connections of a site: half requests end, crowds are bounded, nonsense does not fill the log."""

import asyncio
import logging
import socket
import ssl
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import aiohttp
import pytest
from aiohttp import web
from aiohttp.http_exceptions import BadHttpMessage

from reaper.web.crowd import FEW, MalformedFilter, serve
from tests.certificates import Authority

GOOD = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
SOON = 5.0


class Gate:
    """Where a slow page waits; `reached` counts who is there."""

    def __init__(self):
        self.opened = asyncio.Event()
        self.reached = asyncio.Semaphore(0)


@asynccontextmanager
async def site(*, most=3, **given):
    """Serve one page; give its address, and the gate that its slow page waits at."""
    gate = Gate()

    async def slow(_request: web.Request) -> web.Response:
        gate.reached.release()
        await gate.opened.wait()
        return web.Response(text="late")

    async def quick(request: web.Request) -> web.Response:
        return web.Response(text=f"{len(await request.read())}")

    app = web.Application()
    app.router.add_get("/", quick)
    app.router.add_post("/", quick)
    app.router.add_get("/slow", slow)
    async with AsyncExitStack() as stack:
        bound = socket.create_server(("127.0.0.1", 0))
        bound.setblocking(False)
        address = bound.getsockname()[:2]
        await serve(app, bound, stack, elapsed=lambda: 0.0, most=most, **given)
        stack.push_async_callback(close_all)
        yield address, gate
        gate.opened.set()


OPEN: list[asyncio.StreamWriter] = []
"""The writers that a test has opened."""


async def close_all() -> None:
    """Close what a test has opened."""
    while OPEN:
        writer = OPEN.pop()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def connected(address, data=b""):
    reader, writer = await asyncio.open_connection(*address)
    OPEN.append(writer)
    writer.write(data)
    await writer.drain()
    return reader, writer


async def ended(reader) -> bool:
    """Tell whether the other side ends a connection within some seconds."""
    try:
        async with asyncio.timeout(SOON):
            while await reader.read(4096):
                pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


HURRIED = 0.1
"""Seconds in which a header must come, where a test waits for it."""


@pytest.mark.parametrize(
    "data",
    [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: 1", GOOD + b"GET / HTTP/1.1\r\nHo"],
)
async def test_half_a_request_ends(data):
    async with site(patience=HURRIED) as (address, _):
        reader, _writer = await connected(address, data)

        assert await ended(reader)


async def test_a_request_that_comes_in_drops_ends_all_the_same():
    async with site(patience=HURRIED) as (address, _):
        reader, writer = await connected(address)
        ending = asyncio.create_task(ended(reader))
        for byte in GOOD[:-1]:
            if ending.done():
                break
            writer.write(bytes([byte]))
            await asyncio.wait([ending], timeout=0.02)

        assert await ending


async def test_a_body_that_does_not_come_is_told():
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf"
    async with site(patience=HURRIED) as (address, _):
        reader, _writer = await connected(address, head)

        assert (await reader.readline()).startswith(b"HTTP/1.1 408")


async def test_a_body_that_breaks_off_is_no_error_of_ours(caplog):
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf"
    async with site() as (address, _):
        _, writer = await connected(address, head)
        await (await connected(address, GOOD))[0].readline()
        writer.transport.abort()
        await (await connected(address, GOOD))[0].readline()

    assert "Traceback" not in caplog.text


async def test_the_connection_that_has_been_idle_longest_makes_room():
    async with site(most=3) as (address, _):
        crowd_of = [await connected(address, GOOD) for _ in range(3)]
        for reader, _ in crowd_of:
            await reader.readuntil(b"\r\n\r\n0")
        crowd_of[0][1].write(GOOD)
        await crowd_of[0][0].readuntil(b"\r\n\r\n0")
        new, _writer = await connected(address, GOOD)

        assert (await new.readline()).startswith(b"HTTP/1.1 200")
        assert await ended(crowd_of[1][0])
        crowd_of[0][1].write(GOOD)
        assert (await crowd_of[0][0].readline()).startswith(b"HTTP/1.1 200")


async def test_those_who_are_served_are_not_disturbed_by_a_crowd():
    async with site(most=2) as (address, gate):
        served = [await connected(address, GOOD.replace(b"/ ", b"/slow ", 1)) for _ in range(2)]
        for _ in served:
            await gate.reached.acquire()
        late, _writer = await connected(address, GOOD)

        assert await ended(late)
        gate.opened.set()
        for reader, _each in served:
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")


async def test_half_a_handshake_ends(tmp_path):
    async with site(tls=tls(tmp_path), patience=HURRIED) as (address, _):
        reader, _writer = await connected(address)

        assert await ended(reader)


async def test_half_handshakes_make_room_for_a_whole_one(tmp_path):
    context = tls(tmp_path)
    trusted = ssl.create_default_context(cafile=tmp_path / "authority.pem")
    async with site(tls=context, most=4) as (address, _):
        flood = [await connected(address) for _ in range(12)]
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=trusted)) as client:
            url = f"https://{address[0]}:{address[1]}/"
            async with client.get(url) as response:
                assert await response.text() == "0"

        assert await ended(flood[0][0])


def tls(folder) -> ssl.SSLContext:
    certificate, key = Authority(folder).sign("gpus", "IP:127.0.0.1")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return context


async def test_a_thousand_connections_leave_room_for_one_more():
    async with site(most=50) as (address, _):
        [await connected(address, b"GET") for _ in range(300)]
        async with aiohttp.ClientSession() as client:
            url = f"http://{address[0]}:{address[1]}/"
            async with client.get(url) as response:
                assert await response.text() == "0"


# ------------------------------------------------------------------ the log


async def test_nonsense_is_told_in_one_line(caplog):
    async with site(most=50) as (address, _):
        for _ in range(20):
            reader, _writer = await connected(address, b"GET / HTTP/9.9\r\n\x00: \x01\r\n\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.0 400")

    lines = [record for record in caplog.records if "malformed" in record.getMessage()]
    assert len(lines) == 1
    assert "Traceback" not in caplog.text


def record(error: Exception | None) -> logging.LogRecord:
    info = (type(error), error, None) if error else None
    return logging.LogRecord("x", logging.ERROR, "x", 1, "Error handling request", (), info)


def test_the_next_minutes_line_counts_those_that_were_not_told():
    now = [0.0]
    told = MalformedFilter(lambda: now[0])
    first = record(BadHttpMessage("no"))
    assert told.filter(first)
    assert not told.filter(record(BadHttpMessage("no")))
    assert not told.filter(record(BadHttpMessage("no")))
    now[0] = 60.0
    later = record(BadHttpMessage("no"))

    assert told.filter(later)
    assert later.getMessage() == "malformed request (2 more before it)"
    assert (later.levelname, later.exc_info) == ("WARNING", None)


def test_an_error_of_our_own_keeps_its_traceback():
    told = MalformedFilter(lambda: 0.0)
    ours = record(RuntimeError("broken"))

    assert told.filter(ours)
    assert told.filter(record(None))
    assert ours.exc_info is not None


# ------------------------------------------------------------------ strangers


HALF = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf"
FRIEND = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Friend: yes\r\n\r\n"
SLOW = b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"


def friend(request: web.Request) -> bool:
    return "X-Friend" in request.headers


async def test_half_bodies_of_strangers_hold_no_place_against_who_is_known():
    async with site(known=friend) as (address, _):
        strangers = [await connected(address, HALF) for _ in range(3)]
        reader, _ = await connected(address, FRIEND)

        assert b"200" in await reader.readline()
        assert await ended(strangers[0][0])


async def test_who_is_known_and_rests_outlasts_strangers():
    async with site(known=friend) as (address, _):
        reader, writer = await connected(address, FRIEND)
        await reader.readuntil(b"\r\n\r\n")
        await reader.read(1)
        for _ in range(6):
            await connected(address, HALF)
        writer.write(FRIEND)

        assert b"200" in await reader.readline()


async def test_few_strangers_are_answered_at_a_time_and_the_known_beside_them():
    async with site(most=100, known=friend) as (address, gate):
        for _ in range(FEW + 3):
            await connected(address, SLOW)
        for _ in range(FEW):
            await gate.reached.acquire()
        stranger, _ = await connected(address, GOOD)
        reader, _ = await connected(address, FRIEND)

        assert b"200" in await reader.readline()
        assert gate.reached.locked()
        gate.opened.set()
        assert b"200" in await stranger.readline()


async def test_a_stranger_who_waits_too_long_is_sent_away():
    async with site(most=100, known=friend, patience=HURRIED) as (address, gate):
        for _ in range(FEW):
            await connected(address, SLOW)
        for _ in range(FEW):
            await gate.reached.acquire()
        stranger, _ = await connected(address, GOOD)

        assert b"503" in await stranger.readline()
