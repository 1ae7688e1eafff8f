"""When anything can happen next in a replay: what is drawn, and what is due by itself."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, inf, isfinite
from typing import Final

from exporter.contract.scenario import Scenario, ScenarioAllocation
from exporter.contract.stage import Stage
from reaper.cycle.advising import TOLD_AFTER
from reaper.cycle.escalating import called_at
from reaper.cycle.rules import Rules
from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.host import AT_WORK
from reaper.domain.facts.minute import ENGINE_ONLY, IDLE, LOW
from reaper.domain.facts.track import whole
from reaper.domain.judgement.hours import next_opening
from reaper.domain.judgement.idleness import LOW_COUNTS, SETTLED
from reaper.domain.judgement.policy import Policy
from reaper.domain.judgement.verdict import Kind
from reaper.domain.picture import Row
from reaper.ports import Store

#: A minute of the grid; seconds.
_MINUTE: Final = 60.0

#: Advice is given in the first turn of a day (UTC).
_DAY: Final = 86400.0

#: Rules that hold a case until something drawn changes, or until the end that they name.
_PATIENT: Final = frozenset(("demand", "dispute", "paused", "interlock", "keep"))

#: Rules that hold a case until the end that its due time names, unless something drawn changes.
_TIMED: Final = frozenset(("grace", "presence", "window", "hours", "notices"))

#: Minutes after which the last answer of any source is too old.
STALE: Final = 6

#: Minutes after the last drawn change that a replay goes on, so that every case can end.
AFTER: Final = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines:
    """Finds the next minute that a jumping clock must visit."""

    rules: Rules
    store: Store
    marks: tuple[float, ...]
    """Unix seconds at which the scenario draws a change, in order."""
    stage: Stage

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
            picture = await books.picture()
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
        rows = picture.rows if picture else ()
        still = {row.run_key for row in rows if self._is_still(row, soon)}
        still |= {case.run.key for case in cases if _is_untold(case, queued)}
        return min(
            (
                *(self._row_due(row, soon) for row in rows if row.run_key not in still),
                *(self._case_due(case, soon) for case in cases if self._moves(case, still)),
                *(until for until in (*keeps, *holds, *ends) if until >= soon),
                *(max(soon, at) for at in disputes if at is not None),
                *(max(soon, at or soon) for at in later),
                *(soon + (left - 1) * self.rules.pace.step for left in learnt if left),
            ),
            default=inf,
        )

    def _is_dark(self, row: Row, soon: float) -> bool:
        """Tell whether nothing is known of an allocation until a drawn outage ends."""
        step = self.rules.pace.step
        lasting = (soon, soon - (STALE + 1) * step)
        silent = [("exporter", name) for name in row.nodes]
        # Work goes on being seen while a scheduler is silent, and closes what is open.
        silent += [("scheduler", "")] if row.case is None else []
        return row.verdict == Kind.UNKNOWN and any(
            all(self.stage.happens("outage", at, of=of, node=node) for at in lasting)
            for of, node in silent
        )

    def _moves(self, case: Case, still: Container[str]) -> bool:
        """Tell whether a case may move: else only by what its owner asked for."""
        return case.run.key not in still or case.own_release is not None

    def _is_still(self, row: Row, soon: float) -> bool:
        """Tell whether only a drawn change can make anything of an allocation."""
        waits = self._is_dark(row, soon) or self._is_suspended(row, soon)
        return waits or self._is_uncounted(row) or self._works(row)

    def _is_suspended(self, row: Row, soon: float) -> bool:
        """Tell whether its scheduler has suspended it, as drawn, and goes on to do so."""
        at, step = soon - self.stage.origin, self.rules.pace.step
        drawn = (item.suspended for item in self.stage.scenario.allocations if item.id == row.id)
        lasts = any(begin <= at - step and at < end for spans in drawn for begin, end in spans)
        return row.verdict == Kind.UNKNOWN and lasts

    def _is_uncounted(self, row: Row) -> bool:
        """Tell whether it is a server whose requests nobody counts."""
        serves = row.purpose == Purpose.INFERENCE and row.verdict == Kind.UNKNOWN
        return serves and not (row.served or row.requests)

    def _works(self, row: Row) -> bool:
        """Tell whether its host works now, and its policy leaves it alone for that."""
        policy = self._policy(row.policy)
        alone = policy is not None and Kind.HOST_BUSY not in policy.also
        works = row.verdict == Kind.HOST_BUSY and whole(row.host)[-1:] == AT_WORK
        return alone and works

    def _row_due(self, row: Row, soon: float) -> float:
        """Return when an allocation without a case could open one, if its letters go on."""
        policy = self._policy(row.policy)
        open_case = row.case is not None and row.case.state != State.CLOSED
        last = {device.letters[-1:] for device in row.devices}
        if ENGINE_ONLY in last and row.purpose != Purpose.INFERENCE:
            return self._hung_due(row, soon)
        if open_case or policy is None or not policy.warnings:
            return inf
        if row.idle_since is not None:
            return max(soon, _rests_since(row, row.idle_since) + policy.warnings[0].after)
        pauses = _unsettled(row, policy) * self.rules.pace.step
        return soon + pauses if last <= _still(row, policy) else inf

    def _hung_due(self, row: Row, soon: float) -> float:
        """Return when a run that hangs has done so for long enough to be told."""
        tails = [len(line.letters) - len(line.letters.rstrip(ENGINE_ONLY)) for line in row.devices]
        hung = min((tail for tail in tails if tail), default=0) * self.rules.pace.step
        left = TOLD_AFTER - hung
        return soon + left - self.rules.pace.step if left > 0 else inf

    def _policy(self, name: str) -> Policy | None:
        return next((item for item in self.rules.policies if item.name == name), None)

    def _case_due(self, case: Case, soon: float) -> float:
        if case.state is State.PLANNED:
            return inf
        if case.own_release is not None:
            return soon
        rules = {text.partition(":")[0] for text in case.held_by}
        if rules and rules <= {*_PATIENT, "hours"}:
            return self._opening(case, soon) if "hours" in rules else inf
        if case.due is None or rules - _TIMED or case.state is not State.OPEN:
            return soon
        return max(soon, case.due)

    def _opening(self, case: Case, soon: float) -> float:
        policy = self._policy(case.policy)
        hours = policy.hours if policy else None
        return next_opening(hours, soon, self.rules.zone(hours.zone)) if hours else soon


def _is_new(notice: Notice) -> bool:
    """Tell whether a notice is to be delivered now; advice waits for work, and says until when."""
    return notice.retry_at is None and notice.kind != "advice"


def _is_untold(case: Case, queued: Sequence[Notice]) -> bool:
    """Tell whether a case waits for nothing but a notice that is tried again later."""
    rules = {text.partition(":")[0] for text in case.held_by}
    return rules == {"delivery"} and any(notice.case_id == case.id for notice in queued)


def _rests_since(row: Row, idle_since: float) -> float:
    """Return since when neither GPUs nor a person have done anything; Unix seconds."""
    inputs = row.signs if row.purpose == Purpose.INTERACTIVE else ()
    return max((idle_since, *(sign.last_seen for sign in inputs if sign.last_seen is not None)))


def _unsettled(row: Row, policy: Policy) -> int:
    """Return how many minutes from the next one on are a pause still, if its letters go on."""
    paused = row.verdict == Kind.BUSY and row.purpose != Purpose.INFERENCE
    if not paused or LOW_COUNTS in policy.counting:
        return 0
    tails = [len(one.letters) - len(one.letters.rstrip("".join(IDLE))) for one in row.devices]
    return max(0, SETTLED - min(tails, default=0) - 1)


def _still(row: Row, policy: Policy) -> frozenset[str]:
    """Return the letters that may add up to idleness; a server's engine polls without any work."""
    low = (LOW,) if LOW_COUNTS in policy.counting else ()
    polls = (ENGINE_ONLY,) if row.purpose == Purpose.INFERENCE else ()
    return frozenset(("", *IDLE, *low, *polls))


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
    yield from _allocations(scenario, step)
    yield from _events(scenario, step)
    yield from (waiting.at for waiting in scenario.waiting)
    for begin, end in (span for one in scenario.signals for span in one.spans):
        # What was last heard before a silence is heard in the minute before it, and what a
        # signal shows instead in the minute after.
        yield from (begin - step, begin, begin + step, end, end + step)
    yield from scenario.expect.moments
    yield from (at for span in scenario.in_force for at in span)
    for node in scenario.nodes:
        for track in node.tracks:
            yield from _changes(track, scenario.step)
            yield len(track) * scenario.step


def _changes(track: str, step: float) -> Iterator[float]:
    for index, (before, after) in enumerate(pairwise(track), 1):
        if before != after:
            yield index * step
            yield (index + 1) * step
            # A letter shorter than a minute leaves a mixed one: the first whole one is after it.
            yield index * step + _MINUTE


def _again(scenario: Scenario, end: float) -> Iterator[float]:
    """Yield the changes of the tracks that begin again, up to the end."""
    for node in scenario.nodes:
        for track in node.tracks if node.then == "loop" else ():
            whole = ceil(end / scenario.step / len(track))
            yield from _changes(track * whole, scenario.step)


def _allocations(scenario: Scenario, step: float) -> Iterator[float]:
    for item in scenario.allocations:
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
