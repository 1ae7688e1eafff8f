"""Writing down how far an intent has come, before anything else is done with it."""

import logging
from dataclasses import dataclass, field, replace

from reaper.board import Tally
from reaper.domain.escalation.decision import Intent, Phase
from reaper.domain.reason import Words
from reaper.ports import Clock, Store

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """Writes intents under one leader's epoch."""

    store: Store
    clock: Clock
    epoch: int
    tally: Tally = field(default_factory=Tally)

    async def move(self, intent: Intent, phase: Phase, receipt: str = "") -> Intent:
        """Write that an intent has come to a phase, with what the platform answered."""
        moved = replace(
            intent,
            phase=phase,
            changed=self.clock.now(),
            receipt=receipt or intent.receipt,
            error="",
        )
        await self.write(moved)
        self.tally.add(f"acts:{phase}")
        return moved

    async def end(self, intent: Intent, phase: Phase, error: Words) -> None:
        """Write an intent's outcome, and why."""
        await self.write(replace(intent, phase=phase, changed=self.clock.now(), error=error))
        self.tally.add(f"acts:{phase}")

    async def note(self, intent: Intent, error: Words) -> None:
        """Write what went wrong in one attempt; the intent stays where it is."""
        await self.write(replace(intent, error=error))

    async def write(self, intent: Intent) -> None:
        """Write an intent as it is."""
        _log.info("%s: %s %s", intent.effect.id, intent.phase, intent.error or intent.receipt)
        async with self.store.transaction(self.epoch) as books:
            await books.keep_intent(intent)
