"""Delivering notices: one attempt at a time, each written down before and after."""

import logging
from asyncio import timeout
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

from reaper.board import Tally
from reaper.domain.escalation.notice import Delivery, Notice, Trial
from reaper.domain.escalation.sequel import WARNINGS
from reaper.performers.asking import DAY, asked
from reaper.performers.channels import fitting, order
from reaper.performers.letters import Batch, batches, letter
from reaper.performers.returns import Returns
from reaper.ports import (
    Clock,
    Delivered,
    Letter,
    Notifier,
    NotifyError,
    People,
    Person,
    SourceError,
    Store,
)
from reaper.ports.directories import known

_log = logging.getLogger(__name__)

#: Longest time for one attempt on one channel; wall seconds.
_PATIENCE: Final = 20.0

#: Waits after the first, second … attempt that may succeed later; seconds.
_BACKOFF: Final = (15.0, 60.0, 300.0, 900.0)

#: A warning is tried as often as this on the day on which it is told, whenever that was: of two
#: that wait for a channel the later one does not arrive first.  Seconds.
_AGAIN: Final = 60.0

#: Letters that failed before and are tried again at a time; the others follow once one arrives.
PROBES: Final = 10
LATE: Final = ""

#: Letters of advice in one turn, after all others: it is in no hurry, and keeps none waiting.
CALMLY: Final = 20

#: To whom operators' notices go: whoever reads the channels that are nobody's own.
OPERATORS: Final = Person(user="", name="operators")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deliverer:
    """Delivers what is queued, over the personal channels first."""

    store: Store
    clock: Clock
    epoch: int
    notifiers: Sequence[Notifier]
    people: Sequence[People]
    page: str = ""
    """The address of the pages as people reach them, with its last slash; "" where none is."""
    key: bytes = b""
    """Signs the right to answer; without it no answer is offered."""
    tally: Tally = field(default_factory=Tally)
    rests: dict[str, float] = field(default_factory=dict)
    """Until when a channel is left in peace, as it asked; monotonic seconds by its name.

    By `LATE` until when nothing that failed before is tried again, for many did at once.
    """

    async def turn(self) -> int:
        """Take back what came back, try every notice due once; return how many were delivered."""
        await Returns(
            store=self.store,
            clock=self.clock,
            epoch=self.epoch,
            notifiers=self.notifiers,
            tally=self.tally,
        ).turn()
        async with self.store.reading() as books:
            queued = await books.outbox()
        now = self.clock.now()
        due = [item for item in queued if item.due(now)]
        letters = batches(due)
        calm = [batch for batch in letters if _advises(batch)]
        urgent = [batch for batch in letters if not _advises(batch)]
        fresh = [batch for batch in urgent if not batch[0].attempts]
        late = sorted((batch for batch in urgent if batch[0].attempts), key=_tried_last)
        done = [await self._deliver(batch) for batch in fresh]
        done += [await self._again(late)]
        done += [await self._deliver(batch) for batch in calm[:CALMLY]]
        return sum(done)

    async def _again(self, late: Sequence[Batch]) -> int:
        """
        Try letters that failed before; return how many notices were delivered.

        A few of them, the longest untried first, show whether their channels are back.
        """
        if not late or self.clock.elapsed() < self.rests.get(LATE, -inf):
            return 0
        done = sum([await self._deliver(batch) for batch in late[:PROBES]])
        if done or len(late) <= PROBES:
            return done + sum([await self._deliver(batch) for batch in late[PROBES:]])
        self.rests[LATE] = self.clock.elapsed() + _AGAIN - 1
        return done

    async def _deliver(self, batch: Batch) -> int:
        """Try one letter's notices once; return how many were delivered."""
        tried = [await self._begin(notice) for notice in batch]
        begun = tuple(notice for notice in tried if notice is not None)
        if not begun:
            return 0
        operators = begun[0].kind == "operator"
        try:
            person = OPERATORS if operators else await known(self.people, begun[0].to)
        except SourceError as error:
            later = [self._later(item, str(error), self._backoff(item)) for item in begun]
            await self._write(later)
            return 0
        if person is None:
            nobody = f"nobody is known behind user {begun[0].to!r}"
            await self._write([self._later(notice, nobody) for notice in begun])
            return 0
        done = await self._over_channels(begun, person)
        await self._write(done)
        for notice in done:
            self.tally.add(f"notices:{notice.channel}:{notice.delivery}")
        return sum(notice.delivery is Delivery.DELIVERED for notice in done)

    async def _begin(self, notice: Notice) -> Notice | None:
        """Write down that an attempt begins; None when nobody needs it now, or any more."""
        async with self.store.transaction(self.epoch) as books:
            now = self.clock.now()
            found = await asked(books, notice, now)
            if found.over:
                await books.keep_notice(replace(notice, delivery=Delivery.FAILED, error=found.over))
                return None
            unknown = notice.attempts > 0 and notice.retry_at is None
            ambiguous = notice.delivery is Delivery.AMBIGUOUS
            tried = replace(notice, repeats=notice.repeats or unknown or ambiguous)
            if found.later:
                waits = replace(tried, error=found.later, retry_at=now + _BACKOFF[0])
                await books.keep_notice(waits)
                return None
            begun = replace(tried, story=found.story, attempts=notice.attempts + 1, retry_at=None)
            await books.keep_notice(begun)
            return begun

    async def _over_channels(self, batch: Batch, person: Person) -> Batch:
        """Try the personal channels in the person's order, then the others, until one takes it."""
        written = letter(batch, person, key=self.key, page=self.page)
        errors: list[str] = []
        wait: float | None = None
        channels = order(self.notifiers, person, batch[0])
        for notifier in channels:
            answer = self._resting(notifier) or await self._attempt(notifier, written)
            if isinstance(answer, Delivered):
                taken = self._taken(batch, notifier, answer)
                shown = await self._beside(taken, written)
                return tuple(self._kept_open(notice, errors, wait) for notice in shown)
            text = str(answer)
            if answer.ambiguous and notifier.personal:
                tried = self._tried(batch, notifier, Delivery.AMBIGUOUS, text)
                return tuple(self._ambiguous(notice, notifier, text) for notice in tried)
            batch = self._tried(batch, notifier, Delivery.FAILED, text)
            errors.append(f"{notifier.name}: {text}")
            if answer.recoverable:
                again = answer.retry_after or self._backoff(batch[0])
                wait = min(wait or _BACKOFF[-1], again)
        if not channels and (batch[0].trials or person is OPERATORS):
            return tuple(replace(notice, delivery=Delivery.FAILED) for notice in batch)
        why = "; ".join(errors) or "no channel is configured"
        return tuple(self._later(notice, why, wait) for notice in batch)

    def _taken(self, batch: Batch, notifier: Notifier, proof: Delivered) -> Batch:
        """Return the notices as one channel took them, each with what came in the same message."""
        tried = self._tried(batch, notifier, Delivery.DELIVERED)
        return tuple(
            replace(
                notice.delivered(
                    channel=notifier.name,
                    at=proof.at,
                    personal=notifier.personal,
                    handle=proof.handle,
                ),
                together=_together(notice, batch),
            )
            for notice in tried
        )

    def _resting(self, notifier: Notifier) -> NotifyError | None:
        """Return why a channel is left in peace: it said for how long, and means every message."""
        left = self.rests.get(notifier.name, float("-inf")) - self.clock.elapsed()
        if left <= 0:
            return None
        text = f"{notifier.name}: asked to be left in peace for {left:.0f} s more"
        return NotifyError(text, recoverable=True, retry_after=left)

    async def _attempt(self, notifier: Notifier, letter: Letter) -> Delivered | NotifyError:
        """Ask one channel once; whatever goes wrong there is an answer too."""
        try:
            async with timeout(_PATIENCE):
                return await notifier.deliver(letter)
        except NotifyError as error:
            if error.retry_after is not None:
                self.rests[notifier.name] = self.clock.elapsed() + error.retry_after
            return error
        except TimeoutError:
            text = f"no answer within {_PATIENCE:g} s"
            return NotifyError(text, recoverable=False, ambiguous=True)
        except Exception as error:  # noqa: BLE001 - a channel that breaks must not stop the others
            _log.exception("%s failed unexpectedly", notifier.name)
            return NotifyError(repr(error), recoverable=False)

    async def _beside(self, batch: Batch, written: Letter) -> Batch:
        """Show it once more on the channels that go beside the one that took it."""
        for notifier in fitting(self.notifiers, batch[0]):
            if notifier.name == batch[0].channel or not getattr(notifier, "beside", False):
                continue
            answer = await self._attempt(notifier, written)
            went = isinstance(answer, Delivered)
            fate = Delivery.DELIVERED if went else Delivery.FAILED
            batch = self._tried(batch, notifier, fate, "" if went else str(answer))
        return batch

    def _tried(self, batch: Batch, notifier: Notifier, fate: Delivery, error: str = "") -> Batch:
        trial = Trial(channel=notifier.name, delivery=fate, at=self.clock.now(), error=error)
        return tuple(notice.tried(trial) for notice in batch)

    def _kept_open(self, done: Notice, errors: list[str], wait: float | None) -> Notice:
        """A warning that only reached an impersonal channel is tried again on the personal ones."""
        if done.personal or wait is None:
            return replace(done, error="; ".join(errors))
        return self._later(replace(done, delivery=Delivery.QUEUED), "; ".join(errors), wait)

    def _later(self, notice: Notice, error: str, wait: float | None = None) -> Notice:
        at = self.clock.now() + (wait if wait is not None else _BACKOFF[-1])
        return replace(notice, delivery=Delivery.QUEUED, error=error, retry_at=at)

    def _ambiguous(self, notice: Notice, notifier: Notifier, error: str) -> Notice:
        """Nobody knows: it may arrive each time, so that it is repeated less and less often."""
        return replace(
            notice,
            delivery=Delivery.AMBIGUOUS,
            channel=notifier.name,
            error=error,
            retry_at=self.clock.now() + notice.unsure_for,
        )

    def _backoff(self, notice: Notice) -> float:
        wait = _BACKOFF[min(notice.attempts, len(_BACKOFF)) - 1]
        today = notice.kind in WARNINGS and self.clock.now() - notice.created < DAY
        return min(wait, _AGAIN) if today else wait

    async def _write(self, notices: Iterable[Notice]) -> None:
        async with self.store.transaction(self.epoch) as books:
            for notice in notices:
                await books.keep_notice(notice)


def _advises(batch: Batch) -> bool:
    return batch[0].kind == "advice"


def _tried_last(batch: Batch) -> float:
    return min((notice.retry_at or 0.0 for notice in batch), default=0.0)


def _together(notice: Notice, batch: Batch) -> tuple[str, ...]:
    """Return the other cases of a letter, by which it is brought up to date; advice is not."""
    others = () if _advises(batch) else batch
    return tuple(item.case_id for item in others if item.id != notice.id)
