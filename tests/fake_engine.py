"""
An engine in memory that answers the forms of query that the reaper writes, and fails on demand.

Samples are held by series; a selector is evaluated as an engine would: the newest sample at or
before the time, no older than five minutes, and none of a series that has ended.
"""

import asyncio
import json
import re
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from aiohttp import web
from aiohttp.test_utils import TestServer

from reaper.activity.exposition import Exposition, Series
from tests.remote_write import Labels

LOOKBACK = 300.0
Sample = tuple[float, float | None]
"""Unix seconds and value; None where the series ends."""
Held = dict[Labels, list[Sample]]
_CALL = re.compile(r"(timestamp)\((.*)\)|count by \((\w+)\) \((.*)\)")
_SELECTOR = re.compile(r"([a-zA-Z_:]\w*)?\{(.*)\}(?:\[(\d+)ms\])?")
_MATCHER = re.compile(r'(\w+)(=~|=)"((?:[^"\\]|\\.)*)"')


@dataclass(slots=True)
class FakeEngine:
    """Series with their samples, and how the next answers go wrong."""

    series: Held = field(default_factory=dict)
    asked: list[dict[str, str]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    status: int = 200
    extra: dict[str, object] = field(default_factory=dict)
    """Stands in every answer, such as warnings."""
    raw: bytes | None = None
    """Answered instead of anything else."""
    fails_on: str = ""
    """A part of the queries that alone go wrong."""
    hangs: bool = False
    address: str = ""

    def scrape(self, page: bytes, at: float, **target: str) -> None:
        """Take a page as scraped from a target; what it no longer shows ends."""
        found = {_labels(series, target): value for series, value in Exposition().parse(page)}
        mine = set(target.items())
        for labels in self.series:
            if mine <= set(labels) and labels not in found:
                self.series[labels].append((at, None))
        for labels, value in found.items():
            self.series.setdefault(labels, []).append((at, value))

    async def answer(self, request: web.Request) -> web.Response:
        """Answer one query."""
        form = {key: str(value) for key, value in (await request.post()).items()}
        self.asked.append(form)
        self.headers.append(dict(request.headers))
        if self.fails_on in form["query"]:
            if self.hangs:
                await asyncio.Event().wait()
            if self.raw is not None:
                return web.Response(body=self.raw, content_type="application/json")
            if self.status != 200:
                said = {"status": "error", "error": "no such tenant"}
                return web.json_response(said, status=self.status)
        extra = self.extra if self.fails_on in form["query"] else {}
        kind, result = evaluated(self.series, form["query"], float(form["time"]))
        body = {"status": "success", **extra, "data": {"resultType": kind, "result": result}}
        # Engines write no spaces.
        return web.json_response(body, dumps=partial(json.dumps, separators=(",", ":")))


@asynccontextmanager
async def engine(*, tls: ssl.SSLContext | None = None) -> AsyncIterator[FakeEngine]:
    """Serve a fake engine on loopback."""
    made = FakeEngine()
    app = web.Application(client_max_size=64 * 1024**2)
    app.router.add_post("/api/v1/query", made.answer)
    server = TestServer(app, host="127.0.0.1", shutdown_timeout=0.1)
    await server.start_server(ssl=tls)
    made.address = f"{'https' if tls else 'http'}://127.0.0.1:{server.port}"
    try:
        yield made
    finally:
        await server.close()


def _labels(series: Series, target: dict[str, str]) -> Labels:
    own = {name: value for name, value in series.labels.items() if value}
    moved = {f"exported_{name}" if name in target else name: own[name] for name in own}
    return tuple(sorted({"__name__": series.name, **moved, **target}.items()))


def evaluated(held: Held, query: str, at: float) -> tuple[str, list[dict]]:
    """Return kind and result of a query."""
    call = _CALL.fullmatch(query)
    inner = (call[2] or call[4]) if call else query
    form = _SELECTOR.fullmatch(inner)
    assert form, f"the fake engine does not know {query}"
    chosen = [(dict(labels), held[labels]) for labels in held if _fits(dict(labels), form)]
    if form[3]:
        begin = at - float(form[3]) / 1000
        return "matrix", list(_ranges(chosen, begin, at))
    newest = [(labels, sample) for labels, samples in chosen if (sample := _newest(samples, at))]
    if call and call[3]:
        groups = [labels.get(call[3], "") for labels, _ in newest]
        return "vector", [
            {"metric": {call[3]: name}, "value": [at, str(groups.count(name))]}
            for name in dict.fromkeys(groups)
        ]
    if call:
        return "vector", [
            {"metric": {k: v for k, v in labels.items() if k != "__name__"}, "value": [at, repr(t)]}
            for labels, (t, _) in newest
        ]
    return "vector", [
        {"metric": labels, "value": [at, repr(value)]} for labels, (_, value) in newest
    ]


def _fits(labels: dict[str, str], form: re.Match[str]) -> bool:
    if form[1] and labels["__name__"] != form[1]:
        return False
    for name, kind, text in _MATCHER.findall(form[2]):
        value, wanted = labels.get(name, ""), text.replace("\\\\", "\\").replace('\\"', '"')
        if not (value == wanted if kind == "=" else re.fullmatch(wanted, value)):
            return False
    return True


def _newest(samples: list[Sample], at: float) -> tuple[float, float] | None:
    inside = [sample for sample in samples if at - LOOKBACK < sample[0] <= at]
    return inside[-1] if inside and inside[-1][1] is not None else None


def _ranges(chosen: list[tuple[dict, list[Sample]]], begin: float, at: float) -> Iterator[dict]:
    for labels, samples in chosen:
        inside = [[t, repr(v)] for t, v in samples if begin < t <= at and v is not None]
        if inside:
            yield {"metric": labels, "values": inside}
