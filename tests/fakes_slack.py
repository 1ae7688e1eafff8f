"""Slack's web API on loopback, answering as the real one does; the SDK talks to it by HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.fakes_slack_socket import FakeSocket

TOKEN = "xoxb-1234-invented-and-never-repeated"
APP_TOKEN = "xapp-1-invented-and-never-repeated"
SIGNING_SECRET = "5168-signing-invented-and-never-repeated"
SECRETS = (TOKEN, APP_TOKEN, SIGNING_SECRET)
"""What no log, message or error may hold."""

#: What `chat.postMessage` answers: (HTTP status, body, headers); a text body is sent as it is.
ANSWERS: dict[str, tuple[int, Any, dict[str, str]]] = {
    "429": (429, {"ok": False, "error": "ratelimited"}, {"Retry-After": "7"}),
    "429 for long": (429, {"ok": False, "error": "ratelimited"}, {"Retry-After": "240"}),
    "message not found": (200, {"ok": False, "error": "message_not_found"}, {}),
    "429 without a header": (429, {"ok": False, "error": "ratelimited"}, {}),
    "ratelimited body": (200, {"ok": False, "error": "ratelimited"}, {}),
    "500": (500, "upstream connect error", {}),
    "503": (503, {"ok": False, "error": "service_unavailable"}, {}),
    "504": (504, "gateway timeout", {}),
    "internal error": (200, {"ok": False, "error": "internal_error"}, {}),
    "invalid auth": (200, {"ok": False, "error": "invalid_auth"}, {}),
    "token revoked": (200, {"ok": False, "error": "token_revoked"}, {}),
    "missing scope": (
        200,
        {"ok": False, "error": "missing_scope", "needed": "chat:write", "provided": "users:read"},
        {},
    ),
    "channel not found": (200, {"ok": False, "error": "channel_not_found"}, {}),
    "unknown error": (200, {"ok": False, "error": "something_new"}, {}),
    "login page": (200, "<html>please log in</html>", {}),
    "garbled": (200, '{"ok": tr', {"Content-Type": "application/json"}),
    "no timestamp": (200, {"ok": True, "channel": "D0001"}, {}),
    "not JSON's object": (200, "[1]", {"Content-Type": "application/json"}),
    "forbidden by a proxy": (403, "blocked", {}),
    "error with the token in it": (200, {"ok": False, "error": f"bad token {TOKEN}"}, {}),
}


@dataclass(slots=True)
class FakeSlack:
    """A workspace: who is in it, what was posted, and how it answers the next post."""

    base_url: str = ""
    people: dict[str, str] = field(default_factory=lambda: {"mira@example.org": "U0MIRA"})
    posts: list[dict[str, Any]] = field(default_factory=list)
    updates: list[dict[str, Any]] = field(default_factory=list)
    whispers: list[dict[str, Any]] = field(default_factory=list)
    """What was told to one person alone."""
    whispered: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    calls: list[str] = field(default_factory=list)
    answer: str = ""
    lookup_answer: str = ""
    update_answer: str = ""
    open_answer: str = ""
    opened: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    """Each time that somebody asks for a connection."""
    socket: FakeSocket = field(default_factory=FakeSocket)
    scopes: str = "chat:write,users:read.email"
    _release: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one call."""
        method = request.match_info["method"]
        self.calls.append(method)
        token = APP_TOKEN if method == "apps.connections.open" else TOKEN
        if request.headers.get("Authorization") != f"Bearer {token}":
            return web.json_response({"ok": False, "error": "invalid_auth"})
        answers = {
            "users.lookupByEmail": self._lookup,
            "chat.postMessage": self._post,
            "chat.update": self._update,
            "chat.postEphemeral": self._whisper,
            "apps.connections.open": self._open,
            "auth.test": self._test,
        }
        if method not in answers:
            return web.json_response({"ok": False, "error": "unknown_method"})
        return await answers[method](request)

    async def _test(self, request: web.Request) -> web.StreamResponse:
        return web.json_response({"ok": True}, headers={"X-OAuth-Scopes": self.scopes})

    async def _open(self, request: web.Request) -> web.StreamResponse:
        self.opened.put_nowait(self.open_answer)
        if self.open_answer:
            return await self._fault(self.open_answer, request)
        return web.json_response({"ok": True, "url": f"ws://{request.host}/socket?ticket=once"})

    async def _update(self, request: web.Request) -> web.StreamResponse:
        if self.update_answer:
            return await self._fault(self.update_answer, request)
        body = await request.json()
        if problem := refused(body):
            return web.json_response({"ok": False, "error": problem})
        self.updates.append(body)
        return web.json_response({"ok": True, "channel": body["channel"], "ts": body["ts"]})

    async def _whisper(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.whispers.append(body)
        self.whispered.put_nowait(body["text"])
        return web.json_response({"ok": True, "message_ts": "1700000001.000001"})

    async def _lookup(self, request: web.Request) -> web.StreamResponse:
        if self.lookup_answer:
            return await self._fault(self.lookup_answer, request)
        fields = await request.post() if request.method == "POST" else request.query
        found = self.people.get(str(fields.get("email")))
        if found is None:
            return web.json_response({"ok": False, "error": "users_not_found"})
        return web.json_response({"ok": True, "user": {"id": found, "deleted": False}})

    async def _post(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if self.answer in ("", "timeout after accept", "reset after accept", "no timestamp"):
            if problem := refused(body):
                return web.json_response({"ok": False, "error": problem})
            self.posts.append(body)
        if self.answer:
            return await self._fault(self.answer, request)
        stamp = f"1700000000.{len(self.posts):06d}"
        channel = body["channel"].replace("U", "D", 1)
        return web.json_response(
            {"ok": True, "channel": channel, "ts": stamp, "message": {"text": body["text"]}}
        )

    async def _fault(self, name: str, request: web.Request) -> web.StreamResponse:
        if name == "timeout after accept":
            await self._release.wait()
        if name == "reset after accept" and request.transport is not None:
            request.transport.abort()
        status, body, headers = ANSWERS.get(name, (200, "", {}))
        if isinstance(body, dict):
            return web.json_response(body, status=status, headers=headers)
        kind = {"Content-Type": "text/html"} | headers
        return web.Response(text=body, status=status, headers=kind)

    def let_go(self) -> None:
        """End every answer that hangs."""
        self._release.set()


def refused(body: dict[str, Any]) -> str:
    """Return the error with which Slack refuses a message, or an empty text."""
    if not body["channel"].startswith(("U", "D", "C", "G")):
        return "channel_not_found"
    if len(body.get("blocks", ())) > 50:
        return "invalid_blocks"
    for block in body.get("blocks", ()):
        if block["type"] == "actions" and not takes(block["elements"]):
            return "invalid_blocks"
        texts = [block["text"]] if "text" in block else [*block.get("fields", ())]
        longest = {"header": 150, "section": 2000 if "fields" in block else 3000}
        if any(len(text["text"]) > longest.get(block["type"], 3000) for text in texts):
            return "invalid_blocks"
        if len(block.get("fields", ())) > 10:
            return "invalid_blocks"
    return "msg_too_long" if len(body["text"]) > 40_000 else ""


def takes(buttons: list[dict[str, Any]]) -> bool:
    """Tell whether Slack takes a row of buttons."""
    names = [button["action_id"] for button in buttons]
    return (
        0 < len(buttons) <= 25
        and len(set(names)) == len(names)
        and all(0 < len(button["value"]) <= 2000 for button in buttons)
        and all(0 < len(button["text"]["text"]) <= 75 for button in buttons)
        and all(asks_well(button["confirm"]) for button in buttons if "confirm" in button)
    )


def asks_well(dialog: dict[str, Any]) -> bool:
    """Tell whether Slack takes a dialog that asks before a button counts."""
    longest = {"title": 100, "text": 300, "confirm": 30, "deny": 30}
    return dialog.keys() == longest.keys() and all(
        0 < len(dialog[name]["text"]) <= limit for name, limit in longest.items()
    )


@asynccontextmanager
async def slack(workspace: FakeSlack | None = None) -> AsyncIterator[FakeSlack]:
    """Serve a workspace on a free port of loopback."""
    fake = workspace or FakeSlack()
    app = web.Application()
    app.router.add_route("*", "/api/{method}", fake.handle)
    app.router.add_get("/socket", fake.socket.serve)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    fake.base_url = f"http://{host}:{port}/api/"
    try:
        yield fake
    finally:
        fake.let_go()
        await fake.socket.end()
        await runner.cleanup()
