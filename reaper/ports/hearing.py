"""Hearing what people answer: who listens on which channel, and where others may come in."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, Self

from reaper.domain.escalation.hearing import Hearing


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
