"""Playing a scenario through the whole core on a clock that jumps: replay, tests, incidents."""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from typing import Final

from exporter.contract.scenario import Scenario, ScenarioEvent
from exporter.contract.stage import Stage
from reaper.activity.recorded import RecordedActivity
from reaper.app.parts import Adapters, Parts, wire
from reaper.cycle.rules import Rules
from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.minute import IDLE
from reaper.domain.money.entries import Event
from reaper.domain.picture import Picture, Row
from reaper.edge.clock import JumpingClock
from reaper.observers import observe_once
from reaper.platforms.platform import Surroundings
from reaper.platforms.recorded.build import staged
from reaper.ports import Delivered, Person, ReaperError, Store
from reaper.requests import Identity, Requests
from reaper.store.memory import MemoryStore

#: Minutes after the last drawn change that a replay goes on, so that every case can end.
_AFTER: Final = 240


@dataclass(slots=True)
class Transcript:
    """A channel that keeps what it is told: every notice of a replay arrives at once."""

    clock: JumpingClock
    name: str = "transcript"
    personal: bool = True
    notices: list[Notice] = field(default_factory=list)

    async def deliver(self, notice: Notice, person: Person) -> Delivered:
        """Keep the notice."""
        del person
        self.notices.append(notice)
        return Delivered(at=self.clock.now(), handle=notice.id)


@dataclass(slots=True)
class Everybody:
    """A directory that knows everybody by their user name."""

    name: str = "scenario"

    async def person(self, user: str) -> Person | None:
        """Return the person of that name."""
        return Person(user=user)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What a replay came to; `store` can be asked like that of a running reaper."""

    title: str
    begin: float
    end: float
    turns: int
    events: tuple[Event, ...]
    notices: tuple[Notice, ...]
    picture: Picture | None
    store: Store


async def replay(scenario: Scenario, rules: Rules, *, jump: bool = True) -> Replayed:
    """
    Play a scenario to its end and return what was decided.

    Policies count as observed for long enough.  Jumping over minutes in which nothing changes
    decides exactly as ticking through them does.
    """
    return await _Play(scenario, rules, jump=jump).run()


class _Play:
    """One replay."""

    def __init__(self, scenario: Scenario, rules: Rules, *, jump: bool) -> None:
        self.scenario = scenario
        self.pace = replace(rules.pace, observe=0.0)
        self.origin = scenario.start.timestamp()
        self.clock = JumpingClock(at=self.origin)
        self.stage = Stage(scenario=scenario, origin=self.origin)
        self.rules = replace(rules, pace=self.pace, lacking="")
        self.store = MemoryStore(cluster=rules.cluster, pace=self.pace)
        self.transcript = Transcript(self.clock)
        self.jump = jump
        self.marks = sorted(_marks(scenario))
        self.turns = 0

    async def run(self) -> Replayed:
        parts = self._parts(await self.store.lead("replay", self.origin))
        end = self.origin + self.marks[-1] + _AFTER * self.pace.step
        events = sorted(self.scenario.events, key=lambda event: event.at)
        while self.clock.at < end:
            self.clock.jump(await self._next(end))
            while events and self.origin + events[0].at <= self.clock.at:
                await self._happen(events.pop(0), parts)
            await self._turn(parts)
        return await self._replayed(end)

    def _parts(self, epoch: int) -> Parts:
        around = Surroundings(cluster=self.rules.cluster, clock=self.clock)
        platform = staged(self.stage, around)
        adapters = Adapters(
            activities=(RecordedActivity(self.stage, clock=self.clock, pace=self.pace),),
            holders=(platform.holder,) if platform.holder else (),
            demands=(platform.demand,) if platform.demand else (),
            actors={platform.name: platform.actor} if platform.actor else {},
            people=(Everybody(),),
            notifiers=(self.transcript,),
        )
        parts = wire(
            rules=self.rules,
            clock=self.clock,
            store=self.store,
            epoch=epoch,
            adapters=adapters,
        )
        parts.cycle.jumps = True
        return parts

    async def _turn(self, parts: Parts) -> None:
        for source in parts.sources:
            await observe_once(source, board=parts.board, clock=self.clock)
        await parts.cycle.turn()
        await parts.deliverer.turn()
        await parts.enforcer.turn()
        self.turns += 1

    async def _next(self, end: float) -> float:
        """Return the end of the next minute in which anything can happen."""
        step = self.pace.step
        soon = self.pace.ends(self.pace.closed(self.clock.at) + 1)
        if not self.jump or not self.turns:
            return soon
        drawn = next((self.origin + at for at in self.marks if self.origin + at >= soon), inf)
        wanted = min(drawn, await self._due(soon), end)
        return max(soon, self.pace.ends(self.pace.minute(wanted - step * 1e-6)))

    async def _due(self, soon: float) -> float:
        async with self.store.reading() as books:
            picture = await books.picture()
            cases = await books.open_cases()
            if await books.open_intents() or await books.outbox():
                return soon
            keeps = [keep.until for keep in await books.keeps(soon)]
        rows = picture.rows if picture else ()
        return min(
            (
                *(self._row_due(row, soon) for row in rows),
                *(_case_due(case, soon) for case in cases),
                *(until for until in keeps if until >= soon),
            ),
            default=inf,
        )

    def _row_due(self, row: Row, soon: float) -> float:
        """Return when an allocation without a case could open one, if its letters go on."""
        policy = next((item for item in self.rules.policies if item.name == row.policy), None)
        if row.case is not None or policy is None or not policy.warnings:
            return inf
        if row.idle_since is not None:
            return max(soon, row.idle_since + policy.warnings[0].after)
        last = {device.letters[-1:] for device in row.devices}
        return soon if last <= {*IDLE, ""} else inf

    async def _happen(self, event: ScenarioEvent, parts: Parts) -> None:
        if event.do not in ("keep", "dispute"):
            return
        owner = next(item.user for item in self.scenario.allocations if item.id == event.allocation)
        asks = Requests(
            store=self.store, clock=self.clock, policies=self.rules.policies, epoch=parts.epoch
        )
        by = Identity(user=owner, channel="scenario")
        try:
            if event.do == "keep":
                seconds = event.duration or 3600.0
                await asks.keep(name=event.allocation, seconds=seconds, reason="drawn", by=by)
            else:
                await asks.dispute(name=event.allocation, reason="drawn", by=by)
        except ReaperError as error:
            refused = Event(at=self.clock.at, kind="refused", by=owner, text=str(error))
            async with self.store.transaction(parts.epoch) as books:
                await books.append_events([refused])

    async def _replayed(self, end: float) -> Replayed:
        async with self.store.reading() as books:
            return Replayed(
                title=self.scenario.title,
                begin=self.origin,
                end=end,
                turns=self.turns,
                events=tuple(await books.events()),
                notices=tuple(self.transcript.notices),
                picture=await books.picture(),
                store=self.store,
            )


def _case_due(case: Case, soon: float) -> float:
    if case.state is State.PLANNED:
        return inf
    if case.due is None or case.held_by or case.state is not State.OPEN:
        return soon
    return max(soon, case.due)


def _marks(scenario: Scenario) -> set[float]:
    """Return the moments (seconds from start) at which a scenario draws a change."""
    marks = {0.0}
    for node in scenario.nodes:
        for track in node.tracks:
            marks |= {
                (index + edge) * scenario.step
                for index, (before, after) in enumerate(pairwise(track), 1)
                if before != after
                for edge in (0, 1)
            }
            marks.add(len(track) * scenario.step)
    for item in scenario.allocations:
        marks |= {at for at in (item.begin, item.end, item.limit) if at is not None and at > 0}
        marks |= {at for ends in item.host_works or () for at in ends if at > 0}
        marks |= {at for session in item.sessions for at in session.inputs if at > 0}
    for event in scenario.events:
        marks |= {event.at, event.at + event.duration}
    return marks | {at for at, _ in scenario.waiting if at > 0}
