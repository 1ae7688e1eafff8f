"""
What of the turn before still holds: of allocations whose devices did nothing but work since.

A verdict is carried over where nothing that it was given has changed, and no letter that followed
could change it.  It is as of when it was judged; how much was seen of its devices is told anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from reaper.cycle.evidence.going_on import GoingOn
from reaper.cycle.evidence.records import Records
from reaper.cycle.item import Item
from reaper.cycle.ledger.holding import holds_alike
from reaper.cycle.rules import Rules
from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.minute import ACTIVE
from reaper.domain.facts.reading import PROFILED
from reaper.domain.facts.serving import Service
from reaper.domain.facts.tenant import divided
from reaper.domain.facts.track import Track
from reaper.domain.judgement.pattern import TRICKLE, trickle


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What the turn before found that may last, by run key, and under which rules."""

    rules: Rules
    items: Mapping[str, Item]


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrying:
    """Carries items over from the turn before; `working` as :func:`working` tells it."""

    items: Mapping[str, Item]
    working: frozenset[str]
    records: Records
    tracks: Mapping[str, Track]
    services: Mapping[str, Service]
    now: float

    _covered: dict[int, tuple[Track, float]] = field(default_factory=dict, init=False)

    def again(self, given: Allocation) -> Item | None:
        """Return what was found of an allocation without a case, as of now; None: judge it."""
        before = self.items.get(given.run.key)
        return self._as_of_now(before, given) if before and self._goes_on(before, given) else None

    def _goes_on(self, before: Item, given: Allocation) -> bool:
        """Tell whether all that an item was judged by is as it was, or only goes on."""
        if not self.now < before.until or before.case is not None:
            return False
        if not _alike(before.allocation, given):
            return False
        if given.run.key in self.services and given.purpose is Purpose.INFERENCE:
            return False
        if not self.working.issuperset(given.gpus):
            return False
        return not self._trickles(given.gpus[0])

    def _trickles(self, gpu: str) -> bool:
        """Tell whether hardly any work was done on a device for hours."""
        known = self.records.glance(gpu)
        if isinstance(known, GoingOn) and known.mean(PROFILED[0]) >= TRICKLE[PROFILED[0]]:
            return False
        return trickle(self.tracks[gpu], self.records.evidence(gpu)) is not None

    def _as_of_now(self, before: Item, allocation: Allocation) -> Item:
        seen = sum([self._coverage(self.tracks[gpu]) for gpu in allocation.gpus])
        coverage, verdict = seen / allocation.expected, before.verdict
        if coverage != verdict.coverage:
            verdict = replace(verdict, coverage=coverage)
        elif before.carried and before.allocation is allocation:
            return before
        return replace(before, allocation=allocation, verdict=verdict, carried=True)

    def _coverage(self, track: Track) -> float:
        """Return how much was seen of a track, told once of all that live alike."""
        known = self._covered.get(id(track))
        if known is None:
            known = self._covered[id(track)] = track, track.coverage
        return known[1]


def working(
    letters: Mapping[str, Track], tracks: Mapping[str, Track], *, now: float, pace: Pace
) -> frozenset[str]:
    """
    Return the devices that did nothing but work since the turn before, and are known to just now.

    `letters` are what is new of their `tracks`; a device that is divided speaks for no one run.
    """
    oldest, parted = now - pace.fresh, divided(tracks)
    works: dict[tuple[int, int], bool] = {}
    found: list[str] = []
    for gpu, fresh in letters.items():
        # Most devices live alike: one look at their letters is one for all.
        track = tracks[gpu]
        alike = id(fresh), id(track)
        if alike not in works:
            works[alike] = _works_on(fresh, track) and pace.begins(fresh.end) >= oldest
        if works[alike] and gpu not in parted:
            found.append(gpu)
    return frozenset(found)


def _alike(before: Allocation, after: Allocation) -> bool:
    """Tell whether both are judged alike while they work: when people typed makes no difference."""
    return before is after or (
        holds_alike(before, after)
        and before.read_as == after.read_as
        and [sign.kind for sign in before.signs] == [sign.kind for sign in after.signs]
    )


def _works_on(fresh: Track, track: Track) -> bool:
    """Tell whether letters of work were appended to work in a track, without a gap between."""
    offset = fresh.start - track.start
    return not fresh.letters.strip(ACTIVE) and offset > 0 and track.letters[offset - 1] == ACTIVE
