"""Everything that is looked at once more between a decision and its effect."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reaper.domain.escalation.decision import Intent
from reaper.domain.escalation.keep import active
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.thresholds import Thresholds
from reaper.performers.proof import Looked, objection
from reaper.ports import Activity, Actor, Books, Clock, Recheck, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """Says what speaks against an intent now."""

    store: Store
    clock: Clock
    epoch: int
    pace: Pace
    activities: Sequence[Activity]
    thresholds: Thresholds
    killed: Callable[[], bool]

    async def against(self, intent: Intent, actor: Actor) -> str:
        """Return why an intent must not begin; platform, nodes, owners and operators are asked."""
        if self.clock.now() > intent.effect.expires:
            return "it was not begun in time"
        recheck = await actor.recheck(intent.effect.run)
        if recheck is not Recheck.SAME:
            return f"the run is {recheck}"
        async with self.store.transaction(self.epoch) as books:
            stopped = await self._stopped(books, intent)
            looked = await Looked.load(books, intent)
        return stopped or await objection(
            looked,
            self.activities,
            intent=intent,
            pace=self.pace,
            thresholds=self.thresholds,
        )

    async def stopped(self, intent: Intent) -> str:
        """Return what an owner or operator has put in the way since."""
        async with self.store.transaction(self.epoch) as books:
            return await self._stopped(books, intent)

    async def _stopped(self, books: Books, intent: Intent) -> str:
        if self.killed():
            return "the kill switch is set"
        now = self.clock.now()
        run = intent.effect.run
        keep = active(await books.keeps(now), run_key=run.key, now=now)
        if keep is not None:
            return f"kept by {keep.giver}"
        cases = {case.id: case for case in await books.cases_of(run.key)}
        case = cases.get(intent.effect.case_id)
        scopes = {"", run.key, *intent.nodes, f"policy:{case.policy}" if case else ""}
        for hold in await books.holds():
            if hold.scope in scopes and hold.stands(now):
                return f"{hold.kind}: {hold.reason}"
        return "disputed" if any(item.disputed for item in cases.values()) else ""
