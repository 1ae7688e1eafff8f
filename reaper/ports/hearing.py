"""Hearing what people answer: who listens on which channel, and when nobody could be heard."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """A time in which no answer could be heard; Unix seconds, `end` None while it lasts."""

    begin: float
    end: float | None = None
    why: str = ""

    def within(self, begin: float, end: float) -> float:
        """Return for how many seconds of ``[begin, end)`` nothing could be heard."""
        until = end if self.end is None else min(self.end, end)
        return max(0.0, until - max(self.begin, begin))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """
    Whether the answers of one channel can be heard, and its silences of late.

    `channel` is the name of the notifier whose messages are answered there.
    """

    as_of: float
    channel: str
    silences: tuple[Silence, ...] = ()

    @property
    def silent(self) -> Silence | None:
        """Return the silence that lasts; None while it hears."""
        last = self.silences[-1] if self.silences else None
        return last if last is not None and last.end is None else None

    def deaf(self, begin: float, end: float) -> float:
        """Return for how many seconds of ``[begin, end)`` nothing could be heard."""
        return sum(silence.within(begin, end) for silence in self.silences)


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """
    A path of the page that takes what another service posts, and proves who it is by itself.

    `enter` takes headers by lower-case name and the body, and returns an HTTP status and a text.
    """

    path: str
    enter: Callable[[Mapping[str, str], bytes], Awaitable[tuple[int, str]]]


class Listener(Protocol):
    """Hears, while it is entered, what people answer on one channel."""

    name: str
    """The name of the channel, that of its notifier."""

    @property
    def doors(self) -> tuple[Door, ...]:
        """Return the paths that the page must serve for it."""

    async def __aenter__(self) -> Self:
        """Begin to listen; it never fails: what is not heard yet is a silence."""

    async def __aexit__(self, *ended: object) -> None:
        """Let begun answers end, and stop listening."""

    async def hearing(self) -> Hearing:
        """Return whether it hears now; raise SourceError with the reason when it does not."""
