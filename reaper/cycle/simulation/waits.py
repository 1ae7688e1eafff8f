"""When a simulation must look again: what opens a case, and when what holds it may clear; pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Final

from reaper.cycle.item import Item
from reaper.cycle.rules import Rules
from reaper.cycle.simulation.past import Past, PastRun
from reaper.domain.escalation.budget import HOUR
from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Intent, Refusal
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.track import Track
from reaper.domain.judgement.hours import next_opening
from reaper.domain.judgement.policy import Policy
from reaper.domain.judgement.verdict import Kind, Verdict

Window = tuple[int, int]
"""Minutes ``[first, end)``."""

#: Letters in which a device does no work: low counts for policies that only warn, a busy engine
#: for servers, which poll.
_LETTERS: Final[Mapping[tuple[bool, bool], str]] = {
    (False, False): "HE",
    (True, False): "HEL",
    (False, True): "HEX",
    (True, True): "HELX",
}


def windows(
    run: PastRun, past: Past, pace: Pace, *, shortest: int, low: bool
) -> tuple[Window, ...]:
    """Return the stretches of at least `shortest` minutes without work on all devices, in order."""
    first = ceil(run.begin / pace.step) - 1
    end = pace.closed(past.end) + 1
    if run.end is not None:
        end = min(end, pace.minute(run.end) + 1)
    tracks = [past.tracks.get(gpu) for gpu in run.allocation.gpus]
    if not tracks or any(track is None for track in tracks):
        return ()
    serves = run.allocation.purpose is Purpose.INFERENCE
    pattern = re.compile(f"[{_LETTERS[low, serves]}]{{{max(1, shortest)},}}")
    common: Sequence[Window] = [(first, end)]
    for track in tracks:
        if track is not None and common:
            common = tuple(_within(common, _stretches(track, pattern, first, end), shortest))
    return tuple(common)


def _stretches(track: Track, pattern: re.Pattern[str], first: int, end: int) -> Iterator[Window]:
    low, high = max(first - track.start, 0), max(end - track.start, 0)
    for found in pattern.finditer(track.letters, low, high):
        yield track.start + found.start(), track.start + found.end()


def _within(
    common: Sequence[Window], stretches: Iterator[Window], shortest: int
) -> Iterator[Window]:
    """Yield what two ordered lists of windows share, where it is long enough."""
    ours = iter(common)
    one = next(ours, None)
    other = next(stretches, None)
    while one is not None and other is not None:
        begin, end = max(one[0], other[0]), min(one[1], other[1])
        if end - begin >= shortest:
            yield begin, end
        if one[1] < other[1]:
            one = next(ours, None)
        else:
            other = next(stretches, None)


def next_change(tracks: Sequence[Track], minute: int) -> int | None:
    """Return the next minute in which some device plays another letter than at `minute`."""
    found = [change for track in tracks if (change := _change(track, minute)) is not None]
    return min(found, default=None)


def _change(track: Track, minute: int) -> int | None:
    offset = minute - track.start
    if offset < 0:
        return track.start
    if offset >= len(track.letters):
        return None
    letter = track.letters[offset]
    other = _OTHER[letter].search(track.letters, offset)
    return track.start + (other.start() if other else len(track.letters))


_OTHER: Final = {letter: re.compile(f"[^{re.escape(letter)}]") for letter in "ALHEX?!"}


_BUDGET: Final = "budget:"

#: Rules that letters, signs or requests clear, all of which are looked at when they change.
_FACTS: Final = frozenset(("evidence", "save", "dispute", "upheld", "kernel", "host"))

#: Rules that the share of some letters clears, or their length, minute by minute.
_SHARES: Final = frozenset(("network", "rhythm"))


def clears(item: Item, case: Case, rules: Rules, past: Past, intents: Iterable[Intent]) -> float:
    """Return the earliest instant at which a case can move, if no letter changes."""
    if not case.held_by:
        return item.verdict.at if case.due is None else case.due
    if item.policy is None:
        return inf
    clear = _Clearing(
        policy=item.policy,
        verdict=item.verdict,
        rules=rules,
        demand=past.changes_after(item.verdict.at),
        spent=min((intent.created + HOUR for intent in intents), default=0.0),
    )
    refusals = item.turn.refusals if item.turn else ()
    rationed = [text for text in case.held_by if text.startswith(_BUDGET)]
    return max(
        (
            *(clear.of(refusal) for refusal in refusals),
            *(clear.budget(part) for text in rationed for part in text.split("; ")),
        ),
        default=item.verdict.at,
    )


def gone(item: Item, case: Case, past: Past) -> float:
    """Return when jobs may wait no more on whose account a final notice was told."""
    told = item.policy is not None and case.rung >= len(item.policy.warnings)
    change = past.changes_after(item.verdict.at) if told and case.wanted is not None else None
    return inf if change is None else change


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clearing:
    """When each rule that holds a case may let it go: never later than it does."""

    policy: Policy
    verdict: Verdict
    rules: Rules
    demand: float | None
    spent: float
    """When the oldest act of the last hour stops counting."""

    def of(self, refusal: Refusal) -> float:
        """Return when a refusal may clear."""
        if refusal.rule in _FACTS:
            return inf
        if refusal.rule == "verdict":
            waits = self.verdict.kind is Kind.HOST_BUSY
            return self.verdict.at if waits else inf
        if refusal.rule in _SHARES:
            return self.verdict.at
        if refusal.rule == "demand":
            return self._waiting()
        if refusal.rule == "hours":
            zone = self.rules.zone(self.policy.hours.zone)
            opening = next_opening(self.policy.hours, self.verdict.at + 1, zone)
            return min(opening, self._waiting())
        return inf if refusal.until is None else refusal.until

    def budget(self, part: str) -> float:
        """Return when one budget may have room again."""
        if "approval" in part:
            return inf
        return self.verdict.at if part.endswith("a cycle") else self.spent

    def _waiting(self) -> float:
        return inf if self.demand is None else self.demand
