"""Who has to go when too many are there, and who may stay."""

import asyncio
import contextlib
import ssl

import pytest
from aiohttp import web

from exporter.clock import SystemClock
from exporter.serving import connections
from exporter.serving.connections import ConnectionLimiter, Silence
from tests.certificates import Authority

MOST = 4
LARGE = 32 << 20


class Served:
    """An application behind a limiter, and the clients that were made."""

    def __init__(self, tls=None, silence=None):
        self.limiter = ConnectionLimiter(MOST, SystemClock(), tls, silence)
        self.finish = asyncio.Event()
        self.asked = asyncio.Event()
        app = web.Application(middlewares=[self.limiter.middleware])
        app.router.add_get("/quick", self.quick)
        app.router.add_get("/slow", self.slow)
        app.router.add_get("/large", self.large)
        self.runner = web.AppRunner(app, access_log=None)
        self.made = []

    async def quick(self, _request):
        return web.Response(text="quick")

    async def large(self, _request):
        return web.Response(body=bytes(LARGE))

    async def slow(self, _request):
        self.asked.set()
        await self.finish.wait()
        return web.Response(text="slow")

    async def begin(self):
        await self.runner.setup()
        (listening,) = await connections.listen("127.0.0.1", 0)
        self.port = listening.getsockname()[1]
        self.limiter.open(self.runner.server, [listening])

    async def end(self):
        await self.limiter.close()
        await self.runner.cleanup()
        for writer in self.made:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def connect(self, words=b""):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.made.append(writer)
        writer.write(words)
        return reader

    async def ask(self, path, **words):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, **words)
        self.made.append(writer)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        return reader


async def ended(reader):
    """Say whether a connection was ended, without an answer."""
    try:
        async with asyncio.timeout(60):
            return await reader.read(100) == b""
    except ConnectionError:
        return True


async def answer(reader):
    async with asyncio.timeout(60):
        return (await reader.readuntil(b"\r\n")).decode().strip()


@pytest.fixture
async def serve():
    """Give `serve(tls=…, silence=…)`: an application behind a limiter."""
    made = []

    async def begin(**words):
        made.append(Served(**words))
        await made[-1].begin()
        return made[-1]

    yield begin
    for one in made:
        await one.end()


@pytest.fixture
async def served(serve):
    return await serve()


async def test_the_connection_that_was_silent_longest_makes_room(served):
    first, second, *_ = [await served.connect() for _ in range(MOST)]
    newest = await served.ask("/quick")

    assert await ended(first)
    assert await answer(newest) == "HTTP/1.1 200 OK"
    assert not second.at_eof()


async def test_a_request_under_way_outlives_any_number_of_silent_connections(served):
    asked = await served.ask("/slow")
    await served.asked.wait()
    for _ in range(5 * MOST):
        await served.connect(b"GET /qu")
    served.finish.set()

    assert await answer(asked) == "HTTP/1.1 200 OK"


async def test_a_gate_that_is_shut_serves_who_is_there_to_the_end(served):
    asked = await served.ask("/slow")
    await served.asked.wait()
    await served.limiter.shut()
    served.finish.set()

    assert await answer(asked) == "HTTP/1.1 200 OK"
    with pytest.raises(ConnectionError):
        await served.connect()


async def test_connections_that_were_closed_need_no_room(served):
    kept = await served.connect()
    for _ in range(3 * MOST):
        assert await answer(await served.ask("/quick")) == "HTTP/1.1 200 OK"
        served.made[-1].close()
        await served.made[-1].wait_closed()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await kept.read()


async def test_a_first_word_that_is_never_said_ends_a_connection(serve):
    served = await serve(silence=Silence(head=0.05))
    silent, half = await served.connect(), await served.connect(b"GET /quick HT")

    assert await ended(silent)
    assert await ended(half)


async def test_a_connection_that_was_heard_may_wait_longer(serve):
    served = await serve(silence=Silence(head=0.05, kept=0.4))
    loop = asyncio.get_running_loop()
    begun = loop.time()
    reader = await served.ask("/quick")
    await reader.read()

    assert loop.time() - begun > 0.3


async def test_a_reader_that_takes_nothing_is_ended_too(serve):
    served = await serve(silence=Silence(head=0.1, kept=0.2))
    reader = await served.ask("/large")
    await SystemClock().sleep(0.5)
    taken = 0
    with contextlib.suppress(ConnectionError):
        while part := await reader.read(1 << 20):
            taken += len(part)

    assert taken < LARGE


async def test_a_handshake_that_is_never_made_ends_a_connection(serve, tmp_path):
    authority = Authority(tmp_path)
    authority.sign("server", "IP:127.0.0.1")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "server.pem", tmp_path / "server.key")
    served = await serve(tls=context, silence=Silence(head=0.5))
    silent = await served.connect()
    client = ssl.create_default_context(cafile=authority.certificate)
    asked = await served.ask("/quick", ssl=client)

    assert await answer(asked) == "HTTP/1.1 200 OK"
    assert await ended(silent)


async def test_every_address_of_a_host_is_listened_on():
    made = await connections.listen("127.0.0.1", 0)

    assert [one.getsockname()[0] for one in made] == ["127.0.0.1"]
    for one in made:
        one.close()


async def test_who_does_not_take_an_answer_is_ended_before_a_kept_connection(serve):
    served = await serve(silence=Silence(head=0.05, kept=30.0, unread=0.3))
    kept = await served.ask("/quick")
    reader = await served.ask("/large", limit=1)
    await answer(kept)

    assert await cut_short(reader)
    assert not kept.at_eof()


async def cut_short(reader):
    """Wait, take nothing, then read what there is; say whether less than the whole came."""
    await SystemClock().sleep(1.0)
    size = 0
    with contextlib.suppress(ConnectionError):
        while part := await reader.read(1 << 20):
            size += len(part)
    return size < LARGE
