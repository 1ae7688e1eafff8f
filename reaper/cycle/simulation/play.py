"""
The simulation itself: a queue of visits, each decided by ``cycle.decide``; pure.

A visit is the turn that closes a minute.  What is released leaves the stage; its letters go on
in the past, and tell whether work would have come back.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from math import inf
from typing import Final

from reaper.cycle.evaluation.decide import Decisions, decide
from reaper.cycle.evaluation.docket import Docket, team_of
from reaper.cycle.item import Item, Standing
from reaper.cycle.rules import Rules
from reaper.cycle.simulation.past import Past, PastRun, sight
from reaper.cycle.simulation.waits import Ahead, Window, moves, next_change, opening, still, windows
from reaper.cycle.simulation.watch import Watch
from reaper.domain.escalation.budget import HOUR
from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.decision import Intent, Phase, Refusal
from reaper.domain.escalation.interlock import Vitals
from reaper.domain.escalation.notice import Notice, Told
from reaper.domain.escalation.telling import remembered
from reaper.domain.facts.serving import REQUEST
from reaper.domain.judgement.policy import Mode, Policy
from reaper.domain.money.entries import Event

#: A channel of a simulation: every notice arrives at once, as in a replay.
_CHANNEL: Final = "simulated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What a simulation decided: its events in order, and for each released run when."""

    events: tuple[Event, ...]
    released: Mapping[str, float]
    held: Mapping[str, tuple[Refusal, ...]]
    """What held the run's last open case when the past ended, by run key."""
    policies: Mapping[str, str]
    """The policy of each run that had a case."""
    visits: int


def play(past: Past, rules: Rules, *, lifts_after: float | None, jump: bool = True) -> Played:
    """
    Decide a past again under the rules; every policy with acts counts as in mode act.

    Jumping over minutes in which no case can move decides exactly as looking at all of them does.

    An interlock that trips is lifted `lifts_after` seconds later, as an operator would; None
    lets it latch to the end.
    """
    return _Play(past, rules, lifts_after, jump=jump).run()


@dataclass(slots=True, kw_only=True)
class _Stage:
    """What is kept of one run: its windows, its case and whether it is still there."""

    run: PastRun
    windows: tuple[Window, ...]
    last: int
    """The turn that finds it ended; beyond the past where it goes on."""
    case: Case | None = None
    notices: tuple[Notice, ...] = ()
    gone: bool = False
    queued: set[int] = field(default_factory=set)


class _Play:
    """One simulation."""

    def __init__(self, past: Past, rules: Rules, lifts_after: float | None, *, jump: bool) -> None:
        self.jump = jump
        self.past, self.pace = past, replace(rules.pace, observe=0.0)
        policies = tuple(_acting(policy) for policy in rules.policies)
        self.rules = replace(
            rules, policies=policies, pace=self.pace, lacking="", kill_switch=lambda: False
        )
        self.quotas = any(policy.has_quota for policy in policies)
        self.watch = Watch(
            past, self.pace, rules.bounds, teams=self.quotas, lifts_after=lifts_after
        )
        self.final = self.pace.closed(past.end)
        firsts = (policy.warnings[0].after for policy in policies if policy.warnings)
        self.shortest = self.pace.steps(min(firsts, default=0.0))
        self.stages = tuple(self._stages())
        self.queue: list[tuple[int, int]] = []
        self.intents: deque[Intent] = deque()
        self.events: list[Event] = []
        self.told: dict[str, tuple[Told, ...]] = {}
        self.released: dict[str, float] = {}
        self.policies: dict[str, str] = {}
        self.minute = -1
        self.visits = 0

    def run(self) -> Played:
        for index, stage in enumerate(self.stages):
            self._queue(index, self._opening(stage, stage.windows[0][0]))
        while self.queue:
            minute = self.queue[0][0]
            due = []
            while self.queue and self.queue[0][0] == minute:
                due.append(heappop(self.queue)[1])
            self._turn(minute, [index for index in due if not self.stages[index].gone])
        self.watch.advance(self.final)
        self.events += [
            Event(at=hold.begin, kind=hold.kind, by=hold.by, text=hold.reason)
            for hold in self.watch.tripped
        ]
        return Played(
            events=tuple(sorted(self.events, key=lambda event: event.at)),
            released=self.released,
            held={
                stage.run.key: stage.case.held_by
                for stage in self.stages
                if stage.case is not None and not stage.gone
            },
            policies=self.policies,
            visits=self.visits,
        )

    def _stages(self) -> Iterator[_Stage]:
        if not self.shortest:
            return
        low = any("low" in policy.counting for policy in self.rules.policies)
        for run in self.past.runs:
            found = windows(run, self.past, self.pace, shortest=self.shortest, low=low)
            if found:
                last = self.final + 1 if run.end is None else self.pace.minute(run.end)
                yield _Stage(run=run, windows=found, last=last)

    # -------------------------------------------------------------- one turn

    def _turn(self, minute: int, indices: Sequence[int]) -> None:
        self.minute, now = minute, self.pace.ends(minute)
        self.watch.advance(minute)
        stages = [self.stages[index] for index in indices]
        self.visits += len(stages)
        for stage in stages:
            stage.queued.discard(minute)
        while self.intents and self.intents[0].created < now - HOUR:
            self.intents.popleft()
        docket = self._docket(minute, now, stages)
        here = [stage for stage in stages if minute < stage.last]
        allocations = [stage.run.seen(minute, now) for stage in here]
        vitals = Vitals(now=now, allocated=self.watch.allocated, covered=0, supported=0, idle=0)
        decisions = decide(docket, allocations, vitals, epoch=0)
        self._take(decisions, {stage.run.key: stage for stage in stages}, now)
        items = {item.allocation.run.key: item for item in decisions.items}
        for index, stage in zip(indices, stages, strict=True):
            if stage.gone or minute >= stage.last:
                continue
            self._queue(index, self._next(stage, items[stage.run.key], minute))

    def _docket(self, minute: int, now: float, stages: Sequence[_Stage]) -> Docket:
        tracks, records = sight((stage.run for stage in stages), self.past, self.pace, minute)
        cases = [stage.case for stage in stages if stage.case is not None]
        hosts = {stage.run.key: stage.run.hosted(minute) for stage in stages}
        services = {stage.run.key: stage.run.serving(minute) for stage in stages}
        kept = {stage.run.key: stage.run.kept(minute) for stage in stages}
        return Docket(
            rules=self.rules,
            standing=Standing(
                cases={case.run.key: case for case in cases},
                notices={stage.case.id: stage.notices for stage in stages if stage.case},
                keeps=tuple(keep for stage in stages for keep in stage.run.keeps),
                holds=self.watch.holds,
                intents=tuple(self.intents),
                policy_since={policy.version: 0.0 for policy in self.rules.policies},
            ),
            records=records,
            tracks=tracks,
            waiting=self.past.waited(now),
            hosts={key: host for key, host in hosts.items() if host is not None},
            services={key: found for key, found in services.items() if found is not None},
            catches={key: found.caught for key, found in kept.items() if found is not None},
            teams=self._teams(stages),
            typed={stage.run.key: stage.run.typed(minute, self.pace.ends) for stage in stages},
            told=self.told,
            now=now,
        )

    def _teams(self, stages: Sequence[_Stage]) -> Mapping[str, tuple[int, int]]:
        if not self.quotas:
            return {}
        names = {team_of(stage.run.allocation) for stage in stages}
        return {name: self.watch.team(name) for name in names}

    def _take(self, decisions: Decisions, stages: Mapping[str, _Stage], now: float) -> None:
        self.events += decisions.events
        if decisions.notices:
            self.told = remembered(self.told, decisions.notices, now)
        for notice in decisions.notices:
            arrived = notice.delivered(channel=_CHANNEL, at=now, personal=True, handle=notice.id)
            stages[notice.run_key].notices += (arrived,)
        for key, case in decisions.cases.items():
            stage = stages[key]
            self.policies[key] = case.policy
            stage.case = None if case.state is State.CLOSED else case
            if stage.case is None:
                stage.notices = ()
        for intent in decisions.intents:
            self.intents.append(replace(intent, phase=Phase.VERIFIED))
            stage = stages[intent.effect.run.key]
            stage.gone, stage.case = True, None
            self.watch.release(stage.run)
            self.released[intent.effect.run.key] = now

    # -------------------------------------------------------------- when to look again

    def _queue(self, index: int, minute: float) -> None:
        stage = self.stages[index]
        if stage.case is not None:
            # What holds it when the past ends is told: it is looked at then.
            ahead = self.final if self.minute < self.final else inf
            minute = min(minute, stage.last, ahead)
        if minute > self.final:
            return
        chosen = int(minute)
        if chosen not in stage.queued:
            stage.queued.add(chosen)
            heappush(self.queue, (chosen, index))

    def _opening(self, stage: _Stage, minute: int) -> float:
        """Return the first turn from `minute` on in which a case may open."""
        for begin, end in stage.windows:
            if end > minute:
                return max(begin + self.shortest - 1, minute)
        return inf

    def _next(self, stage: _Stage, item: Item, minute: int) -> float:
        if stage.case is not None:
            return self._with_case(stage, stage.case, item, minute)
        found = self._opening(stage, minute + 1)
        if found != minute + 1 or not self.jump:
            return found
        mark = self._turn_of(stage.run.next_mark(self.pace.ends(minute)))
        return max(found, min(self._turn_of(opening(item, self.rules)), mark))

    def _with_case(self, stage: _Stage, case: Case, item: Item, minute: int) -> float:
        tracks = [self.past.tracks[gpu] for gpu in stage.run.allocation.gpus]
        service, demand = stage.run.serving(minute), self.past.changes_after(item.verdict.at)
        ahead = Ahead(
            letters=frozenset(track.at(minute) for track in tracks),
            asked=service is not None and service.track.at(minute) == REQUEST,
            still=still(item, stage.run.hosted(minute), service),
            demand=inf if demand is None else demand,
            acts=self.intents,
        )
        due = self._turn_of(moves(item, case, ahead))
        if due <= minute or not self.jump:
            return minute + 1
        change = next_change(tracks, minute)
        mark = self._turn_of(stage.run.next_mark(self.pace.ends(minute)))
        return max(minute + 1, min(inf if change is None else change, mark, due))

    def _turn_of(self, at: float) -> float:
        return inf if at == inf else self.pace.minute(at - self.pace.step * 1e-6)


def _acting(policy: Policy) -> Policy:
    return replace(policy, mode=Mode.ACT if policy.acts else Mode.NOTIFY)
