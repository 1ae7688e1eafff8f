"""
What hosts say of an idle stretch: at work now, at work for much of it, at rest, or not seen.

Work that goes on now protects, whatever share of the stretch it fills; long earlier work protects
for its rest.  A host that nobody sees is neither: what may be released without it is decided
by what the allocation is for.
"""

import re
from dataclasses import dataclass
from typing import Final

from reaper.domain.facts.host import AT_WORK, QUIET, STILL, Host

#: Known minutes at the end in one of which work goes on now.
NEWEST: Final = 5

#: Minutes for which a host may be unseen at the end, so that it still counts as seen.
LATELY: Final = 15

#: Minutes of work at a stretch from which on somebody used it: its idleness begins after them,
#: however long its GPUs have idled.
LONG_WORK: Final = 10

#: Share of the minutes in which the host works, from which on the GPUs wait for it.
HOST_SHARE: Final = 0.2

#: Minutes of a quiet host, after it worked, from which on they wait for it no longer; minutes
#: without sight in which it may have done so.
HOST_RESTED: Final = 30

#: Share of the known minutes in which the network must be seen at rest, so that it was.
_STILL_SHARE: Final = 0.95

_KNOWN: Final = re.compile(f"[^{AT_WORK}{QUIET}{STILL}]+")
_RESTS: Final = QUIET + STILL

#: Work without a pause in which it would not count as going on.
_SPELL: Final = re.compile(f"{AT_WORK}(?:[^{AT_WORK}]{{0,{NEWEST - 1}}}{AT_WORK})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosting:
    """
    What hosts say of the newest so many minutes.

    `minutes` are those of them that count as idleness: what lies before long work is spent.
    """

    minutes: int
    measured: bool = False
    """Whether anything saw them lately."""
    known: int = 0
    """Minutes of them of which something is known."""
    works: bool = False
    """Work goes on now."""
    worked: float = 0.0
    """Share of the known minutes at work, where that protects still; else zero."""
    still: bool = False
    """The network was seen at rest, too."""
    sees: bool = False
    """Something saw them in the newest minute."""
    lost: bool = False
    """They were seen once, and for long nothing has seen them: they count as not measured."""

    @property
    def busy(self) -> bool:
        """Tell whether the GPUs wait for a host at work."""
        return self.works or self.worked > 0


def hosted(host: Host | None, *, minutes: int, end: int) -> Hosting:
    """Return what a host says of the `minutes` before minute `end`; None is one nobody measures."""
    if host is None:
        return Hosting(minutes=minutes)
    track = host.track
    begin = max(end - minutes, min(track.start, end))
    letters = track.clip(begin, end).letters
    return _of(letters, minutes=minutes)


def _of(letters: str, *, minutes: int) -> Hosting:
    known = _KNOWN.sub("", letters)
    works = AT_WORK in known[-NEWEST:]
    share = known.count(AT_WORK) / len(known) if known else 0.0
    rested = len(letters) - len(letters.rstrip(_RESTS))
    protects = share >= HOST_SHARE
    if not works and protects and rested >= HOST_RESTED:
        return _of(letters[-rested:], minutes=rested)
    rest = None if works or protects else _rest(letters)
    if rest is not None:
        return _of(letters[-rest:], minutes=rest)
    return Hosting(
        minutes=minutes,
        measured=bool(_KNOWN.sub("", letters[-LATELY:])),
        known=len(known),
        works=works,
        worked=share if protects else 0.0,
        still=known.count(STILL) >= _STILL_SHARE * len(known) > 0,
        sees=bool(_KNOWN.sub("", letters[-1:])),
        lost=len(letters) >= LATELY and not _KNOWN.sub("", letters[-LATELY:]),
    )


def _rest(letters: str) -> int | None:
    """Return how many minutes follow the last long work; None where there was none."""
    spells = (spell for spell in _SPELL.finditer(letters) if spell[0].count(AT_WORK) >= LONG_WORK)
    ends = [spell.end() for spell in spells]
    return len(letters) - ends[-1] if ends else None


def sighted(host: Host | None, *, minutes: int, end: int) -> int:
    """
    Return how many of the `minutes` before `end` follow the last long time without sight.

    Before its track begins nobody looked yet: that is no such time.
    """
    if host is None:
        return minutes
    begin = max(end - minutes, min(host.track.start, end))
    letters = host.track.clip(begin, end).letters
    gaps = [gap.end() for gap in _KNOWN.finditer(letters) if len(gap[0]) >= HOST_RESTED]
    rest = len(letters) - gaps[-1] if gaps else minutes
    return min(minutes, rest)
