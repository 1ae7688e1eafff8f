"""
Keeps one worker alive, gives each of its calls a deadline, and remembers which call hung where.

Deadlines and back-off are real seconds: a hanging driver does not run on a fast clock.
A worker that survives SIGKILL (a call stuck in the kernel) is not replaced until it is gone, for
the next one would hang on the same call.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from exporter.clock import SystemClock
from exporter.sampling import frames
from exporter.sampling.calls import Call, CallBoard
from exporter.sampling.frames import Ask, Setup
from exporter.sampling.quarantine import Quarantine
from exporter.sampling.snapshot import Round

log = logging.getLogger(__name__)

#: Calls that wake a cold card up may take this long; a board without persistence needs seconds.
_OPENING: Final = frozenset({"nvmlInit", "nvmlDeviceGetHandleByIndex"})
_LOOK: Final = 0.25
_LAST_WORD: Final = 0.5
#: Closing the devices of a large node takes seconds; a release has the time.
_LETTING_GO: Final = 5.0
_KILL: Final = 1.0

CANNOT_END: Final = "the worker hangs in the kernel and cannot be ended"
"""Said while a dead worker still holds the driver."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long things may take, in real seconds.

    `call` bounds one driver call, `opening` one that initialises hardware, `silence` the time
    between calls; restarts wait from `first_wait` to `longest_wait`, doubling.
    """

    call: float = 5.0
    opening: float = 40.0
    silence: float = 10.0
    first_wait: float = 1.0
    longest_wait: float = 60.0


class Supervisor:
    """Owns the worker process; one request at a time."""

    def __init__(
        self,
        setup: Setup,
        patience: Patience | None = None,
        kill: Callable[[asyncio.subprocess.Process], None] | None = None,
    ) -> None:
        self._clock = SystemClock()
        self._board = CallBoard.create()
        self._setup = replace(setup, board=self._board.descriptor)
        self._patience = patience or Patience()
        self._kill = kill or _kill
        self._process: asyncio.subprocess.Process | None = None
        self._dying: asyncio.Task[int] | None = None
        self._not_before = 0.0
        self._wait = self._patience.first_wait
        self._abandoned: Call | None = None
        self._asked = 0.0
        self._turn = asyncio.Lock()
        self.quarantine = Quarantine()
        self.trouble = "the worker has not answered yet"

    @property
    def pid(self) -> int | None:
        """The worker's process id while there is one."""
        return self._process.pid if self._process is not None else None

    def stuck(self) -> tuple[Call, float] | None:
        """Return the call that has not returned and its age in real seconds, if there is one."""
        call = self._abandoned or self._under_way()
        if call is None:
            return None
        age = self._clock.monotonic() - call.since
        return (call, age) if age > 1.0 else None

    def _under_way(self) -> Call | None:
        return self._board.current() if self._process is not None else None

    async def ask(self, ask: Ask) -> Round | None:
        """Return the worker's answer, or None (see `trouble`) when there is none to be had."""
        async with self._turn:
            return await self._ask(ask)

    async def let_go(self) -> bool:
        """End the worker, and with it every hold on the driver; say whether it is gone.

        Whoever wanted this repairs or rebuilds something: what was left alone is tried again.
        """
        async with self._turn:
            if self._process is not None:
                await self._retire(_LETTING_GO)
                self.quarantine.forgive()
                self._abandoned = None
            held = self._dying is not None and not self._dying.done()
            self.trouble = CANNOT_END if held else "the driver is let go on request"
            return not held

    async def _ask(self, ask: Ask) -> Round | None:
        if not await self._alive():
            return None
        now = self._clock.monotonic()
        spared = self.quarantine.spared(now)
        request = replace(
            ask,
            spared=spared,
            avoided=self.quarantine.targets(now),
            reasons=self.quarantine.reasons(now),
        )
        try:
            answer = await self._exchange(request)
        except (OSError, asyncio.IncompleteReadError):
            await self._end(f"the worker ended unexpectedly (status {await self._status()})")
            return None
        if answer is None:
            await self._overrun()
            return None
        self._answered(answer, clean=not spared)
        if answer.trouble:
            await self._retire()
        return answer

    async def _alive(self) -> bool:
        if self._dying is not None:
            if not self._dying.done():
                self.trouble = CANNOT_END
                return False
            self._dying = self._process = None
        if self._process is not None:
            return True
        if self._clock.monotonic() < self._not_before:
            return False
        return await self._start()

    async def _start(self) -> bool:
        self._board.clear()
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                "exporter.sampling.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                pass_fds=(self._board.descriptor,),
                env=_environment(),
            )
        except OSError as error:
            await self._end(f"no worker can be started: {error.strerror}")
            return False
        self._send(self._setup)
        return True

    def _send(self, value: object) -> None:
        if self._process is None or self._process.stdin is None:
            raise BrokenPipeError
        self._process.stdin.write(frames.encode(value))

    async def _exchange(self, ask: Ask) -> Round | None:
        if self._process is None or self._process.stdout is None:
            raise BrokenPipeError
        self._send(ask)
        self._asked = self._clock.monotonic()
        reply = asyncio.ensure_future(_receive(self._process.stdout))
        try:
            while not reply.done() and self._within_patience():
                await asyncio.wait({reply}, timeout=_LOOK)
            if not reply.done():
                return None
            answer = reply.result()
            return answer if isinstance(answer, Round) else None
        finally:
            reply.cancel()

    def _within_patience(self) -> bool:
        now = self._clock.monotonic()
        call = self._board.current()
        if call is None:
            return now - self._asked < self._patience.silence
        slow = call.name in _OPENING
        return now - call.since < (self._patience.opening if slow else self._patience.call)

    async def _overrun(self) -> None:
        call = self._board.current()
        if call is None:
            await self._end("the worker did not answer in time")
            return
        self._abandoned = call
        self.quarantine.add(call.target, self._clock.monotonic())
        where = f" on {call.target}" if call.target else ""
        await self._end(f"{call.name}{where} did not return")

    async def _end(self, trouble: str) -> None:
        self.trouble = trouble
        self._not_before = self._clock.monotonic() + self._wait
        log.warning("%s; the worker is ended and started again in %.0f s", trouble, self._wait)
        self._wait = min(self._wait * 2, self._patience.longest_wait)
        if self._process is None:
            return
        self._kill(self._process)
        self._dying = asyncio.ensure_future(self._process.wait())
        await asyncio.wait({self._dying}, timeout=_KILL)

    async def _status(self) -> int | None:
        if self._process is None:
            return None
        await asyncio.wait({asyncio.ensure_future(self._process.wait())}, timeout=_KILL)
        return self._process.returncode

    def _answered(self, answer: Round, *, clean: bool) -> None:
        self._wait = self._patience.first_wait
        self.trouble = answer.trouble
        self.quarantine.learn(answer.devices)
        if clean and not answer.trouble:
            self._abandoned = None

    async def _retire(self, last_word: float = _LAST_WORD) -> None:
        """End a worker whose driver does not serve: only a fresh process loads a new library."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        if process.stdin is not None:
            process.stdin.close()
        ended = asyncio.ensure_future(process.wait())
        await asyncio.wait({ended}, timeout=last_word)
        if not ended.done():
            self._kill(process)
            await asyncio.wait({ended}, timeout=_LAST_WORD)
        if not ended.done():
            self._process, self._dying = process, ended

    async def stop(self) -> None:
        """End the worker: politely, then by SIGKILL, and never wait for one that cannot die."""
        await self._retire()
        self._board.close()


async def _receive(stream: asyncio.StreamReader) -> object:
    head = await stream.readexactly(frames.HEAD)
    return frames.decode(await stream.readexactly(frames.length(head)))


def _environment() -> dict[str, str]:
    """Let the child find this very package, wherever either was started."""
    home = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
    return {**os.environ, "PYTHONPATH": path, "MALLOC_ARENA_MAX": "1"}


def _kill(process: asyncio.subprocess.Process) -> None:
    try:
        process.kill()
    except ProcessLookupError:
        return
