"""Delivering notices: one attempt at a time, each written down before and after."""

import logging
from asyncio import timeout
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reaper.board import Tally
from reaper.domain.escalation.notice import Delivery, Notice
from reaper.domain.escalation.token import LASTS, Token, signed
from reaper.ports import Clock, Letter, Notifier, NotifyError, People, Person, Store

_log = logging.getLogger(__name__)

#: Longest time for one attempt on one channel; wall seconds.
_PATIENCE: Final = 20.0

#: Waits after the first, second … attempt that may succeed later; seconds.
_BACKOFF: Final = (15.0, 60.0, 300.0, 900.0)

#: Wait before a notice of unknown fate is sent once more; seconds.
_AMBIGUOUS_WAIT: Final = 300.0


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

    async def turn(self) -> int:
        """Try every notice that is due once; return how many were delivered."""
        async with self.store.reading() as books:
            queued = await books.outbox()
        now = self.clock.now()
        due = [item for item in queued if item.retry_at is None or item.retry_at <= now]
        return sum([await self._deliver(notice) for notice in due])

    async def _deliver(self, notice: Notice) -> bool:
        begun = await self._begin(notice)
        if begun is None:
            return False
        person = await self._person(notice.to)
        if person is None:
            await self._write(self._later(begun, f"nobody is known behind user {notice.to!r}"))
            return False
        done = await self._over_channels(begun, person)
        await self._write(done)
        self.tally.add(f"notices:{done.channel}:{done.delivery}")
        return done.delivery is Delivery.DELIVERED

    async def _begin(self, notice: Notice) -> Notice | None:
        """Write down that an attempt begins; None when nobody needs it any more."""
        async with self.store.transaction(self.epoch) as books:
            if notice.kind in ("warning", "final"):
                cases = {case.id: case for case in await books.cases_of(notice.run_key)}
                case = cases.get(notice.case_id)
                if case is None or case.closed is not None:
                    over = replace(notice, delivery=Delivery.FAILED, error="its case is closed")
                    await books.keep_notice(over)
                    return None
            unknown = notice.attempts > 0 and notice.retry_at is None
            ambiguous = notice.delivery is Delivery.AMBIGUOUS
            begun = replace(
                notice,
                attempts=notice.attempts + 1,
                retry_at=None,
                repeats=notice.repeats or unknown or ambiguous,
            )
            await books.keep_notice(begun)
            return begun

    async def _person(self, user: str) -> Person | None:
        for people in self.people:
            person = await people.person(user)
            if person is not None:
                return person
        return None

    async def _over_channels(self, notice: Notice, person: Person) -> Notice:
        """Try the personal channels in order, then the others; the first that takes it wins."""
        letter = self._letter(notice, person)
        errors: list[str] = []
        wait: float | None = None
        for notifier in sorted(self.notifiers, key=lambda item: not item.personal):
            try:
                async with timeout(_PATIENCE):
                    proof = await notifier.deliver(letter)
            except NotifyError as error:
                if error.ambiguous:
                    return self._ambiguous(notice, notifier, str(error))
                errors.append(f"{notifier.name}: {error}")
                if error.recoverable:
                    wait = min(wait or _BACKOFF[-1], error.retry_after or self._backoff(notice))
            except TimeoutError:
                return self._ambiguous(notice, notifier, f"no answer within {_PATIENCE:g} s")
            except Exception as error:  # noqa: BLE001 - a channel that breaks must not stop the others
                _log.exception("%s failed unexpectedly", notifier.name)
                errors.append(f"{notifier.name}: {error!r}")
            else:
                done = notice.delivered(
                    channel=notifier.name,
                    at=proof.at,
                    personal=notifier.personal,
                    handle=proof.handle,
                )
                return self._kept_open(done, errors, wait)
        return self._later(notice, "; ".join(errors) or "no channel is configured", wait)

    def _letter(self, notice: Notice, person: Person) -> Letter:
        tokens = {notice.id: signed(self._token(notice), self.key)} if self.key else {}
        return Letter(notices=(notice,), person=person, tokens=tokens, page=self.page)

    def _token(self, notice: Notice) -> Token:
        return Token(
            notice_id=notice.id,
            run_key=notice.run_key,
            user=notice.to,
            expires=notice.created + LASTS,
        )

    def _kept_open(self, done: Notice, errors: list[str], wait: float | None) -> Notice:
        """A warning that only reached an impersonal channel is tried again on the personal ones."""
        if done.personal or wait is None:
            return replace(done, error="; ".join(errors))
        return self._later(replace(done, delivery=Delivery.QUEUED), "; ".join(errors), wait)

    def _later(self, notice: Notice, error: str, wait: float | None = None) -> Notice:
        at = self.clock.now() + (wait if wait is not None else _BACKOFF[-1])
        return replace(notice, delivery=Delivery.QUEUED, error=error, retry_at=at)

    def _ambiguous(self, notice: Notice, notifier: Notifier, error: str) -> Notice:
        return replace(
            notice,
            delivery=Delivery.AMBIGUOUS,
            channel=notifier.name,
            error=error,
            retry_at=self.clock.now() + _AMBIGUOUS_WAIT,
        )

    def _backoff(self, notice: Notice) -> float:
        return _BACKOFF[min(notice.attempts, len(_BACKOFF)) - 1]

    async def _write(self, notice: Notice) -> None:
        async with self.store.transaction(self.epoch) as books:
            await books.keep_notice(notice)
