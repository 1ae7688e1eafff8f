"""Shapes in a track that say more than its last letters: bursts, beats, a hung collective."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.host import AT_WORK, CORES, QUIET, STILL, STUCK, Host
from reaper.domain.facts.minute import ACTIVE, BLIND, ENGINE_ONLY, IDLE, LETTERS, UNSEEN
from reaper.domain.facts.serving import NO_REQUEST
from reaper.domain.facts.track import Track
from reaper.domain.judgement.hosting import HOST_SHARE
from reaper.domain.reason import Reason, because, together

#: Letters of minutes in which a device does no work, its engine polling or not.
_NO_WORK: Final = "HEX"

#: Minutes over which bursts are looked for.
BURST_MINUTES: Final = 60

#: Changes between work and waiting within that time from which on it is starved.
_BURSTS: Final = 6

#: Beats of a keep-alive from which on it is one.
_BEATS: Final = 4

#: Hours of blips without a long pause between, which no person keeps up; and that pause; minutes.
_SLEEPLESS: Final = 1200
_LONGEST_GAP: Final = 120

#: Hours of hardly any work in every minute from which on nothing else is expected; minutes.
TRICKLE_MINUTES: Final = 240

#: Mean activity below which work is hardly any, by signal.
TRICKLE: Final = {"sm": 0.05, "tensor": 0.025, "dram": 0.05}

#: What is no work stands as one letter; what was not seen is left out.
_WAIT: Final = "."
_WORK_OR_WAIT: Final = str.maketrans(
    {**dict.fromkeys(LETTERS, _WAIT), ACTIVE: ACTIVE, **dict.fromkeys(BLIND)}
)

#: A run of minutes that do not idle.
_NOT_IDLE: Final = re.compile(f"[^{''.join(sorted(IDLE))}]+")

#: A beat is at most so many minutes long, and at least so many apart.
_BEAT_MINUTES: Final = 3
_BEAT_GAP: Final = 3

#: Share of the time that idles between blips, and letters of hardly any work.
_MOSTLY: Final = 0.85
_HARDLY: Final = "AL"

#: Share of its distance by which a beat may be early or late; a minute always.
_JITTER: Final = 0.02


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


def goes_on(track: Track) -> bool:
    """Tell whether it works now, and has for longer than any blip lasts."""
    newest = track.letters[-_BEAT_MINUTES - 1 :]
    return len(newest) > _BEAT_MINUTES and newest[-1] == ACTIVE and IDLE.isdisjoint(newest)


def never_starves(track: Track) -> bool:
    """Tell whether a track that goes on to work cannot be found to work in bursts by that."""
    letters = track.letters[-BURST_MINUTES:].translate(_WORK_OR_WAIT)
    return len(letters) >= BURST_MINUTES // 2 and starved(track) is None


def starvation(host: Host | None, share: float) -> Reason:
    """Return for which share of an hour starved GPUs work, what they wait for, the usual cure."""
    percent = round(100 * share)
    if host is None:
        return because("bursts", percent=percent)
    if host.stuck >= STUCK:
        return together(because("bursts-reading", percent=percent), because("cure-storage"))
    if host.cores >= CORES:
        bursts = because("bursts-host", percent=percent, cores=f"{host.cores:.1f}")
        return together(bursts, because("cure-workers"))
    return together(because("bursts-quiet", percent=percent), because("cure-ranks"))


def fed(host: Host | None) -> bool:
    """Tell whether a host at work feeds the GPUs: what comes in beats is no keep-alive then."""
    letters = host.track.letters[-BURST_MINUTES:] if host else ""
    known = sum(map(letters.count, (AT_WORK, QUIET, STILL)))
    return letters.count(AT_WORK) >= max(1.0, HOST_SHARE * known)


def beat(track: Track) -> Beat | None:
    """
    Return the regular blip of work in an otherwise idle track, else None.

    Blips of a few minutes, at least four, at distances that hardly differ, with nothing unseen
    between them: people and training steps are never that regular.
    """
    found = _blips(track.letters)
    if len(found) < _BEATS:
        return None
    found = _regular(found)
    gaps = [later - earlier for earlier, later in pairwise(found)]
    letters = track.letters[found[0] :]
    if len(found) < _BEATS or min(gaps) < _BEAT_GAP or set(letters) & BLIND:
        return None
    if len(track.letters) - found[-1] > max(gaps) + _jitter(max(gaps)):
        return None
    every, idle = round(sum(gaps) / len(gaps)), _idle(letters)
    # Two minutes of work in every seven are a loader that is waited for, not a keep-alive.
    if len(letters) - idle > len(found) and idle < _MOSTLY * len(letters):
        return None
    return Beat(every=every, times=len(found), idle_minutes=idle)


def sleepless(track: Track) -> Beat | None:
    """
    Return blips of work that come day and night without a long pause, however irregular; else None.

    Who works like that by hand sleeps once within twenty hours.
    """
    found = _blips(track.letters)
    kept = len(found)
    while kept > 1 and found[kept - 1] - found[kept - 2] <= _LONGEST_GAP:
        kept -= 1
    found = found[max(0, kept - 1) :]
    letters = track.letters[found[0] :] if found else ""
    if len(letters) < _SLEEPLESS or len(track.letters) - found[-1] > _LONGEST_GAP:
        return None
    idle = _idle(letters)
    if idle < _MOSTLY * len(letters) or set(letters) & BLIND:
        return None
    return Beat(every=round(len(letters) / len(found)), times=len(found), idle_minutes=idle)


def trickle(track: Track, evidence: Evidence) -> float | None:
    """Return the mean SM activity of hours of hardly any work in every minute; else None."""
    means = {}
    for signal, much in TRICKLE.items():
        seen = evidence.seen.get(signal, 0.0)
        if not seen or (mean := evidence.active.get(signal, 0.0) / seen) >= much:
            return None
        means[signal] = mean
    last = track.letters[-TRICKLE_MINUTES:]
    return None if len(last) < TRICKLE_MINUTES or last.strip(_HARDLY) else means["sm"]


def _regular(blips: Sequence[int]) -> Sequence[int]:
    """Return the newest blips whose distances hardly differ from the newest distance."""
    newest = blips[-1] - blips[-2]
    first = len(blips) - 1
    while first and abs(blips[first] - blips[first - 1] - newest) <= _jitter(newest):
        first -= 1
    return blips[first:]


def _jitter(gap: int) -> int:
    return max(1, round(gap * _JITTER))


def _idle(letters: str) -> int:
    return sum(letters.count(letter) for letter in IDLE)


@lru_cache(maxsize=64)
def _blips(letters: str) -> Sequence[int]:
    """
    Return where the newest runs of work begin, back to the first that is no blip.

    Devices of an allocation mostly live alike, and each is looked at for several shapes.
    """
    blips: list[int] = []
    for run in _NOT_IDLE.finditer(letters):
        if len(run[0]) > _BEAT_MINUTES:
            blips.clear()
        else:
            blips.append(run.start())
    return tuple(blips)
