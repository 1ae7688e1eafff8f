"""The ears of a running reaper: built from its channels, told to the board, asked like sources."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from reaper.app.parts import Adapters, Ask, Parts
from reaper.board import HEARING, Board
from reaper.config import Configuration
from reaper.domain.escalation.hearing import Hearing
from reaper.notifiers.ear import Ear
from reaper.notifiers.listening import listener
from reaper.notifiers.slack.answering import Core
from reaper.observers import Source
from reaper.ports import Listener

#: Longest time for one answer about an ear; wall seconds.
_PATIENCE: Final = 10.0


def listeners(
    configuration: Configuration,
    parts: Parts,
    built: Adapters,
    *,
    key: bytes,
) -> tuple[Listener, ...]:
    """Build everything that hears answers; nothing listens before it is entered."""
    core = Core(requests=parts.requests, people=built.people, key=key, clock=parts.clock)
    made = (
        listener(settings, core, tell=partial(tell, parts.board))
        for settings in configuration.notifiers
    )
    return tuple(item for item in made if item is not None)


def tell(board: Board, hearing: Hearing) -> None:
    """Put what is heard on the board at once: a silence counts from its first second."""
    board.put(source=hearing.channel, role=HEARING, answer=hearing, took=0.0)


def asked(parts: Parts, ears: Iterable[Listener]) -> Parts:
    """Return the parts with every ear among the sources, so that a deaf one is seen to fail."""
    asks = {ear.name: ear.hearing for ear in ears} | dict(_of_notifiers(parts))
    for name in asks:
        parts.board.expect(source=name, role=HEARING)
    sources = tuple(
        Source(
            name=name,
            role=HEARING,
            ask=ask,
            interval=parts.rules.pace.step / 2,
            patience=_PATIENCE,
        )
        for name, ask in asks.items()
    )
    return replace(parts, sources=(*parts.sources, *sources))


def _of_notifiers(parts: Parts) -> Iterator[tuple[str, Ask]]:
    """Yield the ears of channels that hear what comes back: what is not known of counts never."""
    for notifier in parts.deliverer.notifiers:
        ear: Ear | None = getattr(notifier, "ear", None)
        if ear is not None:
            ear.tell = partial(tell, parts.board)
            yield ear.channel, partial(_told, ear)


async def _told(ear: Ear) -> Hearing:
    return ear.hearing()
