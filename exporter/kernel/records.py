"""
The kernel log's lines as events; pure, times are given.

A message may spread over several lines of which only the first names the card, and lines of
others may come between.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from exporter.kernel import faults
from exporter.kernel.faults import Fault
from exporter.kernel.pci import bus_of

_ADDRESS: Final = r"(?<![\w:.])((?:[0-9a-fA-F]{1,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2})(?:\.[0-7])?\b"
_ANYWHERE: Final = re.compile(_ADDRESS)
_XID: Final = re.compile(
    r"NVRM:?\s+Xid\s*\((?:PCI:)?((?:[0-9a-fA-F]{1,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2})[^)]*\)"
    r":?\s*(\d+)(.*)"
)
#: Begins what the driver says, or what the PCI layer says of the driver's function.
_OURS: Final = re.compile(r"NVRM:?\s+(.*)|\bnvidia (" + _ADDRESS + r": .*)")
_FIRST: Final = re.compile(r"\bThe NVIDIA GPU " + _ADDRESS)
#: Ends a message that begins so, whatever it says.
_LAST: Final = re.compile(r"is not (?:responding|supported)|requires use of|fallen off")
_LOADED: Final = re.compile(r"NVRM:?\s+loading NVIDIA UNIX")
_LINE_END: Final = r"\x0a"
#: Seconds after which the rest of a message is not awaited any more.
_TOGETHER: Final = 5.0
_PENDING: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Xid:
    """An Xid of the card at `bus` (``"0000:3b:00"``), said at `wall` (Unix seconds).

    `text` is the rest of its line; `past` was said before this exporter listened.
    """

    bus: str
    number: int
    wall: float
    text: str = ""
    past: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A card's state without an Xid; `bus` is empty where the line does not say which card."""

    bus: str
    fault: Fault
    wall: float
    past: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The driver was loaded; whatever was said of its cards before is over."""

    wall: float
    past: bool = False


Event = Xid | Message | Loaded


class Reader:
    """Reads line after line, and remembers which cards a message was begun for."""

    def __init__(self) -> None:
        self._begun: deque[tuple[str, float]] = deque(maxlen=_PENDING)

    def read(self, text: str, wall: float, *, past: bool) -> Iterator[Event]:
        """Yield what a record says; the kernel writes the end of a line in it as a number."""
        for line in text.split(_LINE_END):
            event = self._line(line, wall, past=past)
            if event is not None:
                yield event

    def _line(self, line: str, wall: float, *, past: bool) -> Event | None:
        xid = _XID.search(line)
        if xid is not None:
            bus = bus_of(xid[1])
            return Xid(bus=bus, number=int(xid[2]), wall=wall, text=xid[3], past=past)
        if _LOADED.search(line):
            self._begun.clear()
            return Loaded(wall=wall, past=past)
        ours = _OURS.search(line)
        return self._message(ours[1] or ours[2] or "", wall, past=past) if ours else None

    def _message(self, words: str, wall: float, *, past: bool) -> Message | None:
        first = _FIRST.search(words)
        if first is not None:
            self._begun.append((bus_of(first[1]), wall))
        bus = self._whose(words, wall) if _LAST.search(words) else _named(words)
        fault = faults.of_message(words)
        return None if fault is None else Message(bus=bus, fault=fault, wall=wall, past=past)

    def _whose(self, words: str, wall: float) -> str:
        """End the message that was begun first; one that names its card is that card's."""
        while self._begun and wall - self._begun[0][1] > _TOGETHER:
            self._begun.popleft()
        named = _named(words)
        if named:
            self._begun = deque((one for one in self._begun if one[0] != named), maxlen=_PENDING)
            return named
        return self._begun.popleft()[0] if self._begun else ""


def _named(words: str) -> str:
    found = _ANYWHERE.search(words.replace("PCI:", "PCI "))
    return bus_of(found[1]) if found else ""
