"""
What hosts say of an idle stretch: at work now, at work for much of it, at rest, or not seen.

Work that goes on now protects, whatever share of the time it fills; work that fills much of an
hour, or that is long, was somebody's use: idleness begins after it.  What counts as such depends
on the host alone, so that more of any work never brings a release forward.  A host that nobody
sees is neither: what may be released without it is decided by what the allocation is for.
"""

import re
from dataclasses import dataclass
from typing import Final

from reaper.domain.facts.host import AT_WORK, STILL, Host
from reaper.domain.facts.minute import UNSEEN

#: Known minutes at the end in one of which work goes on now.
NEWEST: Final = 5

#: Minutes for which a host may be unseen at the end, so that it still counts as seen.
LATELY: Final = 15

#: Minutes of work at a stretch from which on somebody used it: its idleness begins after them,
#: however long its GPUs have idled.
LONG_WORK: Final = 10

#: Share of an hour's known minutes in which the host works, from which on the GPUs wait for it.
HOST_SHARE: Final = 0.2
_HOUR: Final = 60

#: Minutes of work without which none was much, however few of the hour are known.
_TWICE: Final = 2

#: Minutes of a quiet host, after it worked, from which on they wait for it no longer; minutes
#: without sight in which it may have done so.
HOST_RESTED: Final = 30

#: Share of the known minutes in which the network must be seen at rest, so that it was.
_STILL_SHARE: Final = 0.95

_GAP: Final = re.compile(f"{re.escape(UNSEEN)}+")

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
    rested: int | None = None
    """For how many minutes it rests after it worked for much of an hour, while that protects."""
    worked: float = 0.0
    """Share of the known minutes at work."""
    still: bool = False
    """The network was seen at rest, too."""
    sees: bool = False
    """Something saw them in the newest minute."""
    lost: bool = False
    """They were seen once, and for long nothing has seen them: they count as not measured."""

    @property
    def busy(self) -> bool:
        """Tell whether the GPUs wait for a host at work."""
        return self.works or self.rested is not None


def hosted(host: Host | None, *, minutes: int, end: int) -> Hosting:
    """Return what a host says of the `minutes` before minute `end`; None is one nobody measures."""
    if host is None:
        return Hosting(minutes=minutes)
    begin = min(host.track.start, end)
    whole = host.track.clip(begin, end).letters
    known = _known(whole[-minutes:] if minutes else "")
    works = AT_WORK in known[-NEWEST:]
    much = _much(whole)
    rested = None if much is None else len(_known(whole[much:]))
    if works or (rested is not None and rested < HOST_RESTED):
        return _of(whole, minutes=minutes, works=works, rested=rested)
    used = max(much or 0, _long(whole))
    return _of(whole, minutes=min(minutes, len(whole) - used) if used else minutes)


def _of(whole: str, *, minutes: int, works: bool = False, rested: int | None = None) -> Hosting:
    letters = whole[-minutes:] if minutes else ""
    known = _known(letters)
    return Hosting(
        minutes=minutes,
        measured=bool(_known(letters[-LATELY:])),
        known=len(known),
        works=works,
        rested=rested if rested is not None and rested < HOST_RESTED else None,
        worked=known.count(AT_WORK) / len(known) if known else 0.0,
        still=known.count(STILL) >= _STILL_SHARE * len(known) > 0,
        sees=bool(_known(letters[-1:])),
        lost=len(letters) >= LATELY and not _known(letters[-LATELY:]),
    )


def _much(whole: str) -> int | None:
    """Return where the last minute of work ends by which it has worked for much of an hour."""
    place = whole.rfind(AT_WORK)
    while place >= 0:
        hour = _known(whole[max(0, place + 1 - _HOUR) : place + 1])
        if hour.count(AT_WORK) >= max(_TWICE, HOST_SHARE * len(hour)):
            return place + 1
        place = whole.rfind(AT_WORK, 0, place)
    return None


def _known(letters: str) -> str:
    """Return the letters of minutes of which something is known."""
    return letters.replace(UNSEEN, "")


def _long(whole: str) -> int:
    """Return where the last long work ends; 0 where there was none."""
    if AT_WORK not in whole:
        return 0
    spells = (spell for spell in _SPELL.finditer(whole) if spell[0].count(AT_WORK) >= LONG_WORK)
    return max((spell.end() for spell in spells), default=0)


def sighted(host: Host | None, *, minutes: int, end: int) -> int:
    """
    Return how many of the `minutes` before `end` follow the last long time without sight.

    Before its track begins nobody looked yet: that is no such time.
    """
    if host is None:
        return minutes
    begin = max(end - minutes, min(host.track.start, end))
    letters = host.track.clip(begin, end).letters
    gaps = [gap.end() for gap in _GAP.finditer(letters) if len(gap[0]) >= HOST_RESTED]
    rest = len(letters) - gaps[-1] if gaps else minutes
    return min(minutes, rest)
