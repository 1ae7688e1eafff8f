"""
What is judged in one turn: allocations with their verdict, policy and case, and what they want.

Pure: it reads the united allocations, the memory's tracks and the books' small rooms.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from reaper.cycle.evaluation import saved
from reaper.cycle.evaluation.shifts import Shifts
from reaper.cycle.evaluation.startable import Startable
from reaper.cycle.evidence.carrying import Carrying
from reaper.cycle.evidence.records import evidence_of
from reaper.cycle.item import Item, Standing
from reaper.cycle.rules import Rules
from reaper.domain.escalation import keep as keeps_of
from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Hold, scopes
from reaper.domain.escalation.ladder import advance, opens, unmatched
from reaper.domain.escalation.notice import Told
from reaper.domain.escalation.situation import Situation
from reaper.domain.escalation.telling import of_a_day
from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.demand import Request
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import Host
from reaper.domain.facts.minute import ACTIVE, IDLE
from reaper.domain.facts.receivers import Catches
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.serving import REQUEST, Service
from reaper.domain.facts.sign import Presence, last_seen, presence
from reaper.domain.facts.tenant import divided, own_name, own_track
from reaper.domain.facts.track import Track
from reaper.domain.judgement.bench import Seen
from reaper.domain.judgement.cadence import cadence
from reaper.domain.judgement.idleness import judge
from reaper.domain.judgement.policy import Policy
from reaper.domain.judgement.reading import Judged, exempted, judged
from reaper.domain.judgement.verdict import Kind, Verdict
from reaper.ports import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Docket:
    """Judges allocations one by one under the rules, at one time."""

    rules: Rules
    standing: Standing
    records: Mapping[str, DeviceRecord]
    tracks: Mapping[str, Track]
    waiting: Sequence[Request]
    hosts: Mapping[str, Host]
    now: float
    people: Mapping[str, Person | None] | None = None
    """Owners of open cases, by user, as far as directories have told; None without directories."""
    catches: Mapping[str, Catches] = field(default_factory=dict)
    """Which signals runs catch, by run key; one that is not in it catches none."""
    services: Mapping[str, Service] = field(default_factory=dict)
    """What runs answer as servers, by run key; one that nothing counts is absent."""
    typed: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """When people typed last, oldest first, by run key."""
    told: Mapping[str, tuple[Told, ...]] = field(default_factory=dict)
    """What owners were told within a day, by run key."""
    teams: Mapping[str, tuple[int, int]] | None = None
    """GPUs held and idle by team, where `items` is not given all allocations; else counted."""
    carrying: Carrying | None = None
    """What of the turn before may still hold; None where all are judged and situated anew."""
    divided: frozenset[str] = field(default=frozenset(), init=False)
    """The devices of which runs have letters of their own."""

    _startable: Startable = field(default_factory=Startable, init=False)
    _shifts: Shifts = field(init=False)

    def __post_init__(self) -> None:
        """Tell once which devices are divided: of a hundred thousand it is hardly any."""
        shifts = Shifts(people=self.people, zone=self.rules.zone, now=self.now)
        object.__setattr__(self, "_shifts", shifts)
        object.__setattr__(self, "divided", divided((*self.tracks, *self.records)))

    def items(self, allocations: Iterable[Allocation]) -> tuple[Item, ...]:
        """Return every allocation with what it wants."""
        listed = tuple(allocations)
        teams = self._teams(listed) if self.teams is None else self.teams
        return tuple([self._item(item, teams) for item in listed])

    def _teams(self, allocations: Iterable[Allocation]) -> dict[str, tuple[int, int]]:
        """Return how many GPUs each team holds, and how many idled just now; if that counts."""
        found: dict[str, tuple[int, int]] = {}
        if not any(policy.has_quota for policy in self.rules.policies):
            return found
        for allocation in allocations:
            held, idle = found.get(team_of(allocation), (0, 0))
            letters = [track.letters[-1:] for track in self.tracks_of(allocation).values()]
            idle += sum(1 for letter in letters if letter in IDLE)
            found[team_of(allocation)] = (held + allocation.expected, idle)
        return found

    def name_of(self, allocation: Allocation, gpu: str) -> str:
        """Return under which name an allocation's part of a device is kept."""
        own = own_name(gpu, allocation.run.key) if gpu in self.divided else gpu
        return own if own in self.records else gpu

    def tracks_of(self, allocation: Allocation) -> dict[str, Track]:
        """Return what an allocation's devices did for it, as far as that is known."""
        found = {gpu: self._track_of(allocation, gpu) for gpu in allocation.gpus}
        return {gpu: track for gpu, track in found.items() if track is not None}

    def _track_of(self, allocation: Allocation, gpu: str) -> Track | None:
        whole, exclusive = self.tracks.get(gpu), allocation.claim.exclusive
        if gpu not in self.divided:
            return whole if exclusive else None
        own = self.tracks.get(own_name(gpu, allocation.run.key))
        return own_track(whole, own, exclusive=exclusive)

    def _item(self, given: Allocation, teams: Mapping[str, tuple[int, int]]) -> Item:
        case = self.standing.cases.get(given.run.key)
        again = self.carrying.again(given) if self.carrying and case is None else None
        if again is not None:
            # Of whoever was never seen nothing new is to be said.
            return self._present(again) if again.allocation.signs else again
        found = judged(
            self.rules.policies, saved.as_before(given, case, self.now, self.rules.pace), self.now
        )
        verdict = self._verdict(found, case)
        item = Item(
            allocation=found.allocation,
            verdict=verdict,
            policy=found.policy,
            situation=None,
            case=case,
            turn=None,
            until=min(verdict.held_until, self._older(given)),
        )
        if found.policy is None:
            return replace(item, turn=unmatched(case)) if case else item
        if self.carrying and verdict.kind is Kind.BUSY and case is None:
            return self._present(item)
        return self._situated(item, found.policy, teams.get(team_of(given), (0, 0)))

    def _present(self, item: Item) -> Item:
        """Return an item that wants nothing, with what is known of its person."""
        told = self._presence(item.allocation, item.verdict).reason if item.policy else ""
        return item if told == item.presence else replace(item, presence=told)

    def _situated(self, item: Item, policy: Policy, team: tuple[int, int]) -> Item:
        """Return an item with its situation, its case and what that wants."""
        case = item.case
        situation = self._situation(item.allocation, item.verdict, policy, case, team)
        opened = case is None and opens(situation)
        standing = self._open(situation) if opened else case
        return replace(
            item,
            situation=situation,
            presence=situation.presence.reason,
            case=standing,
            turn=advance(standing, situation) if standing else None,
            opened=opened,
        )

    def _verdict(self, found: Judged, case: Case | None) -> Verdict:
        allocation, policy, pace = found.allocation, found.policy, self.rules.pace
        key = allocation.run.key
        seen = {
            gpu: Seen(
                track=saved.without_save(track, case, pace),
                evidence=evidence_of(self.records, self.name_of(allocation, gpu)),
            )
            for gpu, track in self.tracks_of(allocation).items()
            if gpu in self.records
        }
        service = self.services.get(key)
        return judge(
            allocation,
            seen,
            now=self.now,
            pace=pace,
            counting=policy.counting if policy else (),
            host=saved.host_without_save(self.hosts.get(key), case, pace),
            served=service.track if service else None,
            clocked=cadence(
                self.typed.get(key, ()),
                now=self.now,
                within=policy.away_for if policy else inf,
            ),
        )

    def _older(self, allocation: Allocation) -> float:
        """Return when an allocation is old enough for a policy that it is too young for now."""
        ages = (policy.match.older_than for policy in self.rules.policies)
        ahead = (at for age in ages if (at := allocation.run.started + age) > self.now)
        return min(ahead, default=inf)

    def _presence(self, allocation: Allocation, verdict: Verdict) -> Presence:
        return presence(
            allocation.signs,
            now=self.now,
            stale_after=stale_after(self.rules.pace),
            measured=verdict.host != "unmeasured",
        )

    def _situation(
        self,
        allocation: Allocation,
        verdict: Verdict,
        policy: Policy,
        case: Case | None,
        team: tuple[int, int],
    ) -> Situation:
        keep = keeps_of.active(self.standing.keeps, run_key=allocation.run.key, now=self.now)
        wished = case is not None and case.own_release is not None and not case.disputed
        waiting = self._startable.of(self.waiting, allocation)
        before = case.wanted if case else None
        return Situation(
            now=self.now,
            pace=self.rules.pace,
            policy=policy,
            allocation=allocation,
            verdict=verdict,
            presence=self._presence(allocation, verdict),
            last_human=last_seen(allocation.signs),
            notices=self.standing.notices.get(case.id, ()) if case else (),
            keep=keep,
            release_now=wished and keep is None,
            disputed=allocation.run.key in self.standing.disputed,
            exemption=exempted(self.rules.exemptions, allocation, self.now),
            holds=self._holds(allocation, policy),
            active_minutes=self._active_minutes(allocation, case) if case else 0,
            counted_to=self._newest_minute(allocation),
            waiting=waiting,
            wanted=(self.now if before is None else before) if waiting else None,
            shift=self._shifts.of(allocation.owner, policy),
            timely=self._shifts.timely(allocation.owner, policy),
            host_worked=verdict.host_worked,
            team_held=team[0],
            team_idle=team[1],
            told=of_a_day(self.told.get(allocation.run.key, ()), self.now, policy.mode),
            hours_known=self._shifts.knows(allocation.owner),
            observed_for=self.now - self.standing.policy_since.get(policy.written, self.now),
            catches=self.catches.get(allocation.run.key, {}),
        )

    def _holds(self, allocation: Allocation, policy: Policy) -> tuple[Hold, ...]:
        run = allocation.run
        over = scopes(run.key, str(run), allocation.nodes, policy.name)
        return tuple(
            hold for hold in self.standing.holds if hold.scope in over and hold.stands(self.now)
        )

    def _active_minutes(self, allocation: Allocation, case: Case) -> int:
        """Count the minutes of work or with a request that the case has not counted yet."""
        tracks = tuple(self.tracks_of(allocation).values())
        service = self.services.get(allocation.run.key)
        served = service.track if service else Track(start=0)
        return sum(
            1
            for minute in range(case.judged_to + 1, self._newest_minute(allocation) + 1)
            if (any(track.at(minute) == ACTIVE for track in tracks) or served.at(minute) == REQUEST)
            and not saved.of_save(minute, case, self.rules.pace)
        )

    def _newest_minute(self, allocation: Allocation) -> int:
        ends = [self.tracks[gpu].end for gpu in allocation.gpus if gpu in self.tracks]
        return max(ends, default=0) - 1

    def _open(self, situation: Situation) -> Case:
        allocation = situation.allocation
        return Case(
            id=f"{allocation.run.key}@{int(self.now)}",
            run=allocation.run,
            owner=allocation.owner,
            policy=situation.policy.name,
            policy_version=situation.policy.version,
            mode=situation.policy.mode,
            opened=self.now,
            devices=allocation.expected,
            nodes=allocation.nodes,
            judged_to=self.rules.pace.closed(self.now),
        )


def stale_after(pace: Pace) -> float:
    """Return for how long a sign of a person is believed after it was looked at; seconds."""
    return max(pace.fresh, 3 * pace.step)


def team_of(allocation: Allocation) -> str:
    """Return the team whose quota an allocation counts against."""
    return allocation.claim.team or allocation.claim.account
