"""Playing a scenario through the whole core on a clock that jumps: replay, tests, incidents."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf

from exporter.contract.scenario import Scenario, ScenarioEvent
from exporter.contract.stage import Stage
from reaper.activity.recorded import RecordedActivity, RecordedServing
from reaper.app.hearing import tell
from reaper.app.parts import Adapters, Parts, wire
from reaper.app.past.deadlines import Deadlines, length, marks
from reaper.app.past.onlooking import Onlooker
from reaper.app.past.scenario_people import Everybody, Happenings, Told, Transcript
from reaper.cycle.rules import Rules
from reaper.domain.escalation.hearing import Hearing, Silence
from reaper.domain.escalation.notice import Notice
from reaper.domain.money.entries import Event
from reaper.domain.picture import Picture, Row
from reaper.edge.clock import JumpingClock
from reaper.observers import observe_once
from reaper.platforms.platform import Surroundings
from reaper.platforms.recorded.build import staged
from reaper.platforms.recorded.scheduler import PLATFORM
from reaper.ports import Store
from reaper.store.memory import MemoryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """
    What a replay came to; `store` can be asked like that of a running reaper.

    `looked` holds the rows of the moments that the scenario has expectations of, by moment
    (seconds from start) and id; a moment in which the reaper was away is missing.
    """

    title: str
    begin: float
    end: float
    turns: int
    events: tuple[Event, ...]
    notices: tuple[Notice, ...]
    picture: Picture | None
    looked: Mapping[float, Mapping[str, Row]]
    store: Store
    told: tuple[Told, ...]
    """The notices that arrived, each with the letter that brought it."""
    onlooker: Onlooker
    """What an operator saw, where the scenario expects something of it."""


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
        self.every = replace(rules, pace=self.pace, lacking="", kill_switch=lambda: False)
        self.rules = self._in_force(self.origin)
        self.store = MemoryStore(cluster=rules.cluster, pace=self.pace)
        self.transcript = Transcript(self.clock, self._deaf)
        self.happenings = Happenings(scenario=scenario, clock=self.clock)
        self.deadlines = Deadlines(
            rules=self.rules,
            store=self.store,
            marks=tuple(
                self.origin + at for at in marks(scenario, self.pace.step, ages=self.every.ages)
            ),
        )
        self.onlooker = Onlooker(expect=scenario.expect, store=self.store)
        self.jump = jump
        self.turns = 0
        self.looked: dict[float, Mapping[str, Row]] = {}

    async def run(self) -> Replayed:
        parts = await self._parts()
        end = self.origin + length(self.scenario, self.pace.step)
        events = sorted(self.scenario.events, key=lambda event: event.at)
        await self._turn(parts)
        while self.clock.at < end:
            parts = await self._advance(parts, end)
            while events and self.origin + events[0].at <= self.clock.at:
                await self.happenings.happen(events.pop(0), parts)
            await self._turn(parts)
        return await self._replayed(end)

    async def _advance(self, parts: Parts, end: float) -> Parts:
        """Move the clock to the next turn; a reaper that was away meanwhile starts anew."""
        before = self.clock.at
        following = self.deadlines.soon(before)
        if self.jump:
            following = await self.deadlines.following(before, end)
        while self.stage.happens("outage", following, of="reaper"):
            following = self.deadlines.soon(following)
        self.clock.jump(following)
        changed = self._change(following)
        parts.cycle.jumps = following > self.deadlines.soon(before)
        if not changed and not self._away(before, following):
            return parts
        parts = await self._parts()
        parts.cycle.jumps = False
        return parts

    def _in_force(self, now: float) -> Rules:
        """Return the rules with the policies that are in force; those of others always are."""
        drawn = [table.get("name") for table in self.scenario.policies]
        if drawn != [policy.name for policy in self.every.policies]:
            return self.every
        spans = zip(self.every.policies, self.scenario.in_force, strict=True)
        at = now - self.origin
        policies = tuple(policy for policy, (begin, end) in spans if begin <= at < end)
        return replace(self.every, policies=policies)

    def _change(self, now: float) -> bool:
        """Take over what is in force now; return whether that is something new."""
        rules = self._in_force(now)
        if rules.policies == self.rules.policies:
            return False
        self.rules = self.deadlines.rules = rules
        return True

    def _away(self, before: float, now: float) -> bool:
        """Tell whether the reaper ended and started between two moments."""
        return any(
            event.of == "reaper"
            and event.do in ("outage", "restart")
            and before < self.origin + event.at + self._lasts(event) <= now
            for event in self.scenario.events
        )

    def _lasts(self, event: ScenarioEvent) -> float:
        return event.duration if event.do == "outage" else 0.0

    async def _parts(self) -> Parts:
        around = Surroundings(cluster=self.rules.cluster, clock=self.clock)
        drawn = dict.fromkeys(item.platform for item in self.scenario.allocations)
        platforms = [
            staged(self.stage, around, places=self.scenario.places, only=name)
            for name in drawn or (PLATFORM,)
        ]
        adapters = Adapters(
            activities=(
                RecordedActivity(self.stage, clock=self.clock, pace=self.pace, apart=True),
            ),
            holders=tuple(item.holder for item in platforms if item.holder),
            demands=tuple(item.demand for item in platforms[:1] if item.demand),
            servings=(RecordedServing(self.stage, clock=self.clock),),
            actors={item.name: item.actor for item in platforms if item.actor},
            people=(Everybody({item.user: item for item in self.scenario.people}),),
            notifiers=(self.transcript,),
        )
        parts = wire(
            rules=self.rules,
            clock=self.clock,
            store=self.store,
            epoch=await self.store.lead("replay", self.clock.at),
            adapters=adapters,
        )
        parts.cycle.onlooker = self.deadlines.see
        return parts

    async def _turn(self, parts: Parts) -> None:
        for source in parts.sources:
            await observe_once(source, board=parts.board, clock=self.clock)
        self._hear(parts)
        await parts.cycle.turn()
        await parts.deliverer.turn()
        await parts.enforcer.turn()
        self.turns += 1
        await self.onlooker.look(self.clock.at)
        await self._look()

    def _hear(self, parts: Parts) -> None:
        """Tell when the channel was deaf to everybody: nobody could answer then."""
        now = self.clock.now()
        silences = tuple(
            Silence(
                begin=self.origin + begin,
                end=self.origin + end,
                why="the scenario draws a channel that fails",
            )
            for begin, end in self.stage.silences
            if self.origin + begin <= now
        )
        if silences:
            last = silences[-1]
            lasting = replace(last, end=None) if now < (last.end or inf) else last
            heard = Hearing(
                as_of=now, channel=self.transcript.name, silences=(*silences[:-1], lasting)
            )
            tell(parts.board, heard)

    async def _look(self) -> None:
        """Keep the rows of this minute where the scenario expects something of it."""
        step = self.pace.step
        here = [
            at
            for at in self.scenario.expect.moments
            if self.clock.at - step < self.origin + at <= self.clock.at
        ]
        if here:
            async with self.store.reading() as books:
                picture = await books.picture()
            rows = picture.rows if picture else ()
            found = {row.id: row for row in rows}
            self.looked |= dict.fromkeys(here, found)

    def _deaf(self, notice: Notice) -> bool:
        return self.stage.deaf(self.clock.at, notice.run_key.rpartition("@")[0])

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
                looked=self.looked,
                store=self.store,
                told=tuple(self.transcript.told),
                onlooker=self.onlooker,
            )
