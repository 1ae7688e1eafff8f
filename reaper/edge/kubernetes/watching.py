"""Reads a watch as it comes: a change a line, bookmarks among them, silence told from peace."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import aiohttp

from reaper.edge.kubernetes.errors import KubeError
from reaper.edge.kubernetes.refusals import stated

SILENT: Final = 90.0
"""Seconds of silence after which a watch is dead, where its objects change now and then."""

#: Bytes of one change: more than the largest object that an API server stores, in JSON.
_LONGEST: Final = 32 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """
    What happened to an object: ADDED, MODIFIED, DELETED, or a BOOKMARK, which changed nothing.

    `version` is where a later watch goes on.
    """

    kind: str
    object: Mapping[str, Any]
    version: str


async def changes(
    content: aiohttp.StreamReader, said: str, silent: float
) -> AsyncGenerator[Change, None]:
    """Yield the changes of an open watch; raise KubeError where it fails or falls silent."""
    left = bytearray()
    while True:
        try:
            async with asyncio.timeout(silent):
                piece = await content.readany()
        except TimeoutError:
            raise KubeError(f"{said}: said nothing for {silent:g} s", reason="Silent") from None
        if not piece:
            return
        left += piece
        if b"\n" not in piece:
            if len(left) > _LONGEST:
                raise KubeError(f"{said}: a change has no end", reason="Malformed")
            continue
        whole, _, rest = bytes(left).rpartition(b"\n")
        left = bytearray(rest)
        for line in whole.split(b"\n"):
            if line.strip():
                yield _change(line, said)


def _change(line: bytes, said: str) -> Change:
    try:
        event = json.loads(line)
        kind, found = event["type"], event["object"]
        if kind == "ERROR":
            raise stated(said, found)
        version = found["metadata"]["resourceVersion"]
    except (ValueError, KeyError, TypeError):
        raise KubeError(f"{said}: a change is unreadable", reason="Malformed") from None
    return Change(kind=str(kind), object=found, version=str(version))
