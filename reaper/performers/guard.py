"""Everything that is looked at once more between a decision and its effect."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Intent, scopes
from reaper.domain.escalation.keep import active
from reaper.domain.escalation.sequel import WARNINGS
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.thresholds import Thresholds
from reaper.domain.judgement.policy import Mode
from reaper.domain.reason import Words, because
from reaper.performers.proof import Looked, objection
from reaper.ports import Activity, Actor, Books, Clock, NodeReport, Recheck, Store


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
    before: Mapping[str, NodeReport]
    """What nodes said last, by node."""

    async def against(self, intent: Intent, actor: Actor) -> Words:
        """Return why an intent must not begin; platform, nodes, owners and operators are asked."""
        if self.clock.now() > intent.effect.expires:
            return because("not-begun-in-time")
        before = dict(self.before)
        recheck = await actor.recheck(intent.effect.run)
        if recheck is not Recheck.SAME:
            return because("run-is", state=str(recheck))
        async with self.store.transaction(self.epoch) as books:
            stopped = await self._stopped(books, intent)
            looked = await Looked.load(books, intent)
        return stopped or await objection(
            looked,
            self.activities,
            intent=intent,
            pace=self.pace,
            thresholds=self.thresholds,
            before=before,
        )

    async def stopped(self, intent: Intent) -> Words:
        """Return what an owner or operator has put in the way since."""
        async with self.store.transaction(self.epoch) as books:
            return await self._stopped(books, intent)

    async def _stopped(self, books: Books, intent: Intent) -> Words:
        if self.killed():
            return because("kill-switch")
        now = self.clock.now()
        run = intent.effect.run
        keep = active(await books.keeps(now), run_key=run.key, now=now)
        if keep is not None:
            return keep.said
        cases = {case.id: case for case in await books.cases_of(run.key)}
        case = cases.get(intent.effect.case_id)
        if case is not None and not intent.effect.asked_by and await _untold(books, case):
            return because("last-notice-unarrived")
        over = scopes(run.key, str(run), intent.nodes, case.policy if case else "")
        for hold in await books.holds():
            if hold.scope in over and hold.stands(now):
                return because("refused", rule=hold.kind, reason=hold.reason)
        return because("is-disputed") if any(one.disputed for one in cases.values()) else ""


async def _untold(books: Books, case: Case) -> bool:
    """Tell whether the last warning of a case that acts came back since."""
    told = [one for one in await books.notices(case.id) if one.kind in WARNINGS]
    last = max(told, key=lambda one: one.created, default=None)
    return case.mode == Mode.ACT and last is not None and not last.counts
