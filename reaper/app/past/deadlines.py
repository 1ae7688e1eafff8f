"""When anything can happen next in a replay: what is drawn, and what is due by itself."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, isfinite
from typing import Final

from exporter.contract.scenario import Scenario, ScenarioAllocation
from exporter.contract.stage import begins
from reaper.cycle.decided import Decided
from reaper.cycle.evaluation.advising import TOLD_AFTER
from reaper.cycle.evaluation.escalating import called_at
from reaper.cycle.item import Item
from reaper.cycle.rules import Rules
from reaper.cycle.simulation.waits import Ahead, moves, ripe, still
from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.minute import ENGINE_ONLY, IDLE, LOW
from reaper.domain.facts.track import Track
from reaper.domain.judgement.idleness import LOW_COUNTS, SETTLED
from reaper.domain.judgement.policy import Policy
from reaper.domain.judgement.verdict import Kind
from reaper.ports import Store

#: A minute of the grid; seconds.
_MINUTE: Final = 60.0

#: Advice is given in the first turn of a day (UTC).
_DAY: Final = 86400.0

#: Minutes after which the last answer of any source is too old.
STALE: Final = 6

#: Minutes after the last drawn change that a replay goes on, so that every case can end.
AFTER: Final = 240


@dataclass(slots=True, kw_only=True)
class Deadlines:
    """Finds the next minute that a jumping clock must visit, by what the last turn decided."""

    rules: Rules
    store: Store
    marks: tuple[float, ...]
    """Unix seconds at which the scenario draws a change, in order."""
    turned: Decided | None = None

    def see(self, decided: Decided) -> None:
        """Take in what a turn decided."""
        self.turned = decided

    async def following(self, now: float, end: float) -> float:
        """Return the end of the next minute in which anything can happen, `end` at the latest."""
        pace = self.rules.pace
        soon = self.soon(now)
        drawn = next((at for at in self.marks if at > now), inf)
        midnight = (now // _DAY + 1) * _DAY
        wanted = min(drawn, midnight, await self._due(soon), end)
        return max(soon, pace.ends(pace.minute(wanted - pace.step * 1e-6)))

    def soon(self, now: float) -> float:
        """Return the end of the minute after this one."""
        pace = self.rules.pace
        return pace.ends(pace.closed(now) + 1)

    async def _due(self, soon: float) -> float:
        async with self.store.reading() as books:
            cases = await books.open_cases()
            disputes = [called_at(case, self.rules) for case in await books.disputed_cases()]
            queued = await books.outbox()
            if await books.open_intents() or any(map(_is_new, queued)):
                return soon
            later = [soon if item.due(soon) else item.retry_at for item in queued]
            keeps = [keep.until for keep in await books.keeps(soon)]
            holds = [hold.until for hold in await books.holds() if hold.until is not None]
            learnt = [record.learnt_in for record in await books.records()]
        ends = [item.until for item in self.rules.exemptions if item.until is not None]
        items = self.turned.items if self.turned else ()
        found = {item.allocation.run.key: item for item in items}
        held = {case.run.key for case in cases}
        return min(
            (
                *(self._opens(item, soon) for key, item in found.items() if key not in held),
                *(self._hangs(item, soon) for item in found.values()),
                *(self._moves(case, found.get(case.run.key), queued, soon) for case in cases),
                *(until for until in (*keeps, *holds, *ends) if until >= soon),
                *(max(soon, at) for at in disputes if at is not None),
                *(max(soon, at or soon) for at in later),
                *(soon + (left - 1) * self.rules.pace.step for left in learnt if left),
            ),
            default=inf,
        )

    def _opens(self, item: Item, soon: float) -> float:
        """Return when an allocation without a case could open one, if its letters go on."""
        letters, policy = self._letters(item), item.policy
        if self._is_still(item) or self._unheard(item):
            return inf
        if policy is None or not policy.warnings:
            return inf
        if item.verdict.since is not None:
            return max(soon, ripe(item))
        return soon + self._pause(item, policy) if letters <= _still(item, policy) else inf

    def _moves(self, case: Case, item: Item | None, queued: Sequence[Notice], soon: float) -> float:
        """Return when a case may move, if nothing that is drawn changes."""
        if case.state is State.PLANNED:
            return inf
        if case.own_release is not None or case.state is not State.OPEN or item is None:
            return soon
        turned = self.turned
        ahead = Ahead(
            letters=self._letters(item),
            still=self._is_still(item),
            queued=any(notice.case_id == case.id for notice in queued),
            acts=turned.docket.standing.intents if turned else (),
        )
        return max(soon, moves(item, case, ahead))

    def _letters(self, item: Item) -> frozenset[str]:
        """Return what the devices of an allocation did in the newest minute."""
        minute = self.rules.pace.closed(self.turned.docket.now) if self.turned else 0
        return frozenset(track.at(minute) for track in self._tracks(item))

    def _tracks(self, item: Item) -> Iterable[Track]:
        docket = self.turned.docket if self.turned else None
        return docket.tracks_of(item.allocation).values() if docket else ()

    def _is_still(self, item: Item) -> bool:
        """Tell whether only a drawn change can make anything of an allocation."""
        key, docket = item.allocation.run.key, self.turned.docket if self.turned else None
        return docket is not None and still(item, docket.hosts.get(key), docket.services.get(key))

    def _unheard(self, item: Item) -> bool:
        """Tell whether its scheduler does not answer: it tells of nobody anew."""
        silent = self.turned.owned.stale if self.turned else frozenset[str]()
        return item.verdict.kind is Kind.UNKNOWN and item.allocation.run.platform in silent

    def _hangs(self, item: Item, soon: float) -> float:
        """Return when a run that hangs has done so for long enough to be told."""
        tails = [tail for tail in self._tails(item, ENGINE_ONLY) if tail]
        if not tails or item.allocation.purpose is Purpose.INFERENCE:
            return inf
        step = self.rules.pace.step
        left = TOLD_AFTER - min(tails) * step
        return soon + left - step if left > 0 else inf

    def _pause(self, item: Item, policy: Policy) -> float:
        """Return for how many seconds from the next minute on it is a pause still."""
        paused = item.verdict.kind is Kind.BUSY
        if not paused or item.allocation.purpose is Purpose.INFERENCE:
            return 0.0
        if LOW_COUNTS in policy.counting:
            return 0.0
        rested = min(self._tails(item, "".join(IDLE)), default=0)
        return max(0, SETTLED - rested - 1) * self.rules.pace.step

    def _tails(self, item: Item, letters: str) -> list[int]:
        """Return for how many minutes up to now each device has done nothing but these."""
        tracks = [track.letters for track in self._tracks(item)]
        return [len(drawn) - len(drawn.rstrip(letters)) for drawn in tracks]


def _is_new(notice: Notice) -> bool:
    """Tell whether a notice is to be delivered now; advice waits for work, and says until when."""
    return notice.retry_at is None and notice.kind != "advice"


def _still(item: Item, policy: Policy) -> frozenset[str]:
    """Return the letters that may add up to idleness; a server's engine polls without any work."""
    low = (LOW,) if LOW_COUNTS in policy.counting else ()
    polls = (ENGINE_ONLY,) if item.allocation.purpose is Purpose.INFERENCE else ()
    return frozenset((*IDLE, *low, *polls))


# ------------------------------------------------------------------ what is drawn


def marks(scenario: Scenario, step: float, *, ages: Iterable[float] = ()) -> tuple[float, ...]:
    """
    Return the moments (seconds from start) at which a scenario draws a change, in order.

    Each stands with the minute before it, so that what lasts long is told from what follows.
    At `ages` (seconds) an allocation is old enough to be matched by other rules.
    """
    end = length(scenario, step)
    grown = (item.begin + age for item in scenario.allocations for age in ages)
    old = (at for at in grown if at <= end)
    return _ordered((*_once(scenario, step), *_again(scenario, end), *old), step)


def own_marks(scenario: Scenario, item: ScenarioAllocation, step: float) -> tuple[float, ...]:
    """Return the moments (seconds from start) at which an allocation changes, letters aside."""
    return _ordered((*_allocation(item, step), *_signals(scenario, step)), step)


def length(scenario: Scenario, step: float) -> float:
    """Return when a replay ends, in seconds from start: as drawn, or so that cases can end."""
    if scenario.length is not None:
        return scenario.length
    return _ordered(_once(scenario, step), step)[-1] + AFTER * step


def _ordered(drawn: Iterable[float], step: float) -> tuple[float, ...]:
    known = {at for at in drawn if isfinite(at) and at >= 0}
    return tuple(sorted(known | {floor(at / step) * step for at in known}))


def _once(scenario: Scenario, step: float) -> Iterator[float]:
    yield from (0.0, step)
    for item in scenario.allocations:
        yield from _allocation(item, step)
    yield from _events(scenario, step)
    yield from (waiting.at for waiting in scenario.waiting)
    yield from _signals(scenario, step)
    yield from scenario.expect.moments
    yield from (at for span in scenario.in_force for at in span)
    for node in scenario.nodes:
        for track in node.tracks:
            yield from _changes(track, scenario.step)
            yield len(track) * scenario.step


def _changes(track: str, step: float) -> Iterator[float]:
    for index in begins(track)[1:]:
        # A letter shorter than a minute leaves a mixed one: the first whole one is after it.
        yield from (index * step, (index + 1) * step, index * step + _MINUTE)


def _again(scenario: Scenario, end: float) -> Iterator[float]:
    """Yield the changes of the tracks that begin again, up to the end."""
    for node in scenario.nodes:
        for track in node.tracks if node.then == "loop" else ():
            whole = ceil(end / scenario.step / len(track))
            yield from _changes(track * whole, scenario.step)


def _signals(scenario: Scenario, step: float) -> Iterator[float]:
    for begin, end in (span for one in scenario.signals for span in one.spans):
        # What was last heard before a silence is heard in the minute before it, and what a
        # signal shows instead in the minute after.
        yield from (begin - step, begin, begin + step, end, end + step)


def _allocation(item: ScenarioAllocation, step: float) -> Iterator[float]:
    yield from (at for at in (item.begin, item.end, item.limit) if at is not None)
    # What begins at a moment shows in the minute after it.
    yield from (later for span in _spans(item) for at in span for later in (at, at + step))
    yield from (at for session in item.sessions for at in session.inputs)


def _spans(item: ScenarioAllocation) -> Iterator[tuple[float, float]]:
    yield from ((load.begin, load.end) for load in item.loads)
    yield from item.suspended
    yield from item.serves or ()
    yield from item.uses or ()
    for session in item.sessions:
        yield from (*session.busy, *session.unreachable)


def _events(scenario: Scenario, step: float) -> Iterator[float]:
    for event in scenario.events:
        # What was last heard before an outage or a restart is heard in the minute before it.
        # What it hid is read at its end, and what goes on in the minute after that.
        ends = (event.at, event.at + event.duration)
        yield from (event.at - step, *ends, *(end + step for end in ends))
        if event.do == "outage":
            # In these minutes what was last heard grows too old to be new.
            yield from (event.at + minute * step for minute in range(1, STALE + 1))
