"""
A small API server in memory, over real HTTP, that refuses as a real one does and fails when told.

It holds any object of the kinds that it serves, lists them in pages, watches with bookmarks,
merges patches under preconditions, scales, evicts by disruption budgets and reviews access.
What it does not do: admission, controllers, garbage collection, a kubelet.
"""

import asyncio
import copy
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from aiohttp.test_utils import TestServer

from reaper.edge.kubernetes import Access, Connection
from tests.fake_kubernetes_kinds import (
    Kind,
    groups_of,
    resources_of,
    whole,
)
from tests.fake_kubernetes_rules import (
    CREATED,
    Refusal,
    blocking,
    merged,
    must_be,
    partial,
    scale_of,
    selected,
)
from tests.fake_kubernetes_state import Fault, Held

__all__ = ["FakeCluster", "Fault", "fake_kubernetes"]


class FakeCluster(Held):
    """One API server: every request is answered by what is held, or fails as told."""

    def connection(self, clock, *, name: str = "fake", timeout: float = 10.0) -> Connection:
        """Return our client of it."""
        return Connection(name, _Open(self), clock, timeout=timeout)

    # -------------------------------------------------------------- requests

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request, or fail it as told."""
        watch = request.query.get("watch") in ("1", "true")
        verb = "WATCH" if watch else request.method
        self.asked.append((verb, request.path_qs))
        self._move()
        try:
            await self._fail(verb, request)
            self._know(request)
            return await self._answer(request, watch=watch)
        except Refusal as refusal:
            return refusal.response()

    async def _fail(self, verb: str, request: web.Request) -> None:
        for fault in self.faults:
            if fault.times and fault.on in request.path_qs and fault.verb in ("", verb):
                fault.times -= 1
                await asyncio.sleep(fault.delay)  # noqa: TID251 - a server's own slowness
                if fault.status:
                    after = fault.retry_after
                    raise Refusal(fault.status, fault.reason, fault.message, retry_after=after)
                if not fault.delay and request.transport is not None:
                    request.transport.abort()

    def _know(self, request: web.Request) -> None:
        if self.token and request.headers.get("Authorization") != f"Bearer {self.token}":
            raise Refusal(401, "Unauthorized", "Unauthorized")

    async def _answer(self, request: web.Request, *, watch: bool) -> web.StreamResponse:
        parts = request.path.strip("/").split("/")
        if parts == ["version"]:
            return web.json_response({"gitVersion": self.git})
        if len(parts) == 1 and self.aggregated and "apidiscovery" in request.headers["Accept"]:
            return web.json_response(whole(self.kinds, core=parts[0] == "api"))
        if len(parts) == 1:
            plain = {"kind": "APIVersions", "versions": ["v1"]}
            return web.json_response(plain if parts[0] == "api" else groups_of(self.kinds))
        group, version, rest = (
            ("", parts[1], parts[2:]) if parts[0] == "api" else (parts[1], parts[2], parts[3:])
        )
        if not rest:
            return web.json_response(resources_of(self.kinds, group, version))
        namespace = ""
        if rest[0] == "namespaces" and len(rest) > 2:
            namespace, rest = rest[1], rest[2:]
        kind = next(
            (
                one
                for one in self.kinds
                if (one.group, one.version, one.plural) == (group, version, rest[0])
            ),
            None,
        )
        if kind is None:
            raise Refusal(404, "NotFound", "the server could not find the requested resource")
        if len(rest) == 1:
            if request.method == "POST":
                return await self._created(request, kind, namespace)
            look = self._watch if watch else self._list
            return await look(request, kind, namespace)
        return await self._one(request, kind, namespace, rest[1], "/".join(rest[2:]))

    async def _list(self, request: web.Request, kind: Kind, namespace: str) -> web.Response:
        limit = int(request.query.get("limit", "0"))
        if token := request.query.get("continue"):
            as_of = int(token.split("-")[1])
            if as_of < self._compacted:
                raise Refusal(410, "Expired", "The provided continue parameter is too old")
            found = self._continued.pop(token)
        else:
            as_of = self.version
            found = [
                one
                for (where, _), one in sorted(self._of(kind).items())
                if namespace in ("", where) and selected(one, request.query)
            ]
        about = {"resourceVersion": str(as_of)}
        if limit and len(found) > limit:
            about["continue"] = token = f"{len(self.asked)}-{as_of}"
            self._continued[token] = found[limit:]
        items = [partial(request, one) for one in found[: limit or None]]
        return web.json_response({"kind": f"{kind.kind}List", "metadata": about, "items": items})

    async def _watch(self, request: web.Request, kind: Kind, namespace: str) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        at = int(request.query.get("resourceVersion") or self.version)
        marks, cuts, position = self._bookmarks, self._cuts, 0
        until = asyncio.get_running_loop().time() + float(request.query.get("timeoutSeconds", 60))
        while True:
            moved = self._moved
            if at < self._compacted:
                await self._say(response, "ERROR", Refusal(410, "Expired", "too old").status())
                return response
            for version, of, before, after in self._past[position:]:
                if version > at and of == kind:
                    await self._tell(request, response, namespace, before, after)
                at = max(at, version)
            position = len(self._past)
            at = max(at, self.version)
            if marks != self._bookmarks:
                marks = self._bookmarks
                about = {"metadata": {"resourceVersion": str(at)}, "kind": kind.kind}
                await self._say(response, "BOOKMARK", about)
            if cuts != self._cuts and request.transport is not None:
                request.transport.abort()
                return response
            try:
                async with asyncio.timeout_at(until):
                    await moved.wait()
            except TimeoutError:
                return response

    async def _tell(
        self,
        request: web.Request,
        response: web.StreamResponse,
        namespace: str,
        before: dict | None,
        after: dict | None,
    ) -> None:
        """Tell a change as a watch with selectors does: what no longer fits was deleted."""
        had, has = (
            one is not None
            and namespace in ("", (one["metadata"].get("namespace") or ""))
            and selected(one, request.query)
            for one in (before, after)
        )
        if not had and not has:
            return
        what = "DELETED" if not has else "MODIFIED" if had else "ADDED"
        shown = copy.deepcopy(after or before or {})
        if after is not None:
            shown["metadata"]["resourceVersion"] = after["metadata"]["resourceVersion"]
        await self._say(response, what, partial(request, shown))

    async def _say(self, response: web.StreamResponse, what: str, said: dict) -> None:
        await response.write(json.dumps({"type": what, "object": said}).encode() + b"\n")

    async def _created(self, request: web.Request, kind: Kind, namespace: str) -> web.Response:
        body = await self._body(request)
        if kind.kind == "SelfSubjectAccessReview":
            asked = body["spec"]["resourceAttributes"]
            return web.json_response(
                {**body, "status": {"allowed": self.allowed(asked)}}, status=201
            )
        about = body.setdefault("metadata", {})
        if kind.namespaced:
            about.setdefault("namespace", namespace)
        about.setdefault("name", f"{about.get('generateName', 'made-')}{self.version}")
        if ((about.get("namespace") or ""), about["name"]) in self._of(kind):
            raise Refusal(409, "AlreadyExists", f"{about['name']} already exists")
        if request.query.get("dryRun") != "All":
            self.add({"apiVersion": kind.api_version, "kind": kind.kind, **body})
        return web.json_response(body, status=201)

    async def _one(
        self, request: web.Request, kind: Kind, namespace: str, name: str, below: str
    ) -> web.Response:
        found = self._of(kind).get((namespace, name))
        if found is None:
            raise Refusal(404, "NotFound", f'{kind.plural} "{name}" not found')
        if below and below not in kind.below:
            raise Refusal(404, "NotFound", "the server could not find the requested resource")
        if request.method == "GET":
            shown = scale_of(found) if below == "scale" else partial(request, found)
            return web.json_response(shown)
        body = await self._body(request)
        must_be(found, body)
        dry = request.query.get("dryRun") == "All"
        if below == "eviction":
            return self._evicted(kind, found, body, dry=dry)
        if request.method != "PATCH":
            raise Refusal(405, "MethodNotAllowed", "the server does not allow this method")
        patch = {"spec": {"replicas": body["spec"]["replicas"]}} if below == "scale" else body
        made = merged(found, patch)
        if made != found and not dry:
            made = self._put(kind, made)
        return web.json_response(scale_of(made) if below == "scale" else made)

    def _evicted(self, kind: Kind, found: dict, body: dict, *, dry: bool) -> web.Response:
        must_be(found, {"metadata": (body.get("deleteOptions") or {}).get("preconditions") or {}})
        budgets = next((k for k in self.kinds if k.kind == "PodDisruptionBudget"), None)
        blocking(found, self._of(budgets).values() if budgets else ())
        if not dry and self.graceful:
            self._put(kind, merged(found, {"metadata": {"deletionTimestamp": CREATED}}))
        elif not dry:
            self._drop(kind, found)
        return web.json_response({"kind": "Status", "status": "Success"}, status=201)

    async def _body(self, request: web.Request) -> dict:
        body = await request.json()
        self.sent.append((request.method, request.path_qs, copy.deepcopy(body)))
        return body


@dataclass
class _Open:
    """The way to it, without files."""

    cluster: FakeCluster

    async def access(self) -> Access:
        token = self.cluster.token
        headers = (("Authorization", f"Bearer {token}"),) if token else ()
        return Access(server=self.cluster.url, headers=headers, secrets=(token,) if token else ())

    def renew(self) -> None:
        """Nothing is kept."""


@asynccontextmanager
async def fake_kubernetes(**settings) -> AsyncIterator[FakeCluster]:
    """Run one until the end of the block."""
    cluster = FakeCluster(**settings)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", cluster.handle)
    server = TestServer(app)
    await server.start_server(shutdown_timeout=0.0)
    cluster.url = str(server.make_url("")).rstrip("/")
    try:
        yield cluster
    finally:
        cluster.cut()
        await server.close()
