"""What a turn keeps of what it knew of idle runs, so that it can be decided again; pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reaper.cycle.evaluation.docket import Docket, stale_after
from reaper.cycle.evaluation.outcome import LATE
from reaper.cycle.evidence.records import evidence_of
from reaper.cycle.item import Item
from reaper.cycle.rules import Rules
from reaper.domain.escalation.ladder import RETURNED
from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.evidence import FULL, Evidence
from reaper.domain.facts.host import AT_WORK
from reaper.domain.facts.inputs import (
    EVERYBODY,
    IDLE_MINUTES,
    RENEWED,
    Entry,
    Inputs,
    Witnessed,
    alike,
    histories,
    host_name,
    served_name,
    shapes,
    sightings,
)
from reaper.domain.facts.minute import ACTIVE
from reaper.domain.facts.receivers import Catches
from reaper.domain.facts.track import Track, tail

#: Letters of minutes in which nothing is done that any policy takes for work.
_REST: Final = "HELX"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What was written of a run last, in which minute, and how long it has worked since."""

    since: int
    inputs: Inputs
    worked: int = 0
    """Minutes with work since all of its devices last rested for long enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What a turn writes, and what then is held, by run key."""

    entries: tuple[Entry, ...] = ()
    letters: Mapping[str, Track] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)


def held(entries: Iterable[Entry]) -> dict[str, Held]:
    """Return what the newest entry of each run holds, after a restart."""
    newest = {key: history.entries[-1] for key, history in histories(entries).items()}
    return {
        key: Held(since=entry.minute, inputs=entry.inputs)
        for key, entry in newest.items()
        if entry.inputs is not None
    }


def note(
    docket: Docket,
    items: Sequence[Item],
    before: Mapping[str, Held],
    *,
    looked: int | None,
    jumps: bool,
) -> Noted:
    """
    Return what a turn keeps of the runs that rest, have a case, or did either until lately.

    `looked` is the minute that the last turn closed: a longer gap is said to be one, unless the
    clock jumps.
    """
    noting = _Noting(docket=docket, looked=looked, enough=_enough(docket.rules))
    known = dict(before)
    if looked is not None and not jumps and noting.minute - looked > LATE:
        noting.silent(known)
        known.clear()
    for item in items:
        noting.run(item, known.get(item.allocation.run.key))
    noting.keep(EVERYBODY, Inputs(waiting=shapes(docket.waiting)), known.get(EVERYBODY), worked=0)
    noting.gone(known)
    return Noted(entries=tuple(noting.entries), letters=noting.letters, held=noting.held)


def _enough(rules: Rules) -> int:
    """Return the minutes of rest from which on a run is kept: fewer than until anybody is told."""
    firsts = (policy.warnings[0].after for policy in rules.policies if policy.warnings)
    shortest = min(map(rules.pace.steps, firsts), default=IDLE_MINUTES)
    return max(1, min(IDLE_MINUTES, shortest))


@dataclass(slots=True, kw_only=True)
class _Noting:
    """One turn's notes in the making."""

    docket: Docket
    looked: int | None
    enough: int
    entries: list[Entry] = field(default_factory=list)
    letters: dict[str, Track] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)

    @property
    def minute(self) -> int:
        """Return the minute that this turn closes."""
        return self.docket.rules.pace.closed(self.docket.now)

    def silent(self, known: Mapping[str, Held]) -> None:
        """Say that nobody looked after the last turn."""
        after = self.minute if self.looked is None else self.looked + 1
        self.entries += [Entry(run_key=key, minute=after) for key in known]

    def gone(self, known: Mapping[str, Held]) -> None:
        """Say that a run is not seen any more, or has gone back to work."""
        self.entries += [
            Entry(run_key=key, minute=self.minute) for key in known if key not in self.held
        ]

    def run(self, item: Item, before: Held | None) -> None:
        """Note a run, where anything of it is kept."""
        if item.carried and before is None:
            return
        tracks = tuple(self.docket.tracks_of(item.allocation).values())
        rest = _rest(tracks, self.enough) if len(tracks) == item.allocation.expected else 0
        worked = 0
        if not rest and before is not None:
            worked = before.worked + self._worked(tracks)
        if not rest and item.case is None and (before is None or worked >= RETURNED):
            return
        key = item.allocation.run.key
        self.keep(key, self._inputs(item, before), before, worked=worked)
        self._letters(key, self.minute + 1 - rest if before is None else None)

    def keep(self, key: str, inputs: Inputs, before: Held | None, *, worked: int) -> None:
        """Write what is known, where it changed or was not written today."""
        minute = self.minute
        today = before is not None and before.since // RENEWED == minute // RENEWED
        if before is not None and today and before.inputs == inputs:
            self.held[key] = before if before.worked == worked else replace(before, worked=worked)
            return
        # What is written over in the same minute is no ground for a difference.
        told = before.inputs if before is not None and today and before.since < minute else None
        self.entries.append(Entry(run_key=key, minute=minute, inputs=inputs, before=told))
        self.held[key] = Held(since=minute, inputs=inputs, worked=worked)

    def _worked(self, tracks: Sequence[Track]) -> int:
        first = self.minute if self.looked is None else self.looked + 1
        return sum(
            any(track.at(minute) == ACTIVE for track in tracks)
            for minute in range(first, self.minute + 1)
        )

    def _letters(self, key: str, rested_since: int | None) -> None:
        """
        Note the minutes of its hosts and requests since the last turn.

        When it begins to rest: all that is known of them, for earlier work counts as well; of a
        host that has not worked, those of the rest.
        """
        host, service = self.docket.hosts.get(key), self.docket.services.get(key)
        after = self.minute if self.looked is None else self.looked + 1
        if host is not None:
            begin = after if rested_since is None else rested_since
            if rested_since is not None and AT_WORK in host.track.letters:
                begin = host.track.start
            self._track(host_name(key), host.track, begin)
        if service is not None:
            begin = after if rested_since is None else service.track.start
            self._track(served_name(key), service.track, begin)

    def _track(self, name: str, whole: Track, first: int) -> None:
        begin = max(first, whole.start)
        if begin < whole.end:
            self.letters[name] = whole.since(begin)

    def _inputs(self, item: Item, before: Held | None) -> Inputs:
        docket, allocation, claim = self.docket, item.allocation, item.allocation.claim
        key, doubt = allocation.run.key, allocation.doubt
        if doubt and before is not None and before.inputs.doubt:
            # That there is one decides; what it says may change every minute.
            doubt = before.inputs.doubt
        return Inputs(
            owner=allocation.owner,
            team=claim.team,
            account=claim.account,
            qos=claim.qos,
            namespace=claim.namespace,
            name=claim.name,
            labels=claim.labels,
            purpose=Purpose.INTERACTIVE if allocation.front else claim.purpose,
            purpose_ruled=claim.purpose_ruled,
            requeueable=claim.requeueable,
            resumed=claim.resumed,
            doubt=doubt,
            signs=sightings(
                allocation.signs, now=docket.now, stale_after=stale_after(docket.rules.pace)
            ),
            devices=alike(self._witnessed(allocation)),
            catches=_listed(docket.catches.get(key, {})),
            host=key in docket.hosts,
            served=key in docket.services,
        )

    def _witnessed(self, allocation: Allocation) -> tuple[Witnessed, ...]:
        names = (self.docket.name_of(allocation, gpu) for gpu in sorted(allocation.gpus))
        known = self.docket.records
        return tuple(
            _witness(evidence_of(known, name)) if name in known else Witnessed() for name in names
        )


def _rest(tracks: Sequence[Track], enough: int) -> int:
    """Return for how many minutes all devices have rested; none where it is not long enough."""
    if not tracks or any(track.letters[-enough:].strip(_REST) for track in tracks):
        return 0
    rested = min(tail(track.letters, _REST) for track in tracks)
    return rested if rested >= enough else 0


def _witness(evidence: Evidence) -> Witnessed:
    needed = evidence.seconds * FULL
    seen = sorted(name for name, seconds in evidence.seen.items() if seconds >= needed > 0)
    return Witnessed(witnesses=evidence.testified, signals=tuple(seen))


def _listed(catches: Catches) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((target, tuple(sorted(found))) for target, found in sorted(catches.items()))
