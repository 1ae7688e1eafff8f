"""
Who shares a device, and under which name the letters of each are kept.

While a device works, its own counters say nothing of any one tenant: each is seen by a counter
of its own or not at all.  What a tenant did is kept under a name beside the device's.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reaper.domain.facts.allocation import Allocation, Claim
from reaper.domain.facts.keyed import SKEW, KeyedClaims
from reaper.domain.facts.share import Share
from reaper.domain.facts.track import Track

_MARK: Final = "#"

#: No counter has this name: a node sees the run under several, and no one says all it did.
_SEVERAL: Final = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """A run on a device that others hold too; `alone` while it is there by itself."""

    run_key: str
    key: str = ""
    """Its counter's name in a reading; empty where no node sees it there."""
    alone: bool = False
    exclusive: bool = True
    """It was given the whole device: what was done before others came was its own."""


def own_name(gpu: str, run_key: str) -> str:
    """Return the name under which a tenant's own letters of a device are kept."""
    return f"{gpu}{_MARK}{run_key}"


def is_own(name: str) -> bool:
    """Tell whether a name is a tenant's part of a device."""
    return _MARK in name


def divided(names: Iterable[str]) -> frozenset[str]:
    """Return the devices of which tenants have a part under a name of their own."""
    return frozenset([name.partition(_MARK)[0] for name in names if _MARK in name])


def own_track(device: Track | None, own: Track | None, *, exclusive: bool) -> Track | None:
    """
    Return a tenant's track of a device; None where nothing is known.

    Who was given a part has its own letters and no others; before those of an exclusive holder
    stand the device's.
    """
    if not exclusive:
        return own
    if device is None or own is None or not own.letters:
        return device
    before = device.clip(min(device.start, own.start), own.start)
    return Track(start=before.start, letters=before.letters + own.letters)


def tenants(
    allocations: Sequence[Allocation], shares: Sequence[Share], kept: Collection[str]
) -> dict[str, tuple[Tenant, ...]]:
    """
    Return the runs on each device that several hold, by claims and by what nodes see.

    Somebody without a claim shares a device like anybody else.  Who was given a part, or once had
    letters of its own (names in `kept`), goes on having them, alone or not.
    """
    asked = _perhaps_shared(allocations, shares, kept)
    here = [item for item in allocations if asked and not asked.isdisjoint(item.gpus)]
    holders: dict[str, dict[str, str]] = {gpu: {} for gpu in asked}
    for allocation in here:
        for gpu in asked.intersection(allocation.gpus):
            holders[gpu][allocation.run.key] = ""
    runs = KeyedClaims(item.claim for item in here)
    seen: dict[tuple[str, str], str] = {}
    for share in shares if asked else ():
        if share.proof and share.gpu in asked:
            claim = runs.match(platform=share.platform, id=share.id, start=share.start)
            run_key = claim.run.key if claim else share.key
            place = share.gpu, run_key
            seen[place] = share.key if seen.get(place, share.key) == share.key else _SEVERAL
            holders[share.gpu][run_key] = seen[place]
    known = {item.run.key: item for item in here}
    found = {gpu: tuple(_tenants(gpu, there, known, kept)) for gpu, there in holders.items()}
    return {gpu: there for gpu, there in found.items() if there}


def _perhaps_shared(
    allocations: Sequence[Allocation], shares: Iterable[Share], kept: Iterable[str]
) -> frozenset[str]:
    """Return the devices that need a closer look; of a hundred thousand it is hardly any."""
    first: dict[str, Claim] = {}
    own = (name.partition(_MARK) for name in kept if _MARK in name)
    live = {allocation.run.key for allocation in allocations}
    found = {gpu for gpu, _, run_key in own if run_key in live}
    for allocation in allocations:
        claim = allocation.claim
        for gpu in allocation.gpus:
            if first.setdefault(gpu, claim) is not claim or not claim.exclusive:
                found.add(gpu)
    for share in shares:
        held = first.get(share.gpu)
        if held is not None and not _is_of(held, share):
            found.add(share.gpu)
    return frozenset(found & first.keys())


def _is_of(claim: Claim, share: Share) -> bool:
    run = claim.run
    named = share.platform == run.platform and share.id in (claim.node_ids or (run.id,))
    return named and run.started <= share.start + SKEW


def _tenants(
    gpu: str, there: Mapping[str, str], runs: Mapping[str, Allocation], kept: Collection[str]
) -> Iterator[Tenant]:
    alone = len(there) == 1
    for run_key, key in there.items():
        allocation = runs.get(run_key)
        if allocation is None or gpu not in allocation.gpus:
            continue
        exclusive = allocation.claim.exclusive
        if not (alone and exclusive and own_name(gpu, run_key) not in kept):
            yield Tenant(run_key=run_key, key=key, alone=alone, exclusive=exclusive)
