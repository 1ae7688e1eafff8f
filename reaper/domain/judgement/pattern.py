"""Shapes in a track that say more than its last letters: bursts, beats, a hung collective."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from reaper.domain.facts.host import AT_WORK, CORES, QUIET, STILL, STUCK, Host
from reaper.domain.facts.minute import ACTIVE, BLIND, ENGINE_ONLY, IDLE, LETTERS, UNSEEN
from reaper.domain.facts.serving import NO_REQUEST
from reaper.domain.facts.track import Track
from reaper.domain.judgement.hosting import HOST_SHARE

#: Letters of minutes in which a device does no work, its engine polling or not.
_NO_WORK: Final = "HEX"

#: Minutes over which bursts are looked for.
BURST_MINUTES: Final = 60

#: Changes between work and waiting within that time from which on it is starved.
_BURSTS: Final = 6

#: Beats of a keep-alive from which on it is one.
_BEATS: Final = 4

#: What is no work stands as one letter; what was not seen is left out.
_WAIT: Final = "."
_WORK_OR_WAIT: Final = str.maketrans(
    {**dict.fromkeys(LETTERS, _WAIT), ACTIVE: ACTIVE, **dict.fromkeys(BLIND)}
)

#: A run of minutes that do not idle.
_NOT_IDLE: Final = re.compile(f"[^{''.join(sorted(IDLE))}]+")

#: A beat is at most so many minutes long, and at least so many apart.
_BEAT_MINUTES: Final = 1
_BEAT_GAP: Final = 3

#: Minutes over which beats are looked for.
BEAT_WINDOW: Final = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """Work so short and so regular that it looks like a keep-alive."""

    every: int
    """Minutes from beat to beat."""
    times: int
    idle_minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Minutes at the end in which a server was asked nothing, and in which its GPUs did no work."""

    quiet: int
    still: int
    unasked: int = 0
    """Minutes of work since the last request that is known of: nobody asked for it."""

    @property
    def both(self) -> int:
        """Return for how long both have rested."""
        return min(self.quiet, self.still)


def resting(served: Track, tracks: Sequence[Track], end: int) -> Rest | None:
    """
    Return for how long a server has rested by minute `end`; None where its requests are unseen.

    An engine that polls does no work.
    """
    letters = served.clip(served.start, end).letters
    if letters[-1:] in ("", UNSEEN):
        return None
    ends = [track.clip(track.start, end).letters for track in tracks]
    quiet = len(letters) - len(letters.rstrip(NO_REQUEST))
    return Rest(
        quiet=quiet,
        still=min(len(drawn) - len(drawn.rstrip(_NO_WORK)) for drawn in ends),
        unasked=max(drawn[-quiet:].count(ACTIVE) for drawn in ends) if quiet else 0,
    )


def engine_only(track: Track) -> int:
    """Return for how many minutes at the end the engine has been busy without any work."""
    return len(track.letters) - len(track.letters.rstrip(ENGINE_ONLY))


def starved(track: Track) -> float | None:
    """
    Return the active share of a track that works in bursts and waits in between, else None.

    Unseen minutes count for neither side.
    """
    letters = track.letters[-BURST_MINUTES:].translate(_WORK_OR_WAIT)
    if len(letters) < BURST_MINUTES // 2:
        return None
    changes = letters.count(ACTIVE + _WAIT) + letters.count(_WAIT + ACTIVE)
    share = letters.count(ACTIVE) / len(letters)
    return share if changes >= _BURSTS and 0.0 < share <= 0.5 else None


def cause(host: Host | None) -> str:
    """Say what starved GPUs most likely wait for, and the usual cure."""
    if host is None:
        return "what for is not measured here"
    if host.stuck >= STUCK:
        return "its processes read or write; stage the data on fast local storage"
    if host.cores >= CORES:
        return f"its host works on {host.cores:.1f} cores; give the loader more workers"
    return "its host is quiet; look at communication and at other ranks"


def fed(host: Host | None) -> bool:
    """Tell whether a host at work feeds the GPUs: what comes in beats is no keep-alive then."""
    letters = host.track.letters[-BURST_MINUTES:] if host else ""
    known = sum(map(letters.count, (AT_WORK, QUIET, STILL)))
    return letters.count(AT_WORK) >= max(1.0, HOST_SHARE * known)


def beat(track: Track) -> Beat | None:
    """
    Return the regular blip of work in an otherwise idle track, else None.

    Blips of a minute, at least four, at distances that differ by a minute at most, with nothing
    unseen between them: people and training steps are never that regular.
    """
    letters = track.letters[-BEAT_WINDOW:]
    blips = _blips(letters)
    if len(blips) < _BEATS or set(letters[blips[0] :]) & BLIND:
        return None
    gaps = [later - earlier for earlier, later in pairwise(blips)]
    regular = max(gaps) - min(gaps) <= 1 and min(gaps) >= _BEAT_GAP
    if not regular or len(letters) - blips[-1] > max(gaps) + 1:
        return None
    idle_minutes = sum(1 for letter in letters[blips[0] :] if letter in IDLE)
    return Beat(every=round(sum(gaps) / len(gaps)), times=len(blips), idle_minutes=idle_minutes)


def _blips(letters: str) -> list[int]:
    """Return where the newest runs of work begin, back to the first that is no blip."""
    blips: list[int] = []
    for run in _NOT_IDLE.finditer(letters):
        if len(run[0]) > _BEAT_MINUTES:
            blips.clear()
        else:
            blips.append(run.start())
    return blips
