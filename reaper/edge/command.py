"""
Runs another program: a timeout, a bound on what it may say, no shell, nothing left behind.

The child leads a process group of its own, which is killed when time is up, when it says too much
or when the caller is cancelled.  Bytes that are no UTF-8 become U+FFFD; nothing is dropped.
"""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

CHUNK: Final = 1 << 16
GOODBYE: Final = 2.0
"""Seconds that a killed child has to be gone."""


class CommandError(Exception):
    """The program could not be run to its end; the message says which and why."""


class CommandMissingError(CommandError):
    """There is no such program."""


class CommandTimeoutError(CommandError):
    """The program did not end in time and was killed; what it did is unknown."""


class CommandFloodError(CommandError):
    """The program said more than it may and was killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a program ended: its status (negative for a signal) and what it said."""

    status: int
    out: str
    err: str


class Runner(Protocol):
    """Runs a program once; the seam at which tests put their own."""

    async def __call__(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str],
        within: float,
        limit: int,
    ) -> Finished:
        """Return how it ended; `within` in seconds, `limit` in bytes of each stream."""


async def run(
    argv: Sequence[str], *, environment: Mapping[str, str], within: float, limit: int
) -> Finished:
    """Run a program without a shell; raise CommandError when it does not end by itself."""
    try:
        child = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=dict(environment),
            start_new_session=True,
        )
    except (FileNotFoundError, PermissionError) as error:
        raise CommandMissingError(f"{argv[0]}: {error.strerror}") from error
    try:
        async with asyncio.timeout(within):
            out, err = await asyncio.gather(_read(child.stdout, limit), _read(child.stderr, limit))
            status = await child.wait()
    except TimeoutError as error:
        raise CommandTimeoutError(f"{argv[0]} did not answer in {within:g} s") from error
    except OverflowError as error:
        raise CommandFloodError(f"{argv[0]} said more than {limit} bytes") from error
    finally:
        await _end(child)
    return Finished(status=status, out=_text(out), err=_text(err))


async def _read(stream: asyncio.StreamReader | None, limit: int) -> bytes:
    said = bytearray()
    while stream and (chunk := await stream.read(CHUNK)):
        said += chunk
        if len(said) > limit:
            raise OverflowError
    return bytes(said)


async def _end(child: asyncio.subprocess.Process) -> None:
    """Kill what is left of the child's group, reap the child and let go of its pipes."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    if child.returncode is None:
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE):
                await child.wait()
    # What was not read to its end keeps its pipe open, and nothing public closes that.
    child._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001


def _text(said: bytes) -> str:
    return said.decode("utf-8", errors="replace")
