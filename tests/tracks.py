"""Drawn timelines: letters on the minute grid, ending at a given time."""

from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.facts.track import Track
from reaper.domain.judgement.bench import Seen
from tests import builders


def drawn(letters: str, *, end: float = builders.START, pace: Pace = NORMAL) -> Track:
    """Return a track whose last letter's minute ends at `end`."""
    last = pace.minute(end)
    return Track(start=last + 1 - len(letters), letters=letters)


def seen(
    letters: str,
    *,
    end: float = builders.START,
    pace: Pace = NORMAL,
    witnesses: tuple[str, ...] = ("profiling", "utilisation"),
) -> Seen:
    """Return a device that played the letters, with witnesses for its present stretch."""
    track = drawn(letters, end=end, pace=pace)
    minutes = track.idle_tail()
    testimony = builders.evidence(minutes, witnesses=witnesses) if minutes else Evidence()
    return Seen(track=track, evidence=testimony)
