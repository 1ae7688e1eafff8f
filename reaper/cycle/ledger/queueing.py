"""
How long runs waited and how they ended, added to the totals once for each run.

A run is known by its key.  After a start the first answers tell what began and ended since the
last cycle, as far as the platform or its accounting tells it; what neither does is not counted.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from reaper.cycle.memory import Memory
from reaper.cycle.ownership.uniting import Ownership
from reaper.domain.facts.allocation import Claim
from reaper.domain.facts.ending import Ended

#: Upper bounds of the waits that are told apart, in seconds; the last is any.
WAITS: Final = (10, 60, 300, 900, 3600, 14400, 43200, 86400, 259200)
ANY: Final = "+Inf"


def count(memory: Memory, owned: Ownership) -> None:
    """Add the runs that are new since the last turn: begun ones by wait, ended ones by outcome."""
    if owned.stale:
        return
    claims = [allocation.claim for allocation in owned.united.allocations]
    begun = frozenset(claim.run.key for claim in claims)
    ended = frozenset(item.key for item in owned.ended)
    if memory.begun is not None and memory.ended is not None:
        _waits(memory, (claim for claim in claims if claim.run.key not in memory.begun))
        _endings(memory, (item for item in owned.ended if item.key not in memory.ended))
    elif (since := memory.since) is not None:
        _waits(memory, (claim for claim in claims if claim.run.started > since))
        _endings(memory, (item for item in owned.ended if (item.at or 0.0) > since))
    memory.begun, memory.ended = begun, ended


def _waits(memory: Memory, claims: Iterable[Claim]) -> None:
    for claim in claims:
        if claim.submitted is None:
            continue
        waited = max(0.0, claim.run.started - claim.submitted)
        name = f"waited:{claim.partition or claim.namespace}:{claim.purpose}"
        for bound in WAITS[bisect_left(WAITS, waited) :]:
            memory.count(f"{name}:{bound}")
        memory.count(f"{name}:{ANY}")
        memory.count(f"{name}:sum", waited)


def _endings(memory: Memory, ended: Iterable[Ended]) -> None:
    for item in ended:
        memory.count(f"ended:{item.partition}:{item.purpose}:{item.outcome}")
