"""A mail server on loopback that takes messages, or fails as real ones do."""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

PASSWORD = "smtp-invented-and-never-repeated"
"""What no log, message or error may hold."""

USER = "gpu-reaper"

LARGEST = 2**23
"""Bytes of a message that it takes."""

#: What it answers to a step instead of taking it: (step, reply).
REPLIES: dict[str, tuple[str, str]] = {
    "busy": ("connect", "421 4.3.2 too many connections"),
    "sign-in refused": ("AUTH", f"535 5.7.8 no, not {PASSWORD}"),
    "sign-in later": ("AUTH", "454 4.7.0 try again later"),
    "sender refused": ("MAIL", "550 5.7.1 not allowed to send as that"),
    "greylisted": ("RCPT", "451 4.7.1 greylisted, come back later"),
    "mailbox full": ("RCPT", "452 4.2.2 mailbox full"),
    "no such person": ("RCPT", "550 5.1.1 no such user here"),
    "error with the password in it": ("RCPT", f"550 5.1.1 {PASSWORD}"),
    "out of space": ("DATA", "452 4.3.1 insufficient system storage"),
    "taken for spam": ("end", "554 5.7.1 looks like spam\r\n"),
    "try the message later": ("end", "451 4.3.0 queue file write error"),
    "garbled": ("end", "so long and thanks"),
}

#: Steps at which it hangs, or closes without a word.
HANGS = {"hangs at once": "connect", "hangs before the message": "DATA", "hangs after it": "end"}
CLOSES = {"closes at once": "connect", "closes before it": "RCPT", "closes after it": "end"}


@dataclass(slots=True)
class FakeSmtp:
    """A server: what it took, and how it answers the next message."""

    port: int = 0
    fault: str = ""
    tls: ssl.SSLContext | None = None
    hangs_at_quit: bool = False
    messages: list[tuple[str, str, EmailMessage]] = field(default_factory=list)
    """Envelope sender, envelope recipient and message, in the order they came."""
    ends: int = 0
    """How often a message came to its end."""
    connections: int = 0
    signed_in: list[str] = field(default_factory=list)
    _sessions: set[asyncio.Task[None]] = field(default_factory=set)
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection."""
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._sessions.add(task)
        with suppress(OSError, asyncio.IncompleteReadError):
            await _Session(self, reader, writer).run()
        with suppress(OSError):
            writer.close()
            await writer.wait_closed()

    async def fails(self, step: str) -> str | None:
        """Return what it says instead at a step: "" to close, None to go on; or hang."""
        if HANGS.get(self.fault) == step:
            await self._over.wait()
            return ""
        if CLOSES.get(self.fault) == step:
            return ""
        at, reply = REPLIES.get(self.fault, ("", ""))
        return reply.strip() if at == step else None

    async def over(self) -> None:
        """Wait until the server stops."""
        await self._over.wait()

    async def stop(self) -> None:
        """Let go of what hangs, and see every session to its end."""
        self._over.set()
        if self._sessions:
            await asyncio.wait(self._sessions, timeout=5)


@dataclass(slots=True)
class _Session:
    server: FakeSmtp
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    sender: str = ""
    recipient: str = ""
    secure: bool = False

    async def run(self) -> None:
        if not await self._step("connect", "220 fake ESMTP"):
            return
        while line := (await self.reader.readline()).decode().strip():
            word = line.split()[0].upper()
            if word == "QUIT" and self.server.hangs_at_quit:
                await self.server.over()
            if word == "QUIT":
                await self._say("221 bye")
                return
            if not await self._answer(word, line):
                return

    async def _answer(self, word: str, line: str) -> bool:
        if word == "EHLO":
            offers = ["fake", "AUTH PLAIN", "8BITMIME"]
            if self.server.tls and not self.secure:
                offers.append("STARTTLS")
            return await self._step(word, *(f"250-{one}" for one in offers), "250 HELP")
        if word == "STARTTLS":
            await self._say("220 go ahead")
            await self.writer.start_tls(self.server.tls)
            self.secure = True
            return True
        if word == "AUTH":
            return await self._auth(line)
        if word == "MAIL":
            self.sender = line.partition("<")[2].partition(">")[0]
        if word == "RCPT":
            self.recipient = line.partition("<")[2].partition(">")[0]
        if word == "DATA":
            return await self._step("DATA", "354 go on") and await self._data()
        return await self._step(word, "250 ok")

    async def _auth(self, line: str) -> bool:
        said = base64.b64decode(line.split()[2]).decode().split("\0")[1:]
        self.server.signed_in.append(said[0])
        right = said == [USER, PASSWORD]
        return await self._step("AUTH", "235 welcome" if right else "535 5.7.8 wrong")

    async def _data(self) -> bool:
        body = await self.reader.readuntil(b"\r\n.\r\n")
        self.server.ends += 1
        message = message_from_bytes(body[:-3].replace(b"\r\n..", b"\r\n."), policy=policy.default)
        went_on = await self._step("end", "250 2.0.0 queued")
        if went_on and not self.server.fault:
            self.server.messages.append((self.sender, self.recipient, message))
        return went_on

    async def _step(self, step: str, *replies: str) -> bool:
        other = await self.server.fails(step)
        if other is None:
            await self._say(*replies)
            return True
        if other:
            await self._say(other)
        return bool(other)

    async def _say(self, *replies: str) -> None:
        self.writer.write("".join(f"{reply}\r\n" for reply in replies).encode())
        await self.writer.drain()


@asynccontextmanager
async def smtp(
    *, tls: ssl.SSLContext | None = None, from_the_start: bool = False
) -> AsyncIterator[FakeSmtp]:
    """Serve until the block ends."""
    fake = FakeSmtp(tls=tls)
    server = await asyncio.start_server(
        fake.serve, "127.0.0.1", 0, limit=LARGEST, ssl=tls if from_the_start else None
    )
    fake.port = server.sockets[0].getsockname()[1]
    try:
        yield fake
    finally:
        server.close()
        await fake.stop()
