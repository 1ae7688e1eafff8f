"""
Asking a run to save itself, waiting for the proof, and putting back what the asking changed.

That it is asked is written down before it is asked: whatever a crash hides, nobody is asked
twice, and what is not proven in time counts as not saved.
"""

from dataclasses import dataclass, replace
from typing import Final

from reaper.domain.escalation.decision import Effect, Intent, Phase, Verb
from reaper.domain.facts.grid import Pace
from reaper.performers.guard import Guard
from reaper.performers.pen import Pen
from reaper.ports import ActionError, Actor, Progress, Recheck

#: Seconds between the re-check of a run and the moment after which adapters refuse the effect.
EXPIRES: Final = 60.0

#: Seconds over its time after which nobody looks for a proof any more.
_ENOUGH: Final = 120.0

#: Steps after which a restore that does not show has failed.
_UNSEEN_STEPS: Final = 3

_ENDED: Final = {
    Progress.GONE: "it ended by itself before a save was proven",
    Progress.RECREATED: "it was requeued by somebody before a save was proven",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Saver:
    """Moves the intents of saves, one step a turn."""

    pen: Pen
    guard: Guard
    pace: Pace

    async def step(self, intent: Intent, actor: Actor) -> None:
        """Ask, or look for the proof."""
        if intent.phase is Phase.INTENDED:
            await self._ask(intent, actor)
        else:
            await self._await_proof(intent, actor)

    async def _ask(self, intent: Intent, actor: Actor) -> None:
        against = await self.guard.against(intent, actor)
        if against:
            await self.pen.end(intent, Phase.DROPPED, against)
            return
        prepared = await actor.prepare(intent.effect)
        begun = await self.pen.move(intent, Phase.BEGUN, receipt=prepared.text)
        now = self.pen.clock.now()
        effect = replace(
            intent.effect, former=prepared.text, expires=now + EXPIRES, epoch=self.pen.epoch
        )
        try:
            receipt = await actor.begin(effect, now=now)
        except ActionError as error:
            if not error.recoverable:
                await self._unproven(begun, actor, f"it could not be asked: {error}")
                return
            # Whether it was asked is not known: it is not asked again.
            await self.pen.note(begun, str(error))
            return
        await self.pen.write(replace(begun, receipt=receipt.text))

    async def _await_proof(self, intent: Intent, actor: Actor) -> None:
        assert intent.effect.save is not None  # noqa: S101 - every save says what proves it
        over = self.pen.clock.now() - intent.changed - intent.effect.save.within
        progress, why = await self._look(intent, actor, over)
        if progress is Progress.DONE:
            await self.pen.end(intent, Phase.VERIFIED, "")
        elif progress in _ENDED:
            await self.pen.end(intent, Phase.DROPPED, _ENDED[progress])
        elif stopped := await self.guard.stopped(intent):
            await put_back(self.pen, actor, intent)
            await self.pen.end(intent, Phase.DROPPED, f"taken back ({stopped})")
        elif over > 0:
            await self._unproven(intent, actor, why)
        elif why != intent.error:
            await self.pen.note(intent, why)

    async def _look(self, intent: Intent, actor: Actor, over: float) -> tuple[Progress, str]:
        """Look for the proof; one that cannot be read is none."""
        assert intent.effect.save is not None  # noqa: S101 - as above
        missing = f"no newer file is complete in {intent.effect.save.path}"
        if over > _ENOUGH:
            return Progress.PENDING, missing
        try:
            return await actor.inspect(replace(intent.effect, former=intent.receipt)), missing
        except ActionError as error:
            return Progress.PENDING, str(error)

    async def _unproven(self, intent: Intent, actor: Actor, why: str) -> None:
        """Put the run's flag back, then end; a busy platform is asked again in the next turn."""
        try:
            await put_back(self.pen, actor, intent)
        except ActionError as error:
            if error.recoverable:
                raise
            why = f"{why}; {error}"
        await self.pen.end(intent, Phase.FAILED, why)

    async def undo(self, intent: Intent, actor: Actor) -> None:
        """Carry out a decided restore: nothing needs to be checked to give a flag back."""
        if await actor.recheck(intent.effect.run) is Recheck.GONE:
            await self.pen.end(intent, Phase.DROPPED, "the run is gone")
        elif await actor.inspect(intent.effect) is Progress.DONE:
            await self.pen.end(intent, Phase.VERIFIED, "")
        elif intent.phase is Phase.INTENDED:
            now = self.pen.clock.now()
            effect = replace(intent.effect, expires=now + EXPIRES, epoch=self.pen.epoch)
            receipt = await actor.begin(effect, now=now)
            await self.pen.move(intent, Phase.BEGUN, receipt=receipt.text)
        elif self.pen.clock.now() - intent.changed > _UNSEEN_STEPS * self.pace.step:
            await self.pen.end(intent, Phase.FAILED, "the platform shows no trace of it")


async def put_back(pen: Pen, actor: Actor, intent: Intent) -> str:
    """Restore what an intent has changed on a run that is still there; return the receipt."""
    now = pen.clock.now()
    effect = Effect(
        id=f"{intent.effect.id}/restore",
        case_id=intent.effect.case_id,
        run=intent.effect.run,
        verb=Verb.RESTORE,
        expires=now + EXPIRES,
        epoch=pen.epoch,
        member_ids=intent.effect.member_ids,
        limit=intent.effect.limit,
        requeueable=intent.effect.requeueable,
        former=intent.receipt,
        flag_only=intent.effect.verb is Verb.SAVE,
    )
    return (await actor.begin(effect, now=now)).text
