"""
Channels that deliver notices: each says once whether it arrived, and never tries again by itself.

They know how a channel is spoken to and what its answers mean.
They refuse to know cases and policies: the figures come with the notice, the outbox is elsewhere.
"""

from collections.abc import Sequence
from functools import reduce
from importlib import import_module
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO

from pydantic import Field

from reaper.notifiers.kind import ChannelSettings, Kind, Site
from reaper.ports import Clock, Notifier

_CHANNELS: Final = (
    "console",
    "kubernetes",
    "mail",
    "mailbox",
    "slack",
    "terminal",
    "webhook",
)
"""Every kind of channel, by the file or folder here in which its ``CHANNEL`` stands."""

KINDS: Final[tuple[Kind[Any], ...]] = tuple(
    import_module(f"{__name__}.{name}").CHANNEL for name in _CHANNELS
)
"""Every kind of channel there is."""


def settings_of(kinds: Sequence[Kind[Any]]) -> Any:  # noqa: ANN401 - a type that pydantic reads
    """Return the type of an entry of the configuration: one of these, told by its `kind`."""
    return Annotated[reduce(or_, [kind.settings for kind in kinds]), Field(discriminator="kind")]


def personal(kinds: Sequence[Kind[Any]]) -> frozenset[str]:
    """Return the names of those that reach a person alone."""
    return frozenset(kind.name for kind in kinds if kind.personal)


PERSONAL: Final = personal(KINDS)
"""Kinds that reach a person alone: only what they take counts as delivered."""

if TYPE_CHECKING:
    NotifierSettings = ChannelSettings
else:
    NotifierSettings = settings_of(KINDS)


def build(
    settings: ChannelSettings,
    *,
    clock: Clock,
    stream: TextIO,
    kinds: Sequence[Kind[Any]] = KINDS,
) -> tuple[Notifier, ...]:
    """Make the channels of one entry of the configuration; personal ones first."""
    kind = next(kind for kind in kinds if kind.settings is type(settings))
    return kind.build(settings, Site(clock=clock, stream=stream))
