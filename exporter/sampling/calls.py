"""
The announcement of a call that may never return: written before the call, wiped after it.

It lives in memory shared by the worker and its parent, so that the parent can name a stuck call
even when the worker cannot answer or die.
"""

import mmap
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

_SIZE: Final = 256
_HEAD: Final = struct.Struct("=dBB")
_TEXT: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call under way: its name, what it was made on (``"gpu 3"``, ``"pid 71"``), since when."""

    name: str
    target: str
    since: float


class CallBoard:
    """One slot of shared memory behind a file descriptor that a child inherits."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._memory = mmap.mmap(descriptor, _SIZE)

    @classmethod
    def create(cls) -> "CallBoard":
        """Make an empty board."""
        descriptor = os.memfd_create("gpu-exporter-calls", os.MFD_CLOEXEC)
        os.ftruncate(descriptor, _SIZE)
        return cls(descriptor)

    def announce(self, name: str, target: str, since: float) -> None:
        """Write a call down; the time goes last, so that a reader never sees half a name."""
        first, second = name.encode()[:_TEXT], target.encode()[:_TEXT]
        end = _HEAD.size + len(first) + len(second)
        _HEAD.pack_into(self._memory, 0, 0.0, len(first), len(second))
        self._memory[_HEAD.size : end] = first + second
        _HEAD.pack_into(self._memory, 0, since, len(first), len(second))

    def clear(self) -> None:
        """Say that nothing is under way."""
        _HEAD.pack_into(self._memory, 0, 0.0, 0, 0)

    def current(self) -> Call | None:
        """Return the call under way, if any."""
        since, first, second = _HEAD.unpack_from(self._memory, 0)
        if not since:
            return None
        text = self._memory[_HEAD.size : _HEAD.size + first + second]
        return Call(
            name=text[:first].decode(errors="replace"),
            target=text[first:].decode(errors="replace"),
            since=since,
        )

    def close(self) -> None:
        """Give the memory and the descriptor back; closing twice is closing once."""
        if self.descriptor >= 0:
            self._memory.close()
            os.close(self.descriptor)
            self.descriptor = -1


class Calls:
    """What code in the worker uses: ``with calls.to("nvmlInit"): …``."""

    def __init__(self, board: CallBoard | None, monotonic: Callable[[], float]) -> None:
        self._board = board
        self._monotonic = monotonic

    @contextmanager
    def to(self, name: str, target: str = "") -> Iterator[None]:
        """Announce the call for as long as the block runs."""
        self.announce(name, target)
        try:
            yield
        finally:
            self.clear()

    def announce(self, name: str, target: str = "") -> None:
        """Write the call down; the cheap form for hot paths."""
        if self._board is not None:
            self._board.announce(name, target, self._monotonic())

    def clear(self) -> None:
        """Say that the call returned."""
        if self._board is not None:
            self._board.clear()
