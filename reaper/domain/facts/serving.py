"""What inference servers answer, as a track on the same grid as the devices."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from reaper.domain.facts.minute import UNSEEN
from reaper.domain.facts.track import Track

#: Letters of a served track: a request was answered or waits, none did; ``?`` where unseen.
REQUEST: Final = "R"
NO_REQUEST: Final = "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """
    A server's word at `at`: requests answered since its `epoch`, and those under way or waiting.

    `server` names it among those of one run (several replicas, several ranks).
    """

    run_key: str
    server: str
    at: float
    epoch: str
    answered: float
    pending: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """All servers that answered at `as_of`; a server that is not in it was not heard."""

    as_of: float
    requests: tuple[Requests, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What is kept of a run's servers: the last word of each, and the track."""

    last: Mapping[str, Requests] = field(default_factory=dict)
    track: Track = field(default_factory=lambda: Track(start=0))


def after(service: Service | None, now: Mapping[str, Requests], *, minute: int) -> Service:
    """
    Return the service after a closed minute.

    A counter that stands still over a longer gap proves that nothing was answered in all of it;
    a server that is silent, or began anew, makes its minutes ``?``.
    """
    if service is None or not service.last:
        return Service(last=now, track=service.track if service else Track(start=minute + 1))
    first = service.track.end if service.track.letters else minute
    letters = _letters(service.last, now, max(0, minute + 1 - first))
    track = service.track.extend(first, letters)
    return Service(last=now or service.last, track=track.recent(REQUEST))


def _letters(before: Mapping[str, Requests], now: Mapping[str, Requests], minutes: int) -> str:
    if not now or not set(before) <= set(now):
        return UNSEEN * minutes
    pairs = [(before[name], later) for name, later in now.items() if name in before]
    if any(word.answered > earlier.answered for earlier, word in pairs):
        return REQUEST * minutes
    # What a new server did before it was heard is not known.
    whole = len(now) == len(before) and all(_stood_still(*pair) for pair in pairs)
    letters = (NO_REQUEST if whole else UNSEEN) * minutes
    return letters[:-1] + REQUEST if any(word.pending for word in now.values()) else letters


def _stood_still(earlier: Requests, later: Requests) -> bool:
    same = later.epoch == earlier.epoch and later.at > earlier.at
    return same and later.answered == earlier.answered
