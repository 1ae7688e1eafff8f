"""The other end of the local socket: what the commands use."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import aiohttp

#: Longer than the exporter waits for a driver call that is under way.
_PATIENCE: Final = aiohttp.ClientTimeout(total=25)


class Unreachable(Exception):
    """Nobody answers at the socket; the message names it and the cure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the exporter said, and whether it did what was asked."""

    ok: bool
    text: str


async def post(socket: str, path: str, words: Mapping[str, str]) -> Answer:
    """Ask for a change."""
    return await _ask("POST", socket, path, words)


async def get(socket: str, path: str) -> Answer:
    """Ask a question."""
    return await _ask("GET", socket, path, None)


async def _ask(method: str, socket: str, path: str, words: Mapping[str, str] | None) -> Answer:
    connector = aiohttp.UnixConnector(path=socket)
    try:
        async with (
            aiohttp.ClientSession(connector=connector, timeout=_PATIENCE) as session,
            session.request(method, f"http://exporter{path}", data=words) as answer,
        ):
            return Answer(ok=answer.ok, text=await answer.text())
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "no answer"
        raise Unreachable(
            f"no exporter at {socket} ({why}): is it running, and are you root or its own user?"
        ) from error
