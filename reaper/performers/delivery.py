"""Delivering notices: one attempt at a time, each written down before and after."""

import logging
from asyncio import timeout
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reaper.board import Tally
from reaper.domain.escalation.notice import Delivery, Notice, Trial
from reaper.domain.escalation.token import LASTS, Token, signed
from reaper.performers.returns import Returns
from reaper.ports import Clock, Delivered, Letter, Notifier, NotifyError, People, Person, Store

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
        """Try the personal channels in the person's order, then the others, until one takes it."""
        letter = self._letter(notice, person)
        errors: list[str] = []
        wait: float | None = None
        channels = order(self.notifiers, person, notice)
        for notifier in channels:
            answer = await self._attempt(notifier, letter)
            if isinstance(answer, Delivered):
                done = self._tried(notice, notifier, Delivery.DELIVERED).delivered(
                    channel=notifier.name,
                    at=answer.at,
                    personal=notifier.personal,
                    handle=answer.handle,
                )
                return self._kept_open(await self._beside(done, letter), errors, wait)
            if answer.ambiguous:
                tried = self._tried(notice, notifier, Delivery.AMBIGUOUS, str(answer))
                return self._ambiguous(tried, notifier, str(answer))
            notice = self._tried(notice, notifier, Delivery.FAILED, str(answer))
            errors.append(f"{notifier.name}: {answer}")
            if answer.recoverable:
                wait = min(wait or _BACKOFF[-1], answer.retry_after or self._backoff(notice))
        if not channels and notice.trials:
            return replace(notice, delivery=Delivery.FAILED)
        return self._later(notice, "; ".join(errors) or "no channel is configured", wait)

    async def _attempt(self, notifier: Notifier, letter: Letter) -> Delivered | NotifyError:
        """Ask one channel once; whatever goes wrong there is an answer too."""
        try:
            async with timeout(_PATIENCE):
                return await notifier.deliver(letter)
        except NotifyError as error:
            return error
        except TimeoutError:
            text = f"no answer within {_PATIENCE:g} s"
            return NotifyError(text, recoverable=False, ambiguous=True)
        except Exception as error:  # noqa: BLE001 - a channel that breaks must not stop the others
            _log.exception("%s failed unexpectedly", notifier.name)
            return NotifyError(repr(error), recoverable=False)

    async def _beside(self, notice: Notice, letter: Letter) -> Notice:
        """Show it once more on the channels that go beside the one that took it."""
        for notifier in self.notifiers:
            if notifier.name == notice.channel or not getattr(notifier, "beside", False):
                continue
            answer = await self._attempt(notifier, letter)
            went = isinstance(answer, Delivered)
            fate = Delivery.DELIVERED if went else Delivery.FAILED
            notice = self._tried(notice, notifier, fate, "" if went else str(answer))
        return notice

    def _tried(self, notice: Notice, notifier: Notifier, fate: Delivery, error: str = "") -> Notice:
        return notice.tried(
            Trial(channel=notifier.name, delivery=fate, at=self.clock.now(), error=error)
        )

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


def order(notifiers: Sequence[Notifier], person: Person, notice: Notice) -> list[Notifier]:
    """
    Return the channels to try for a notice: personal ones in the person's order, then the others.

    Where a person names channels, no other personal one is tried.  A channel that brought the
    notice back is not tried again, nor one that is not personal and has shown it.
    """
    named = {name: place for place, name in enumerate(person.channels)}
    fits = [item for item in notifiers if not (item.personal and named) or item.name in named]
    over = {True: (Delivery.RETURNED,), False: (Delivery.RETURNED, Delivery.DELIVERED)}
    left = [item for item in fits if notice.fate(item.name) not in over[item.personal]]
    return sorted(left, key=lambda item: (not item.personal, named.get(item.name, len(named))))
