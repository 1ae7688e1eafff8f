"""Writing down what a turn has decided, all of it or nothing."""

from reaper.cycle.plan import Plan
from reaper.ports import Books


async def write(books: Books, plan: Plan, now: float) -> None:
    """Write a plan into an open transaction."""
    await books.keep_records(plan.renewed)
    await books.append_minutes({**plan.letters, **plan.input_letters})
    await books.append_inputs(plan.inputs)
    for node in plan.contradicted:
        await books.forget_confirmations(node)
    await books.keep_confirmations(plan.new_proofs)
    await books.keep_tenures(plan.tenures)
    await books.keep_capacity(plan.capacity)
    if plan.demand is not None:
        await books.append_demand(plan.demand)
    await books.keep_case(*plan.cases)
    await books.keep_notice(*plan.notices)
    for intent in plan.intents:
        await books.keep_intent(intent)
    for hold in plan.holds:
        await books.keep_hold(hold)
    await books.append_events(plan.events)
    await books.keep_picture(plan.picture)
    await books.keep_heartbeat(now)
