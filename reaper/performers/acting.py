"""Carrying out intents: recheck, begin, inspect, verify; each step is read back, never assumed."""

import logging
from asyncio import timeout
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reaper.board import Tally
from reaper.domain.escalation.decision import Effect, Intent, Phase, Verb
from reaper.domain.escalation.keep import active
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.thresholds import DEFAULT, Thresholds
from reaper.performers.proof import Looked, objection
from reaper.ports import ActionError, Activity, Actor, Books, Clock, Progress, Recheck, Store

_log = logging.getLogger(__name__)

#: Longest time for one answer of a platform; wall seconds.
_PATIENCE: Final = 60.0

#: Seconds between the re-check of a run and the moment after which adapters refuse the effect.
_EXPIRES: Final = 60.0

#: Seconds after which an effect that is still pending has failed: a limit may take 18 minutes,
#: and the platform's clock follows no pace of ours.
_PENDING: Final = 1800.0

#: Steps after which an effect that shows no trace has failed.
_UNSEEN_STEPS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Enforcer:
    """Carries out the open intents of every platform."""

    store: Store
    clock: Clock
    epoch: int
    pace: Pace
    actors: Mapping[str, Actor]
    activities: Sequence[Activity]
    thresholds: Thresholds = DEFAULT
    killed: Callable[[], bool] = lambda: False
    tally: Tally = field(default_factory=Tally)

    async def turn(self) -> None:
        """Move every open intent one step; a platform that fails delays no other."""
        async with self.store.reading() as books:
            intents = await books.open_intents()
        for intent in intents:
            actor = self.actors.get(intent.effect.run.platform)
            if actor is None:
                await self._end(intent, Phase.FAILED, "this platform cannot act")
                continue
            try:
                async with timeout(_PATIENCE):
                    await self._step(intent, actor)
            except TimeoutError:
                await self._note(intent, f"no answer within {_PATIENCE:g} s")
            except ActionError as error:
                await self._refused(intent, error)

    async def _step(self, intent: Intent, actor: Actor) -> None:
        if intent.phase is Phase.INTENDED:
            await self._begin(intent, actor)
        elif intent.phase is Phase.BEGUN:
            await self._inspect(intent, actor)
        else:
            await self._verify(intent, actor)

    async def _begin(self, intent: Intent, actor: Actor) -> None:
        """Begin an effect, unless a crash hid that it has begun, or anything speaks against."""
        progress = await actor.inspect(intent.effect)
        if progress in (Progress.PENDING, Progress.DONE):
            await self._move(intent, Phase.BEGUN, receipt="found under way")
            return
        against = await self._against(intent, actor)
        if against:
            await self._end(intent, Phase.DROPPED, against)
            return
        now = self.clock.now()
        effect = replace(intent.effect, expires=now + _EXPIRES, epoch=self.epoch)
        receipt = await actor.begin(effect, now=now)
        await self._move(intent, Phase.BEGUN, receipt=receipt.text)

    async def _against(self, intent: Intent, actor: Actor) -> str:
        now = self.clock.now()
        if now > intent.effect.expires:
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

    async def _stopped(self, books: Books, intent: Intent) -> str:
        """Return what an owner or operator has put in the way since."""
        if self.killed():
            return "the kill switch is set"
        now = self.clock.now()
        run = intent.effect.run
        keep = active(await books.keeps(now), run_key=run.key, now=now)
        if keep is not None:
            return f"kept by {keep.by}"
        scopes = {"", run.key, *intent.nodes}
        for hold in await books.holds():
            if hold.scope in scopes and hold.stands(now):
                return f"{hold.kind}: {hold.reason}"
        cases = {case.id: case for case in await books.cases_of(run.key)}
        case = cases.get(intent.effect.case_id)
        return "disputed" if case is not None and case.disputed else ""

    async def _inspect(self, intent: Intent, actor: Actor) -> None:
        progress = await actor.inspect(intent.effect)
        age = self.clock.now() - intent.changed
        if progress is Progress.DONE:
            await self._move(intent, Phase.DONE)
        elif progress is Progress.RECREATED:
            reverted = Phase.DONE if intent.effect.requeue else Phase.REVERTED
            await self._end(intent, reverted, "" if intent.effect.requeue else "it was recreated")
        elif progress is Progress.PENDING:
            await self._pending(intent, actor, age)
        elif age > _UNSEEN_STEPS * self.pace.step:
            await self._end(intent, Phase.FAILED, "the platform shows no trace of it")

    async def _pending(self, intent: Intent, actor: Actor, age: float) -> None:
        """While the platform counts down, a keep, a hold or a dispute takes it back."""
        async with self.store.transaction(self.epoch) as books:
            stopped = await self._stopped(books, intent)
        if stopped:
            await self._restore(intent, actor, stopped)
        elif age > _PENDING:
            await self._end(intent, Phase.FAILED, "still pending")

    async def _restore(self, intent: Intent, actor: Actor, why: str) -> None:
        now = self.clock.now()
        effect = Effect(
            id=f"{intent.effect.id}/restore",
            case_id=intent.effect.case_id,
            run=intent.effect.run,
            verb=Verb.RESTORE,
            expires=now + _EXPIRES,
            epoch=self.epoch,
            member_ids=intent.effect.member_ids,
            limit=intent.effect.limit,
            requeueable=intent.effect.requeueable,
            former=intent.receipt,
        )
        receipt = await actor.begin(effect, now=now)
        await self._end(intent, Phase.DROPPED, f"taken back ({why}): {receipt.text}")

    async def _verify(self, intent: Intent, actor: Actor) -> None:
        if self.clock.now() < intent.changed + self.pace.verify:
            return
        progress = await actor.inspect(intent.effect)
        if progress is Progress.DONE or (progress is Progress.RECREATED and intent.effect.requeue):
            await self._end(intent, Phase.VERIFIED, "")
        elif progress is Progress.RECREATED:
            await self._end(intent, Phase.REVERTED, "its owner object recreated it")
        else:
            await self._end(intent, Phase.FAILED, f"it is {progress} after all")

    async def _refused(self, intent: Intent, error: ActionError) -> None:
        if error.recoverable and self.clock.now() <= intent.effect.expires:
            await self._note(intent, str(error))
        elif intent.phase is Phase.INTENDED and error.recoverable:
            await self._end(intent, Phase.DROPPED, str(error))
        elif error.recoverable:
            await self._note(intent, str(error))
        else:
            await self._end(intent, Phase.FAILED, str(error))

    async def _move(self, intent: Intent, phase: Phase, receipt: str = "") -> None:
        moved = replace(
            intent,
            phase=phase,
            changed=self.clock.now(),
            receipt=receipt or intent.receipt,
            error="",
        )
        await self._write(moved)
        self.tally.add(f"acts:{phase}")

    async def _end(self, intent: Intent, phase: Phase, error: str) -> None:
        await self._write(replace(intent, phase=phase, changed=self.clock.now(), error=error))
        self.tally.add(f"acts:{phase}")

    async def _note(self, intent: Intent, error: str) -> None:
        await self._write(replace(intent, error=error))

    async def _write(self, intent: Intent) -> None:
        _log.info("%s: %s %s", intent.effect.id, intent.phase, intent.error or intent.receipt)
        async with self.store.transaction(self.epoch) as books:
            await books.keep_intent(intent)
