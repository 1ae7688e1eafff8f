"""Drawing the picture of a turn: rows, sources, nodes, holds and totals; pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from reaper.board import Board
from reaper.cycle.evidence.keeping import kept_lines
from reaper.cycle.evidence.records import Records
from reaper.cycle.evidence.signalling import SignalWords
from reaper.cycle.item import Item
from reaper.cycle.ownership.uniting import Ownership
from reaper.cycle.rules import Rules
from reaper.cycle.snapshot.node_lines import node_lines
from reaper.cycle.snapshot.room import room
from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.decision import Hold, Refusal
from reaper.domain.escalation.interlock import Vitals
from reaper.domain.escalation.keep import Keep, active
from reaper.domain.escalation.outlook import Outlook, outlook
from reaper.domain.escalation.turn import Turn
from reaper.domain.escalation.used import last_used
from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.demand import Request
from reaper.domain.facts.host import Host
from reaper.domain.facts.serving import Service
from reaper.domain.facts.tenant import own_name, own_track
from reaper.domain.facts.track import Track
from reaper.domain.picture import (
    CaseLine,
    DeviceLine,
    HoldLine,
    Picture,
    Row,
    SignLine,
    SourceLine,
    WaitingLine,
)
from reaper.domain.reason import because

#: Minutes of a device's track that the picture shows.
_SHOWN: Final = 120

#: As many reasons for which requests wait are told.
_MOST_SHORT: Final = 6
_NO_TRACK: Final = Track(start=0)

#: What is said of a run whose owner asked for its release, until it begins.
GIVEN_BACK: Final = Refusal(rule="", reason=because("owner-gave-back"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """What a picture is drawn from."""

    rules: Rules
    board: Board
    ownership: Ownership
    records: Records
    tracks: Mapping[str, Track]
    keeps: Mapping[str, Sequence[Keep]]
    """Those that stand, by run key."""
    holds: Sequence[Hold]
    hosts: Mapping[str, Host]
    services: Mapping[str, Service]
    typed: Mapping[str, tuple[float, ...]]
    divided: frozenset[str]
    """The devices of which runs have letters of their own."""
    words: SignalWords
    now: float

    _once: dict[str, str] = field(default_factory=dict, init=False)
    """Letters that are drawn already: most devices have the same ones, which are kept once."""
    _drawn: dict[int, tuple[Track, str, float]] = field(default_factory=dict, init=False)
    """What is shown of a track, and when that began, by the identity of the track."""

    def row(self, item: Item, case: Case | None) -> Row:
        """Draw one allocation."""
        allocation, verdict, claim = item.allocation, item.verdict, item.allocation.claim
        price = self.rules.price(allocation, self.now)
        keeps = self.keeps.get(allocation.run.key)
        kept = active(keeps, run_key=allocation.run.key, now=self.now) if keeps else None
        heard = kept_lines(allocation.run.key, self.hosts, self.services)
        return Row(
            run_key=allocation.run.key,
            platform=allocation.run.platform,
            id=allocation.run.id,
            node_ids=claim.node_ids,
            name=claim.name,
            owner=allocation.owner,
            team=claim.team or claim.account,
            account=claim.account,
            partition=claim.partition,
            namespace=claim.namespace,
            purpose=str(allocation.purpose),
            purpose_evidence=allocation.purpose_evidence,
            nodes=allocation.nodes,
            model=allocation.model,
            gpus=allocation.expected,
            started=allocation.run.started,
            limit=claim.limit,
            verdict=str(verdict.kind),
            reason=verdict.reason,
            idle_since=verdict.since,
            idle_seconds=verdict.idle_for(self.now),
            idle_gpus=verdict.idle_devices,
            coverage=verdict.coverage,
            presence=item.presence,
            signs=tuple(
                SignLine(kind=sign.kind, last_seen=sign.last_seen, state=sign.state)
                for sign in allocation.signs
            ),
            typed=self.typed.get(allocation.run.key, ()),
            used=last_used(allocation, verdict),
            host=heard.host,
            served=heard.served,
            requests=heard.requests,
            cost_per_hour=None if price is None else price * verdict.idle_devices,
            kept_until=kept.until if kept else None,
            policy=item.policy.name if item.policy else "",
            mode=str(item.policy.mode) if item.policy else "",
            case=_case_line(case, item) if case else None,
            devices=tuple([self._device(allocation, gpu) for gpu in allocation.gpus]),
        )

    def _device(self, allocation: Allocation, gpu: str) -> DeviceLine:
        device, known = self.ownership.devices[gpu], self.records.glance(gpu)
        if gpu in self.divided:
            own = own_name(gpu, allocation.run.key)
            known = self.records.glance(own) or known
            track = self._own_track(allocation, gpu, own)
        else:
            track = self.tracks.get(gpu) if allocation.claim.exclusive else None
        letters, begin = self._letters(track or _NO_TRACK)
        reading, node = known.reading if known else None, device.node
        return DeviceLine(
            gpu=gpu,
            node=node,
            index=device.index,
            model=device.model,
            letters=letters,
            letters_begin=begin,
            memory_used=reading.memory_used if reading else None,
            power=reading.power if reading else None,
            witnesses=known.testified if known else (),
            signals=self.words.of(self.board.good.get(node), gpu),
        )

    def _letters(self, track: Track) -> tuple[str, float]:
        """Return the letters of a track that are shown, and when the first of them began."""
        known = self._drawn.get(id(track))
        if known is None:
            begin = max(0, len(track.letters) - _SHOWN)
            letters = track.letters[begin:]
            letters = self._once.setdefault(letters, letters)
            known = track, letters, self.rules.pace.begins(track.start + begin)
            self._drawn[id(track)] = known
        return known[1:]

    def _own_track(self, allocation: Allocation, gpu: str, own: str) -> Track | None:
        whole, part = self.tracks.get(gpu), self.tracks.get(own)
        return own_track(whole, part, exclusive=allocation.claim.exclusive)


def draw(
    canvas: Canvas,
    items: Sequence[Item],
    cases: Mapping[str, Case],
    *,
    sentence: str,
    pulse: Vitals,
    totals: Mapping[str, float],
) -> Picture:
    """Draw the whole cluster."""
    rows = tuple(canvas.row(item, cases.get(item.allocation.run.key)) for item in items)
    priced = [row.cost_per_hour for row in rows if row.cost_per_hour is not None]
    nodes = node_lines(canvas.board, canvas.ownership)
    gpus, held = sum(node.gpus for node in nodes), sum(row.gpus for row in rows)
    owned = canvas.ownership
    left = room(
        owned.capacities, owned.united.allocations, owned.ground.words.devices, canvas.board.good
    )
    return Picture(
        at=canvas.now,
        cluster=canvas.rules.cluster,
        sentence=sentence,
        step=canvas.rules.pace.step,
        pace_normal=canvas.rules.pace.normal,
        currency=canvas.rules.currency,
        rows=rows,
        sources=_sources(canvas.board),
        nodes=nodes,
        holds=tuple(_hold_line(hold) for hold in canvas.holds),
        gpus=gpus,
        allocated=held,
        free_slices=left.slices,
        unusable=max(0, gpus - held - left.slices - left.gpus),
        idle=sum(row.idle_gpus for row in rows),
        unknown=sum(row.gpus for row in rows if row.verdict == "unknown"),
        waiting_gpus=sum(item.gpus for item in canvas.ownership.waiting),
        waiting=tuple(_waiting(canvas.ownership.waiting)),
        short=_short(canvas.ownership.short, canvas.ownership.waiting),
        coverage=pulse.covered / pulse.allocated if pulse.allocated else 1.0,
        cost_per_hour=sum(priced) if priced else None,
        unpriced_gpus=sum(row.gpus for row in rows if row.cost_per_hour is None),
        counts=dict(Counter(row.verdict for row in rows)),
        totals=dict(totals),
    )


def _short(limits: Iterable[str], requests: Iterable[Request]) -> tuple[str, ...]:
    """Return the limits that are used up, then what else most requests wait for."""
    reasons = Counter(item.why for item in requests if item.why and not item.startable)
    often = sorted(reasons, key=lambda why: (-reasons[why], why))
    found = [*limits, *(f"{reasons[why]} wait: {why}" for why in often)]
    return tuple(found[:_MOST_SHORT])


def _waiting(requests: Iterable[Request]) -> Iterator[WaitingLine]:
    found: dict[tuple[str, str], list[int]] = {}
    for item in requests:
        key = ",".join(item.partitions), str(item.purpose)
        found.setdefault(key, []).append(item.gpus)
    for (partition, purpose), gpus in sorted(found.items()):
        yield WaitingLine(partition=partition, purpose=purpose, requests=len(gpus), gpus=sum(gpus))


def _case_line(case: Case, item: Item) -> CaseLine:
    ahead = _ahead(case, item)
    given_back = (GIVEN_BACK,) if _given_back(case) else ()
    return CaseLine(
        id=case.id,
        policy=case.policy,
        mode=case.mode,
        state=str(case.state),
        opened=case.opened,
        warned=case.warned,
        next_step=ahead.step,
        due=ahead.at,
        held_by=(*ahead.held, *given_back),
        release_at=ahead.after,
        spent=ahead.spent,
        outcome=case.outcome,
    )


def _given_back(case: Case) -> bool:
    return case.state is State.OPEN and case.own_release is not None


def _ahead(case: Case, item: Item) -> Outlook:
    """Look ahead: an open case by its ladder, one that acts by what is under way."""
    if item.policy is None or case.state is State.CLOSED:
        return Outlook(step="", at=case.due, held=case.held_by)
    if case.state is State.PLANNED:
        return Outlook(step=f"nothing: it {case.outcome}", at=case.due, held=case.held_by)
    if _given_back(case):
        return Outlook(step="release", at=case.due, held=case.held_by)
    if case.state is not State.OPEN or item.situation is None:
        saving = case.saving is not None and case.saving.lapsed is None and not case.saving.stands
        step = f"{'save' if saving else 'release'} under way ({case.state})"
        return Outlook(step=step, at=case.due, held=case.held_by)
    return outlook(case, item.situation, item.turn or Turn(case=case))


def _sources(board: Board) -> tuple[SourceLine, ...]:
    return tuple(
        SourceLine(
            name=post.source,
            role=post.role,
            as_of=post.as_of,
            error=post.error,
            took=post.took,
            failures=post.failures,
        )
        for post in board.posts.values()
    )


def _hold_line(hold: Hold) -> HoldLine:
    return HoldLine(
        id=hold.id,
        kind=hold.kind,
        reason=hold.reason,
        by=hold.by,
        begin=hold.begin,
        until=hold.until,
        scope=hold.scope,
    )
