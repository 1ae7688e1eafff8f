"""Slack's Socket Mode on loopback, and clicks as Slack tells them."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from aiohttp import WSMsgType, web
from slack_sdk.signature import SignatureVerifier


@dataclass(slots=True)
class FakeSocket:
    """The side of Slack: connections that stand, and what was acknowledged."""

    open: list[web.WebSocketResponse] = field(default_factory=list)
    came: asyncio.Queue[int] = field(default_factory=asyncio.Queue)
    """How many connections there have been, each time that one comes."""
    acks: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    refuses: bool = False
    """Whether connections are turned away."""
    silent: bool = False
    """Whether a connection is taken and never greeted."""
    count: int = 0
    turned_away: asyncio.Queue[int] = field(default_factory=asyncio.Queue)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Take a connection."""
        if self.refuses:
            self.turned_away.put_nowait(self.count)
            return web.Response(status=503)
        line = web.WebSocketResponse()
        await line.prepare(request)
        self.open.append(line)
        self.count += 1
        if not self.silent:
            await line.send_json({"type": "hello", "num_connections": len(self.open)})
        self.came.put_nowait(self.count)
        async for message in line:
            if message.type is WSMsgType.TEXT:
                self.acks.put_nowait(message.json()["envelope_id"])
        self.open.remove(line)
        return line

    async def send(self, payload: Mapping[str, Any], *, envelope: str = "e1", **more: Any) -> None:
        """Send an envelope over the newest connection."""
        told = {"type": "interactive", "envelope_id": envelope, "payload": payload, **more}
        await self.open[-1].send_json(told)

    async def renew(self) -> None:
        """Ask the other side for a new connection, as Slack does every few hours."""
        await self.open[-1].send_json({"type": "disconnect", "reason": "refresh_requested"})

    async def end(self) -> None:
        """Close every connection."""
        for line in tuple(self.open):
            await line.close()

    def cut(self) -> None:
        """Break every connection without a word."""
        for line in tuple(self.open):
            transport = line._req.transport if line._req is not None else None
            if transport is not None:
                transport.abort()


def buttons(post: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the buttons of a message."""
    rows = [block["elements"] for block in post["blocks"] if block["type"] == "actions"]
    return [button for row in rows for button in row]


def press(
    post: Mapping[str, Any], verb: str, *, user: str = "U0MIRA", **changes: str
) -> dict[str, Any]:
    """Return what Slack tells when somebody presses a message's first button for a verb."""
    button = next(item for item in buttons(post) if item["action_id"].startswith(f"{verb}."))
    action = {
        "type": "button",
        "action_id": button["action_id"],
        "block_id": "b1",
        "value": button["value"],
        "text": button["text"],
        "action_ts": "1700000002.000001",
    }
    return {
        "type": "block_actions",
        "user": {"id": user, "username": "someone", "team_id": "T0"},
        "api_app_id": "A0",
        "container": {"type": "message", "channel_id": "D0MIRA", "is_ephemeral": False},
        "channel": {"id": "D0MIRA", "name": "directmessage"},
        "response_url": "https://hooks.slack.invalid/actions/T0/1/x",
        "actions": [{**action, **changes}],
    }


def signed(text: str, secret: str, at: float) -> tuple[dict[str, str], bytes]:
    """Return headers and body of a request that Slack posts with a payload."""
    body = urlencode({"payload": text})
    stamp = str(int(at))
    signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body)
    headers = {
        "content-type": "application/x-www-form-urlencoded",
        "x-slack-request-timestamp": stamp,
        "x-slack-signature": str(signature),
    }
    return headers, body.encode()
