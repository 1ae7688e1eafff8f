"""Pages of the wire written from reports, and nodes that serve them on loopback."""

import asyncio
import math
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from inspect import isawaitable

from aiohttp import web
from aiohttp.test_utils import TestServer

from exporter.contract import catalog
from exporter.contract.catalog import Family
from exporter.contract.node_key import NodeKey
from exporter.serving.page import CONTENT_TYPE, Page
from reaper.domain.facts.device import Device
from reaper.domain.facts.reading import Reading
from reaper.ports import NodeReport

Row = tuple[tuple[str, ...], float]


def metrics(report: NodeReport, *, contract: int | str = catalog.VERSION) -> bytes:
    """Write a report as its exporter's page."""
    rows: dict[str, list[Row]] = {}
    for family, labels, value in _rows(report, str(contract)):
        rows.setdefault(family.name, []).append((labels, value))
    return Page(catalog.FAMILIES).render(rows)


def people(report: NodeReport) -> bytes:
    """Write a report's signs as its exporter's people page."""
    rows: list[Row] = []
    for item in report.signs:
        key = str(NodeKey(id=item.id, start=int(item.start)))
        seen = math.nan if item.sign.last_seen is None else item.sign.last_seen
        rows.append(((item.platform, key, item.sign.kind, "1000"), seen))
    return Page(catalog.FAMILIES).render({catalog.SESSION_ACTIVITY.name: rows})


def _rows(report: NodeReport, contract: str) -> Iterator[tuple[Family, tuple[str, ...], float]]:
    yield catalog.BUILD_INFO, ("0.1.0", contract, "simulated"), 1
    yield catalog.EXPORTER_START, (), report.started
    yield catalog.NODE_INFO, (report.node, "boot"), 1
    if report.readings:
        age = report.as_of - max(reading.at for reading in report.readings)
        yield catalog.SAMPLE_AGE, (), age
    for device in report.devices:
        yield catalog.INFO, _identity(device), 1
    for item in report.signals:
        yield catalog.SIGNAL_INFO, (item.gpu, item.signal, item.source, item.state, item.reason), 1
    for share in report.shares:
        key = str(NodeKey(id=share.id, start=int(share.start)))
        yield catalog.ALLOCATION_SHARE, (share.gpu, share.platform, key), share.share
    for word in report.receivers:
        key = str(NodeKey(id=word.id, start=int(word.start)))
        for target, caught in word.catches.items():
            for name in ("USR1", "USR2", "INT"):
                yield (
                    catalog.CATCHES_SIGNAL,
                    (word.platform, key, target, name),
                    int(name in caught),
                )
    for reading in report.readings:
        yield from _counters(reading)


def _identity(device: Device) -> tuple[str, ...]:
    number = {name: getattr(device, name) for name in ("index", "minor", "gres_index")}
    text = {name: "" if value is None else str(value) for name, value in number.items()}
    return tuple(
        text.get(label) or str(getattr(device, label) or "") for label in catalog.INFO.labels
    )


def _counters(reading: Reading) -> Iterator[tuple[Family, tuple[str, ...], float]]:
    gpu = reading.gpu
    yield catalog.SAMPLE_TIMESTAMP, (gpu,), reading.at
    for signal, seconds in reading.observed.items():
        yield catalog.OBSERVED, (gpu, signal), seconds
    for signal, seconds in reading.active.items():
        yield catalog.ACTIVE_COUNTERS[signal], (gpu,), seconds
    for tenant, seconds in reading.tenants.items():
        platform, _, key = tenant.partition("/")
        yield catalog.ALLOCATION_ENGINE, (gpu, platform, key), seconds
    for edge, seconds in zip(catalog.EDGES, reading.above, strict=False):
        yield catalog.ACTIVITY_ABOVE, (gpu, edge), seconds
    for link, count in reading.links.items():
        yield catalog.LINK_BYTES, (gpu, link, "sent"), count / 2
        yield catalog.LINK_BYTES, (gpu, link, "received"), count / 2
    for family, value in (
        (catalog.ENERGY, reading.joules),
        (catalog.MEMORY_USED, reading.memory_used),
        (catalog.POWER, reading.power),
        (catalog.PROCESSES, reading.processes),
    ):
        if value is not None:
            yield family, (gpu,), value


# ------------------------------------------------------------------ nodes


@dataclass(slots=True)
class Node:
    """What one served node answers; a test changes it between two questions."""

    page: Callable[[], bytes | Awaitable[bytes]]
    people: Callable[[], bytes | Awaitable[bytes]] = bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False
    gate: asyncio.Event | None = None
    """Holds back the answers to requests that came while it stood."""
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[str] = field(default_factory=list)
    seen_headers: list[dict[str, str]] = field(default_factory=list)
    address: str = ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        self.asked.append(request.path)
        self.seen_headers.append(dict(request.headers))
        self.arrived.set()
        if self.hangs:
            await asyncio.Event().wait()
        page = self.people() if request.path.endswith("/people") else self.page()
        if isawaitable(page):
            page = await page
        if self.gate is not None:
            await self.gate.wait()
        headers = {"Content-Type": CONTENT_TYPE, **self.headers}
        return web.Response(body=page, status=self.status, headers=headers)


@asynccontextmanager
async def serving(
    *nodes: Node, tls: ssl.SSLContext | None = None
) -> AsyncIterator[tuple[str, ...]]:
    """Serve nodes on loopback and give their addresses."""
    servers = [_server(node) for node in nodes]
    for server, node in zip(servers, nodes, strict=True):
        await server.start_server(ssl=tls)
        node.address = f"{'https://' if tls else ''}127.0.0.1:{server.port}"
    try:
        yield tuple(node.address for node in nodes)
    finally:
        for server in servers:
            await server.close()


def _server(node: Node) -> TestServer:
    app = web.Application()
    app.router.add_get("/metrics", node.answer)
    app.router.add_get("/metrics/people", node.answer)
    return TestServer(app, host="127.0.0.1", shutdown_timeout=0.1)
