"""A whole web side over a store in memory, on loopback and on a unix socket."""

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import aiohttp

from reaper.domain.picture import Picture
from reaper.edge.clock import JumpingClock
from reaper.questions import Questions
from reaper.requests import Requests
from reaper.schema import Address
from reaper.store.memory import MemoryStore
from reaper.web.given import Given
from reaper.web.languages import LANGUAGES
from reaper.web.server import Web
from reaper.web.settings import Operators, WebSettings
from tests.builders_picture import NOW

KEY = b"a key of 32 bytes that is known."


@dataclass
class Served:
    """A running web side, and the levers behind it."""

    web: Web
    store: MemoryStore
    clock: JumpingClock
    epoch: int
    socket: Path
    alive: list[bool]
    requests: Requests

    async def get(self, path: str, **given) -> tuple[int, str]:
        url = f"http://{self.web.address}{path}"
        async with aiohttp.ClientSession() as client, client.get(url, **given) as response:
            return response.status, await response.text()

    async def get_machines(self, path: str, **given) -> tuple[int, str]:
        url = f"http://{self.web.machines}{path}"
        async with aiohttp.ClientSession() as client, client.get(url, **given) as response:
            return response.status, await response.text()

    async def headers(self, path: str) -> dict[str, str]:
        url = f"http://{self.web.address}{path}"
        async with aiohttp.ClientSession() as client, client.get(url) as response:
            return dict(response.headers)

    async def ask_socket(self, path: str) -> tuple[int, str]:
        connector = aiohttp.UnixConnector(str(self.socket))
        async with (
            aiohttp.ClientSession(connector=connector) as client,
            client.get(f"http://localhost{path}") as response,
        ):
            return response.status, await response.text()

    async def ask_as(self, uid: int, path: str) -> tuple[int, str]:
        """Ask on the socket as another user, whom the kernel names by the user who connected."""
        own = os.geteuid()
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        os.seteuid(uid)
        try:
            client.connect(str(self.socket))
        finally:
            os.seteuid(own)
        reader, writer = await asyncio.open_unix_connection(sock=client)
        asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        writer.write(asked.encode())
        head, _, text = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        return int(head.split()[1]), text.decode()

    async def post(self, path: str, asked: object, *, socket: bool = True) -> tuple[int, str]:
        connector = aiohttp.UnixConnector(str(self.socket)) if socket else None
        host = "localhost" if socket else str(self.web.address)
        async with (
            aiohttp.ClientSession(connector=connector) as client,
            client.post(f"http://{host}{path}", data=json.dumps(asked)) as response,
        ):
            return response.status, await response.text()


@asynccontextmanager
async def serving(
    folder: Path,
    picture: Picture | None,
    *,
    operators: Operators | None = None,
    report=None,
    policies=(),
    doors=(),
    reads=None,
    configuration="",
    languages=LANGUAGES,
    store=None,
    told_by=None,
    **settings,
) -> AsyncIterator[Served]:
    """Serve a picture until the end of the block; by default root alone is an operator."""
    clock, alive = JumpingClock(at=NOW), [True]
    store = store or MemoryStore(cluster="sim")
    epoch = await store.lead("test", NOW)
    if picture is not None:
        async with store.transaction(epoch) as books:
            await books.keep_picture(picture)
    socket = settings.pop("socket", folder / "reaper.sock")
    if (shown := settings.pop("rows_shown", None)) is not None:
        settings["rows"] = shown
    listen, rate = settings.pop("listen", Address("127.0.0.1", 0)), settings.pop("rate", 1.0)
    requests = Requests(store=store, clock=clock, policies=policies, epoch=epoch)
    web = Web(
        given=Given(
            questions=Questions(store=store),
            requests=requests,
            clock=clock,
            told_by=told_by or clock,
            cycling=lambda: alive[0],
            debug=lambda: {"sources": {"slurm": {"as_of": NOW}}},
            key=KEY,
            policies=policies,
            report=report,
            doors=doors,
            rate=rate,
            reads=partial(_said, reads or {}),
            configuration=configuration,
            languages=languages,
        ),
        settings=WebSettings(listen=listen, socket=socket, **settings),
        operators=operators or Operators(),
    )
    await web.start()
    try:
        yield Served(web, store, clock, epoch, socket, alive, requests)
    finally:
        await web.stop()
        await asyncio.sleep(0)  # noqa: TID251 - lets closed connections end


async def _said(reads: dict[str, str], user: str) -> str:
    """Say which language somebody reads, as a directory would."""
    return reads.get(user, "")
