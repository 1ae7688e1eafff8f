"""
Which node a server's certificate names, so that whoever holds its key may speak for that node.

Only certificates that were verified come here.  A name for many, or for this machine's loopback,
names nobody.
"""

import asyncio
from typing import Final

import aiohttp

from reaper.activity.exporters.address import named

_MOST: Final = 16
"""Names that are looked at; a node has a few."""


class ProvenResponse(aiohttp.ClientResponse):
    """An answer, and the names of nodes on the certificate by which its server proved itself."""

    certified: tuple[str, ...] = ()

    async def start(self, connection: "aiohttp.connector.Connection") -> aiohttp.ClientResponse:
        """Begin to read; the certificate is looked at while the connection is surely there."""
        self.certified = names(connection.transport)
        return await super().start(connection)


def names(transport: asyncio.BaseTransport | None) -> tuple[str, ...]:
    """Return the nodes that the other side's certificate names; none where there is no TLS."""
    certificate = transport.get_extra_info("peercert") if transport is not None else None
    found = (certificate or {}).get("subjectAltName", ())
    hosts = (value for kind, value in found[:_MOST] if kind == "DNS" and "*" not in value)
    return tuple(node for node in map(named, hosts) if node)
