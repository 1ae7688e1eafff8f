"""Who holds what from when to when: the ledger's tenures and capacity spans; pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from reaper.cycle.ledger.cards import Cards, cards
from reaper.cycle.ledger.holding import Held
from reaper.domain.facts.allocation import Allocation, Capacity, Claim, Place
from reaper.domain.facts.device import Device
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.track import Track
from reaper.domain.judgement.bench import startup_ends
from reaper.domain.money.entries import WAITED, CapacitySpan, Event, Tenure

#: Seconds after its begin for which a run that is met for the first time counts as begun now.
LATELY: Final = 3600.0


def tenures(
    allocations: Iterable[Allocation],
    standing: Held,
    tracks: Mapping[str, Track],
    *,
    now: float,
    pace: Pace,
    stale: frozenset[str] = frozenset(),
    ends: Mapping[str, float] = MappingProxyType({}),
) -> tuple[Tenure, ...]:
    """
    Return the tenures that are new, changed or ended.

    A run that its holder no longer names has ended: when the holder says by `ends`, by run key, and
    else now, when it is noticed.  While the holder is silent nothing changes.
    Doubt is written over the whole tenure, in both directions: an index that is proven later
    was right from the start, and one that is contradicted was wrong from the start.  A device that
    a run lost whose members come and go was its own until then.
    """
    changed: list[Tenure] = []
    ended: list[Tenure] = []
    live: set[str] = set()
    for allocation in allocations:
        key = allocation.run.key
        live.add(key)
        if allocation.run.platform in stale or standing.goes_on(allocation):
            continue
        known = standing.by_run.get(key, {})
        wanted = {tenure.gpu: tenure for tenure in _of(allocation, known, tracks, now, pace)}
        merged = {gpu: _merged(known.get(gpu), tenure) for gpu, tenure in wanted.items()}
        changed += [tenure for gpu, tenure in merged.items() if tenure != known.get(gpu)]
        changing = any(place.node_id for place in allocation.claim.places)
        ended += [
            replace(tenure, end=now if changing and not _is_unknown(tenure) else tenure.begin)
            for gpu, tenure in known.items()
            if gpu not in wanted
        ]
    ended += [
        replace(tenure, end=_end(tenure, ends.get(key), now))
        for key, known in standing.by_run.items()
        if key not in live
        for tenure in known.values()
        if tenure.run.platform not in stale
    ]
    return (*changed, *ended)


def _end(tenure: Tenure, told: float | None, now: float) -> float:
    """Return when a tenure ended: as it was told, but neither before its begin nor ahead of us."""
    return now if told is None else max(tenure.begin, min(told, now))


def _of(
    allocation: Allocation,
    known: Mapping[str, Tenure],
    tracks: Mapping[str, Track],
    now: float,
    pace: Pace,
) -> Iterable[Tenure]:
    claim = allocation.claim
    devices = {device.gpu: device for device in allocation.devices}
    seen = {gpu: tracks[gpu] for gpu in devices if gpu in tracks}
    startup = startup_ends(allocation, seen, pace)
    settled = startup if startup <= now else None
    names = _names(allocation)
    for place, gpu in zip(claim.places, names, strict=True):
        device = devices.get(gpu)
        compute, whole = device.slices if device else (1, 1)
        yield Tenure(
            run=allocation.run,
            gpu=gpu,
            node=place.node,
            begin=_begin(allocation, place, known, now),
            end=None,
            share=claim.share * compute / whole,
            size=compute / whole,
            owner=allocation.owner,
            team=claim.team or claim.account,
            purpose=allocation.purpose,
            model=device.model if device else "",
            partition=claim.partition,
            limit=claim.limit,
            startup_until=settled,
            doubt="" if allocation.contested else allocation.doubt,
        )


def _names(allocation: Allocation) -> tuple[str, ...]:
    """Return one device name per claimed place; a place without a known device keeps its own."""
    found: dict[tuple[str, int | None], str] = {
        (device.node, device.gres_index): device.gpu
        for device in allocation.devices
        if device.gres_index is not None
    }
    names: list[str] = []
    alike: Counter[str] = Counter()
    for place in allocation.claim.places:
        name = place.gpu or found.get((place.node, place.index)) or _unknown(place)
        alike[name] += 1
        # Places that nobody names are as many as they are.
        again = alike[name] > 1 and not place.gpu
        names.append(f"{name}.{alike[name]}" if again else name)
    return tuple(names)


def _unknown(place: Place) -> str:
    return f"{place.node}:{place.index}"


def _is_unknown(tenure: Tenure) -> bool:
    return tenure.gpu.startswith(f"{tenure.node}:")


def _begin(allocation: Allocation, place: Place, known: Mapping[str, Tenure], now: float) -> float:
    """Return since when a run has a device; one that nobody names any more is lost now."""
    if known and place.node_id and not place.gpu:
        return now
    return allocation.run.started if place.since is None else place.since


def _merged(before: Tenure | None, after: Tenure) -> Tenure:
    """Keep the begin of a standing tenure, and a start-up end once it is known."""
    if before is None:
        return after
    startup = before.startup_until if before.startup_until is not None else after.startup_until
    return replace(after, begin=before.begin, startup_until=startup)


def capacity(
    seen: Iterable[Capacity],
    standing: Sequence[CapacitySpan],
    *,
    now: float,
    silent: bool,
    here: Mapping[str, Sequence[Device]] = MappingProxyType({}),
) -> tuple[CapacitySpan, ...]:
    """
    Return the capacity spans that are new or ended; none ends while every holder is silent.

    A card that is cut anew begins a new span; `here` are the devices by node.
    """
    spans = (_span(item, cards(item, here.get(item.node, ())), now) for item in seen)
    wanted = {_key(span): span for span in spans}
    open_now = {_key(span): span for span in standing}
    new = [span for key, span in wanted.items() if key not in open_now]
    ended = [
        replace(span, end=now) for key, span in open_now.items() if key not in wanted and not silent
    ]
    return (*new, *ended)


def _key(span: CapacitySpan) -> tuple[str, str, int, str, float]:
    return (span.node, span.model, span.gpus, span.state, span.stranded)


def _span(item: Capacity, cards: Cards, now: float) -> CapacitySpan:
    return CapacitySpan(
        node=item.node,
        model=item.model,
        gpus=cards.gpus,
        state=item.state,
        begin=now,
        end=None,
        partitions=item.partitions,
        stranded=cards.stranded,
    )


def waits(claims: Iterable[Claim], now: float) -> dict[str, float]:
    """Return how long runs had waited, by key; of those that began lately, as they are new."""
    return {
        claim.run.key: max(0.0, claim.run.started - claim.submitted)
        for claim in claims
        if claim.submitted is not None and now - claim.run.started <= LATELY
    }


def run_events(
    changed: Sequence[Tenure],
    known: Collection[str],
    now: float,
    waited: Mapping[str, float] | None = None,
    live: Collection[str] = frozenset(),
) -> list[Event]:
    """
    Return an event for each run that ended or began with these changes.

    `known` are the keys of the runs that held something before, `live` those of the runs that
    still do; `waited` is by key.
    """
    told = waited or {}
    began = {t.run.key: (t.run, now) for t in changed if t.end is None and t.run.key not in known}
    ended = {
        t.run.key: (t.run, t.end) for t in changed if t.end is not None and t.run.key not in live
    }
    return [
        Event(at=at, kind=kind, run_key=key, text=str(run), numbers=_numbers(kind, key, told))
        for kind, runs in (("run ended", ended), ("run began", began))
        for key, (run, at) in runs.items()
    ]


def _numbers(kind: str, key: str, waited: Mapping[str, float]) -> Mapping[str, float]:
    return {WAITED: waited[key]} if kind == "run began" and key in waited else {}
