"""The past of a simulation out of the store's ledger: tenures, letters and what else was kept."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reaper.cycle.simulation.past import Past, PastRun
from reaper.domain.escalation.keep import Keep
from reaper.domain.facts.allocation import Allocation, Claim, Place
from reaper.domain.facts.demand import Request
from reaper.domain.facts.device import Device
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import Host
from reaper.domain.facts.inputs import EVERYBODY, History, histories, host_name, served_name
from reaper.domain.facts.serving import Service
from reaper.domain.facts.tenant import own_name, own_track
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import RELEASED, DemandPoint, Tenure
from reaper.domain.money.tracked import track_of
from reaper.ports import Books

#: Where another letter begins.
_CHANGE: Final = re.compile(r"(.)(?!\1)")


async def from_ledger(books: Books, *, begin: float, end: float, pace: Pace) -> Past:
    """Read the runs of ``[begin, end)`` with the letters of their devices, and what waited."""
    tenures = [item for item in await books.tenures(begin, end) if item.end != item.begin]
    first, last = pace.minute(begin) + 1, pace.closed(end) + 1
    ledger = await _read(books, tenures, first, last)
    keeps: dict[str, list[Keep]] = defaultdict(list)
    for keep in await books.keeps(0.0):
        keeps[keep.run_key].append(keep)
    ours = {
        event.run_key: event.at
        for event in await books.events(begin=begin, end=end)
        if event.kind == RELEASED
    }
    runs = (
        replace(ledger.run(held, pace, last), ended_by_us=ours.get(key), keeps=tuple(keeps[key]))
        for key, held in _by_run(tenures).items()
    )
    demand = await books.demand(first, last)
    return Past(
        begin=begin,
        end=end,
        runs=tuple(runs),
        tracks=ledger.tracks,
        waiting=tuple(_waited(demand, ledger.history(EVERYBODY), pace, last)),
    )


def allocations(tenures: Sequence[Tenure]) -> Iterator[Allocation]:
    """Yield the allocations that tenures tell of."""
    for held in _by_run(tenures).values():
        yield _allocation(held, [track_of(tenure) for tenure in held], {})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ledger:
    """What was read: devices and tracks by name, and the histories of runs."""

    devices: Mapping[str, Device]
    tracks: Mapping[str, Track]
    histories: Mapping[str, History]

    def history(self, run_key: str) -> History:
        """Return what was kept of a run."""
        return self.histories.get(run_key, History())

    def run(self, held: Sequence[Tenure], pace: Pace, last: int) -> PastRun:
        """Return a run with what was kept of it."""
        key = held[0].run.key
        ended = [tenure.end for tenure in held]
        host = self.tracks.get(host_name(key), Track(start=last))
        served = self.tracks.get(served_name(key), Track(start=last))
        history = self.history(key)
        changes = {*_changes(host), *_changes(served), *(e.minute for e in history.entries)}
        names = [_name(tenure, self.devices) for tenure in held]
        return PastRun(
            allocation=_allocation(held, names, self.devices),
            begin=min(tenure.begin for tenure in held),
            end=None if None in ended else max(at for at in ended if at is not None),
            host=Host(track=host) if history.entries else None,
            service=Service(track=served) if history.entries else None,
            history=history,
            marks=tuple(pace.ends(minute) for minute in sorted(changes)),
        )


async def _read(books: Books, tenures: Sequence[Tenure], first: int, last: int) -> _Ledger:
    known = {record.device.gpu: record.device for record in await books.records()}
    found = histories(await books.inputs(first, last))
    runs = {tenure.run.key for tenure in tenures} & found.keys()
    names = {name for tenure in tenures for name in (track_of(tenure), _name(tenure, known))}
    names |= {name for key in runs for name in (host_name(key), served_name(key))}
    tracks = dict(await books.tracks(sorted(names), first, last))
    for tenure in tenures:
        name = _name(tenure, known)
        if name != track_of(tenure):
            own = own_track(tracks[tenure.gpu], _seen(tracks[name]), exclusive=True)
            tracks[name] = own or tracks[name]
    return _Ledger(devices=known, tracks=tracks, histories=found)


def _name(tenure: Tenure, known: Mapping[str, Device]) -> str:
    """Return the name of a run's part of a device: its own, once letters of its own were kept."""
    own = own_name(tenure.gpu, tenure.run.key)
    return own if own in known else track_of(tenure)


def _seen(track: Track) -> Track:
    """Return a track from its first letter on."""
    return track.since(track.start + len(track.letters) - len(track.letters.lstrip("?")))


def _changes(track: Track) -> Iterator[int]:
    """Yield the minutes in which another letter begins."""
    for found in _CHANGE.finditer(track.letters):
        yield track.start + found.end()


def _by_run(tenures: Sequence[Tenure]) -> dict[str, list[Tenure]]:
    found: dict[str, list[Tenure]] = defaultdict(list)
    for tenure in tenures:
        found[tenure.run.key].append(tenure)
    return found


def _allocation(
    held: Sequence[Tenure], names: Sequence[str], known: Mapping[str, Device]
) -> Allocation:
    one = held[0]
    claim = Claim(
        run=one.run,
        places=tuple(
            Place(node=tenure.node, gpu=name) for tenure, name in zip(held, names, strict=True)
        ),
        user=one.owner,
        as_of=one.begin,
        partition=one.partition,
        team=one.team,
        account=one.team,
        limit=one.limit,
        purpose=one.purpose,
    )
    return Allocation(
        run=one.run,
        devices=tuple(
            known.get(name, Device(gpu=name, node=tenure.node, model=tenure.model))
            for tenure, name in zip(held, names, strict=True)
        ),
        expected=len(held),
        claim=claim,
        doubt=next((tenure.doubt for tenure in held if tenure.doubt), ""),
    )


def _waited(
    points: Sequence[DemandPoint], history: History, pace: Pace, last: int
) -> Iterator[tuple[float, tuple[Request, ...]]]:
    """
    Yield what waited whenever that changed.

    Where its kinds are not kept, it is known only whether anybody waited, not for how many GPUs.
    """
    minutes = {point.minute: point.gpus for point in points}
    changes = {minute for first, after, _ in history.spans(last) for minute in (first, after)}
    before: tuple[Request, ...] = ()
    for minute in sorted(minutes.keys() | changes):
        kept = history.at(minute)
        at = pace.ends(minute)
        waits = kept.waiting if kept is not None else _anybody(minutes.get(minute, 0))
        if waits != before:
            yield at, waits
        before = waits


def _anybody(gpus: int) -> tuple[Request, ...]:
    return (Request(id="waiting", gpus=1, since=0.0),) if gpus > 0 else ()
