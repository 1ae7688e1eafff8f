"""Carrying out intents: recheck, begin, inspect, verify; each step is read back, never assumed."""

from asyncio import timeout
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reaper.board import Tally
from reaper.domain.escalation.decision import Intent, Phase, Verb
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.thresholds import DEFAULT, Thresholds
from reaper.performers.guard import Guard
from reaper.performers.pen import Pen
from reaper.performers.saving import EXPIRES, Saver, put_back
from reaper.ports import ActionError, Activity, Actor, Clock, NodeReport, Progress, Store, Tracing

#: Longest time for one answer of a platform; wall seconds.
_PATIENCE: Final = 60.0

#: Seconds, beside what its programs are given to end, after which an effect that is still pending
#: has failed: a limit may take 18 minutes, and the platform's clock follows no pace of ours.
_PENDING: Final = 1800.0

_NOT_ON: Final = "it was put back into the queue, but its next run did not go on"

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
    before: Mapping[str, NodeReport] = field(default_factory=dict)
    """What nodes said last, by node, shared with the observers."""

    async def turn(self) -> None:
        """Move every open intent one step; a platform that fails delays no other."""
        async with self.store.reading() as books:
            intents = await books.open_intents()
        for intent in intents:
            actor = self.actors.get(intent.effect.run.platform)
            if actor is None:
                await self._pen.end(intent, Phase.FAILED, "this platform cannot act")
                continue
            try:
                async with timeout(_PATIENCE):
                    await self._step(intent, actor)
            except TimeoutError:
                await self._pen.note(await self._now(intent), f"no answer within {_PATIENCE:g} s")
            except ActionError as error:
                await self._refused(await self._now(intent), error)

    async def _now(self, intent: Intent) -> Intent:
        """Return an intent as it is written now: a step may fail after it was written on."""
        async with self.store.reading() as books:
            standing = await books.open_intents()
        return next((item for item in standing if item.effect.id == intent.effect.id), intent)

    @property
    def _pen(self) -> Pen:
        return Pen(store=self.store, clock=self.clock, epoch=self.epoch, tally=self.tally)

    @property
    def _guard(self) -> Guard:
        return Guard(
            store=self.store,
            clock=self.clock,
            epoch=self.epoch,
            pace=self.pace,
            activities=self.activities,
            thresholds=self.thresholds,
            killed=self.killed,
            before=self.before,
        )

    async def _step(self, intent: Intent, actor: Actor) -> None:
        saver = Saver(pen=self._pen, guard=self._guard, pace=self.pace)
        if intent.effect.verb is Verb.SAVE:
            await saver.step(intent, actor)
        elif intent.effect.verb is Verb.RESTORE:
            await saver.undo(intent, actor)
        elif intent.phase is Phase.INTENDED:
            await self._begin(intent, actor)
        elif intent.phase is Phase.BEGUN:
            await self._inspect(intent, actor)
        else:
            await self._verify(intent, actor)

    async def _begin(self, intent: Intent, actor: Actor) -> None:
        """Begin an effect, unless a crash hid that it has begun, or anything speaks against."""
        progress = await actor.inspect(intent.effect)
        if progress in (Progress.PENDING, Progress.DONE):
            await self._pen.move(intent, Phase.BEGUN, receipt="found under way")
            return
        against = await self._guard.against(intent, actor)
        if against:
            await self._pen.end(intent, Phase.DROPPED, against)
            return
        now = self.clock.now()
        effect = replace(intent.effect, expires=now + EXPIRES, epoch=self.epoch)
        receipt = await actor.begin(effect, now=now)
        await self._pen.move(intent, Phase.BEGUN, receipt=receipt.text)

    async def _inspect(self, intent: Intent, actor: Actor) -> None:
        progress = await actor.inspect(intent.effect)
        age = self.clock.now() - intent.changed
        if progress is Progress.DONE:
            await self._pen.move(intent, Phase.DONE)
        elif progress is Progress.RECREATED:
            await self._again(intent, actor, Phase.DONE, "it was recreated")
        elif progress is Progress.PENDING:
            await self._pending(intent, actor, age)
        elif progress is Progress.GONE:
            await self._pen.end(intent, Phase.FAILED, _NOT_ON)
        elif age > _UNSEEN_STEPS * self.pace.step:
            await self._pen.end(intent, Phase.FAILED, "the platform shows no trace of it")

    async def _pending(self, intent: Intent, actor: Actor, age: float) -> None:
        """While the platform counts down, a keep, a hold or a dispute takes it back."""
        stopped = await self._guard.stopped(intent)
        if stopped:
            receipt = await put_back(self._pen, actor, intent)
            await self._pen.end(intent, Phase.DROPPED, f"taken back ({stopped}): {receipt}")
        elif age > _PENDING + intent.effect.parting:
            await self._pen.end(intent, Phase.FAILED, "still pending")

    async def _verify(self, intent: Intent, actor: Actor) -> None:
        if self.clock.now() < intent.changed + self.pace.verify:
            return
        progress = await actor.inspect(intent.effect)
        if progress is Progress.DONE:
            await self._pen.end(intent, Phase.VERIFIED, "")
        elif progress is Progress.RECREATED:
            await self._again(intent, actor, Phase.VERIFIED, "its owner object recreated it")
        else:
            why = _NOT_ON if progress is Progress.GONE else f"it is {progress} after all"
            await self._pen.end(intent, Phase.FAILED, why)

    async def _again(self, intent: Intent, actor: Actor, wanted: Phase, why: str) -> None:
        """End an intent whose run runs again: as wanted where that was the aim, else with who."""
        if intent.effect.requeue:
            await self._pen.end(intent, wanted, "")
            return
        who = await actor.reverter(intent.effect) if isinstance(actor, Tracing) else ""
        await self._pen.end(intent, Phase.REVERTED, f"reverted by {who}" if who else why)

    async def _refused(self, intent: Intent, error: ActionError) -> None:
        expired = self.clock.now() > intent.effect.expires
        acts = intent.effect.verb is not Verb.RESTORE
        if not error.recoverable:
            await self._pen.end(intent, Phase.FAILED, str(error))
        elif intent.phase is Phase.INTENDED and expired and acts:
            await self._pen.end(intent, Phase.DROPPED, str(error))
        else:
            await self._pen.note(intent, str(error))
