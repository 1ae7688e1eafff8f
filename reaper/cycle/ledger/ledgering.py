"""What a turn adds to the ledger: tenures, capacity, demand, and the events of runs; pure."""

from dataclasses import dataclass

from reaper.cycle.evaluation.docket import Docket
from reaper.cycle.ledger import tenancy
from reaper.cycle.ledger.holding import Held
from reaper.cycle.ownership.uniting import Ownership
from reaper.domain.facts.ending import ends_of
from reaper.domain.money.entries import CapacitySpan, DemandPoint, Event, Tenure


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """The ledger's entries of one turn."""

    tenures: tuple[Tenure, ...]
    capacity: tuple[CapacitySpan, ...]
    demand: DemandPoint
    events: tuple[Event, ...]


def ledgered(docket: Docket, owned: Ownership, held: Held) -> Entries:
    """Return what is new of who holds what, and of what there is to hold; `held` takes it."""
    now, pace, allocations = docket.now, docket.rules.pace, owned.united.allocations
    tenures = tenancy.tenures(
        allocations,
        held,
        docket.tracks,
        now=now,
        pace=pace,
        stale=owned.stale,
        ends=ends_of(owned.ended, held.runs()),
    )
    waited = tenancy.waits((item.claim for item in allocations), now)
    live = {item.run.key for item in allocations}
    events = tuple(tenancy.run_events(tenures, held.by_run, now, waited, live))
    # Of a run whose holder is silent nothing was told, whatever is said of it meanwhile.
    held.take(tenures, [item for item in allocations if item.run.platform not in owned.stale])
    return Entries(
        tenures=tenures,
        capacity=_capacity(owned, held, now),
        demand=DemandPoint(
            minute=pace.closed(now),
            gpus=sum(request.gpus for request in owned.waiting if request.startable),
        ),
        events=events,
    )


def _capacity(owned: Ownership, held: Held, now: float) -> tuple[CapacitySpan, ...]:
    words, silent = owned.ground.words, bool(owned.stale)
    if held.spans_stay(words, silent=silent):
        return ()
    changed = tenancy.capacity(
        owned.capacities, held.spans, now=now, silent=silent, here=words.devices
    )
    held.span(changed, words, silent=silent)
    return changed
