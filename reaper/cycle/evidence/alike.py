"""Tracks that are kept once for all devices that live alike, as those of a job mostly do; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reaper.domain.facts.track import LONG_WORK, Track


@dataclass(slots=True)
class Alike:
    """
    The tracks of one turn, each kept once.

    A track that was made from is held, so that no other takes its place meanwhile.
    """

    _extended: dict[tuple[int, int, str], tuple[Track, Track]] = field(default_factory=dict)
    _recent: dict[int, tuple[Track, Track]] = field(default_factory=dict)
    _known: dict[tuple[int, str], Track] = field(default_factory=dict)

    def extended(self, known: Track, fresh: Track) -> Track:
        """Return a track with the letters of another behind it."""
        key = id(known), fresh.start, fresh.letters
        found = self._extended.get(key)
        if found is None:
            found = self._extended[key] = known, known.extend(fresh.start, fresh.letters)
        return found[1]

    def all_recent(self, tracks: Mapping[str, Track]) -> dict[str, Track]:
        """Return what of many tracks is remembered."""
        return {gpu: self.recent(track) for gpu, track in tracks.items()}

    def recent(self, track: Track) -> Track:
        """Return what of a track is remembered; equal ones are one."""
        found = self._recent.get(id(track))
        if found is None:
            cut = track.recent(LONG_WORK)
            one = self._known.setdefault((cut.start, cut.letters), cut)
            found = self._recent[id(track)] = track, one
        return found[1]
