"""
Compares passwords with bcrypt hashes, and remembers answers.

A comparison costs some 60 ms of a core by design.  So a right password is compared once; those
that are not known yet wait apart, few for each user, and take at most a quarter of a core.
Remembered is a digest under a key that no other process knows.
"""

import asyncio
import hmac
import os
from collections import Counter, OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from exporter.clock import Clock

_KEPT: Final = 100
_LONGEST: Final = 72
#: How many wait for each user's hash, and of them for one caller.
_ROOM: Final = 4
_OF_ONE: Final = 2
#: Rest after a comparison, in its own lengths.
_REST: Final = 3.0


class Crowded(Exception):
    """Too many passwords that are not known wait to be compared already."""


@dataclass(slots=True)
class _Memory:
    """The newest digests."""

    digests: OrderedDict[bytes, None] = field(default_factory=OrderedDict)

    def __contains__(self, digest: bytes) -> bool:
        if digest not in self.digests:
            return False
        self.digests.move_to_end(digest)
        return True

    def add(self, digest: bytes) -> None:
        self.digests[digest] = None
        if len(self.digests) > _KEPT:
            self.digests.popitem(last=False)


class Passwords:
    """One thread that compares; right and wrong answers are remembered apart."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._key = os.urandom(32)
        self._right, self._wrong = _Memory(), _Memory()
        self._waiting: dict[bytes, Counter[str]] = {}
        self._turn = asyncio.Lock()
        self._rested = 0.0
        self._thread: ThreadPoolExecutor | None = None

    def known(self, password: bytes, hashed: bytes) -> bool | None:
        """Say whether a password is right, from memory; None when it must be compared."""
        digest = self._digest(password, hashed)
        if digest in self._right:
            return True
        return False if digest in self._wrong else None

    async def match(self, password: bytes, hashed: bytes, caller: str = "") -> bool:
        """Say whether a password is the one that was hashed; raise :class:`Crowded`."""
        known = self.known(password, hashed)
        if known is not None:
            return known
        room = self._waiting.setdefault(hashed, Counter())
        if room.total() >= _ROOM or room[caller] >= _OF_ONE:
            raise Crowded
        room[caller] += 1
        try:
            async with self._turn:
                return await self._compare(password, hashed)
        finally:
            room[caller] -= 1
            if not room[caller]:
                del room[caller]
            if not room:
                self._waiting.pop(hashed, None)

    async def _compare(self, password: bytes, hashed: bytes) -> bool:
        known = self.known(password, hashed)
        if known is not None:
            return known
        await self._clock.sleep(max(0.0, self._rested - self._clock.monotonic()))
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="passwords")
        begun = self._clock.monotonic()
        loop = asyncio.get_running_loop()
        right = await loop.run_in_executor(self._thread, _matches, password, hashed)
        now = self._clock.monotonic()
        self._rested = now + _REST * (now - begun)
        (self._right if right else self._wrong).add(self._digest(password, hashed))
        return right

    def _digest(self, password: bytes, hashed: bytes) -> bytes:
        return hmac.digest(self._key, hashed + b"\0" + password, "sha256")

    def close(self) -> None:
        """Leave no thread behind."""
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)


def _matches(password: bytes, hashed: bytes) -> bool:
    import bcrypt  # only where there are passwords

    try:
        return bcrypt.checkpw(password[:_LONGEST], hashed)
    except ValueError:
        return False
