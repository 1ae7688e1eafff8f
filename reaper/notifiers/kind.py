"""What a kind of channel is: its settings, whom it reaches, and how it is made of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TextIO, TypeVar

from reaper.ports import Clock, Notifier
from reaper.schema import Settings


class ChannelSettings(Settings):
    """The base of every channel's settings: `kind` is a literal of its own."""

    kind: str


S = TypeVar("S", bound=ChannelSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What every channel is given: the time, and the program's own output."""

    clock: Clock
    stream: TextIO


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[S]):
    """
    A kind of channel; its module's ``CHANNEL``.

    `personal` tells whether what it takes counts as delivered: it reaches its person alone.
    `build` makes the channels of one entry of the configuration, personal ones first.
    """

    settings: type[S]
    personal: bool
    build: Callable[[S, Site], tuple[Notifier, ...]]

    @property
    def name(self) -> str:
        """Return what an operator writes as `kind`."""
        return str(self.settings.model_fields["kind"].default)
