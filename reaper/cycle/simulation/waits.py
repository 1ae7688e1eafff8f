"""
When a player of the past must look again: what opens a case, and when what holds it may clear.

Pure: it compares rules and instants of the last turn's items, whoever took it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Final

from reaper.cycle.item import Item
from reaper.cycle.rules import Rules
from reaper.cycle.simulation.past import Past, PastRun
from reaper.domain.escalation import final
from reaper.domain.escalation.budget import APPROVAL, CYCLE, HOUR
from reaper.domain.escalation.budget import RULE as BUDGET
from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Intent, Refusal
from reaper.domain.escalation.refusal import HOURS
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import AT_WORK, Host
from reaper.domain.facts.minute import ACTIVE, ENGINE_ONLY, IDLE
from reaper.domain.facts.serving import Service
from reaper.domain.facts.track import Track
from reaper.domain.judgement.verdict import Kind, Verdict
from reaper.domain.reason import TOGETHER, codes

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


#: Rules that letters, signs or requests clear, all of which are looked at when they change.
_FACTS: Final = frozenset(("evidence", "save", "dispute", "upheld", "kernel", "host"))

#: Rules that are cleared by the share or the length of some letters, by other runs, or by what is
#: known of channels and directories: looked at minute by minute.
_OPEN: Final = frozenset(("network", "rhythm", "quota", "deaf", "owner"))

#: Letters that do not change while a verdict grows: a server's engine polls without any work.
_REST: Final = frozenset((*IDLE, ENGINE_ONLY))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """What a turn has left of a run: its letters in the newest minute, and what may change."""

    letters: frozenset[str]
    asked: bool = False
    """Whether it answered a request in that minute."""
    still: bool = False
    """Whether nothing becomes of it by the passing of time: see :func:`still`."""
    queued: bool = False
    """Whether a notice of its case is on its way."""
    demand: float = inf
    """When what waits changes next; Unix seconds, never is infinite."""
    acts: Iterable[Intent] = ()
    """Those of the last hour, oldest first."""


def opening(item: Item, rules: Rules) -> float:
    """Return when a case may open on a run that goes on as it is; not after now: look again."""
    situation = item.situation
    if situation is None:
        return _matched(item, rules)
    found = ripe(item)
    if not situation.unused:
        return found
    ends = [item.until for item in (situation.keep, situation.exemption) if item is not None]
    return inf if None in ends else max(found, *(end for end in ends if end is not None), found)


def ripe(item: Item) -> float:
    """Return when a run that rests will have done so until its policy's first warning."""
    now, situation = item.verdict.at, item.situation
    first = next(iter(situation.policy.warnings), None) if situation else None
    if situation is None or first is None or item.verdict.since is None:
        return now
    return now + max(0.0, first.after - situation.idle)


def _matched(item: Item, rules: Rules) -> float:
    """Return when another policy may match: by age, or by a session."""
    now, started = item.verdict.at, item.allocation.run.started
    if any(policy.match.session for policy in rules.policies):
        return now
    ages = (started + policy.match.older_than for policy in rules.policies)
    return min((at for at in ages if at > now), default=inf)


def moves(item: Item, case: Case, ahead: Ahead) -> float:
    """Return when a case can move if nothing drawn changes; not after now: look again."""
    letters = ahead.letters
    if ACTIVE in letters or ahead.asked or not letters:
        return item.verdict.at
    if ahead.still:
        return inf
    if letters <= _REST and not (item.situation and item.situation.unused):
        return item.verdict.at
    return min(_clears(item, case, ahead), _gone(item, case, ahead))


def still(item: Item, host: Host | None, service: Service | None) -> bool:
    """
    Tell whether nothing becomes of a run by the passing of time, whatever its letters.

    It is suspended, a server whose requests nobody counts, or its host works and its policy leaves
    it alone for that.
    """
    verdict, policy = item.verdict, item.policy
    if verdict.kind is Kind.UNKNOWN:
        uncounted = item.allocation.purpose is Purpose.INFERENCE and service is None
        return uncounted or bool(item.allocation.claim.doubt)
    alone = policy is not None and Kind.HOST_BUSY not in policy.also
    works = host is not None and host.track.letters[-1:] == AT_WORK
    return verdict.kind is Kind.HOST_BUSY and alone and works


def _clears(item: Item, case: Case, ahead: Ahead) -> float:
    """Return the earliest instant at which what holds a case may let it go."""
    if not case.held_by:
        return item.verdict.at if case.due is None else case.due
    if item.policy is None:
        return inf
    clear = _Clearing(
        verdict=item.verdict,
        ahead=ahead,
        spent=min((intent.created + HOUR for intent in ahead.acts), default=0.0),
    )
    refusals = item.turn.refusals if item.turn else ()
    rationed = [one for one in case.held_by if one.rule == BUDGET]
    found = max(
        (
            *(clear.of(refusal) for refusal in refusals),
            *(clear.budget(code) for one in rationed for code in codes(one.reason)),
        ),
        default=item.verdict.at,
    )
    return min(found, _spent(item, case)) if rationed else found


def _spent(item: Item, case: Case) -> float:
    """Return when the final notice of a case whose act is due is good no more, and told anew."""
    told = case.warned[-1] if case.warned else None
    if told is None or item.situation is None:
        return inf
    term = final.term(told, case, item.situation)
    return inf if term is None else term.ends


def _gone(item: Item, case: Case, ahead: Ahead) -> float:
    """Return when jobs may wait no more on whose account a final notice was told."""
    told = item.policy is not None and case.rung >= len(item.policy.warnings)
    return ahead.demand if told and case.wanted is not None else inf


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clearing:
    """When each rule that holds a case may let it go: never later than it does."""

    verdict: Verdict
    ahead: Ahead
    spent: float
    """When the oldest act of the last hour stops counting."""

    def of(self, refusal: Refusal) -> float:
        """Return when a refusal may clear."""
        if refusal.rule in _FACTS:
            return inf
        if refusal.rule == "verdict":
            waits = self.verdict.kind is Kind.HOST_BUSY
            return self.verdict.at if waits else inf
        if refusal.rule in _OPEN:
            return self.verdict.at
        if refusal.rule == "demand":
            return self.ahead.demand
        if refusal.rule == "delivery":
            return inf if self.ahead.queued else self.verdict.at
        until = inf if refusal.until is None else refusal.until
        return min(until, self.ahead.demand) if refusal.rule == HOURS else until

    def budget(self, code: str) -> float:
        """Return when one budget, by the code of its reason, may have room again."""
        if code == APPROVAL:
            return inf
        return self.verdict.at if code in (CYCLE, TOGETHER) else self.spent
