"""
Bringing delivered messages up to date as their cases move.

It is a courtesy: it holds nothing up, what fails is tried again a few times less often than a
notice, and a channel that cannot change what it sent is passed over.
"""

import logging
from asyncio import timeout
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Delivery, Notice
from reaper.domain.escalation.sequel import Sequel, sequel
from reaper.performers.letters import letter
from reaper.ports import Amending, Books, Clock, Notifier, NotifyError, People, Store
from reaper.ports.directories import known

_log = logging.getLogger(__name__)

#: Longest time for one message; wall seconds.
_PATIENCE: Final = 20.0

#: Messages changed in one turn: Slack takes about fifty a minute.
_MOST: Final = 20

#: Wait after a channel refused for now and did not say for how long; seconds.
_REST: Final = 60.0

#: Seconds before the first look in which cases may have closed unseen.
_BEFORE: Final = 86400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One message that was delivered, with the sequels of its notices by id."""

    channel: str
    notices: tuple[Notice, ...]
    sequels: Mapping[str, Sequel]

    @property
    def changed(self) -> bool:
        """Tell whether it no longer says how things stand."""
        return any(
            notice.told != self.sequels[notice.id].mark
            for notice in self.notices
            if notice.id in self.sequels
        )


@dataclass(slots=True, kw_only=True)
class Amender:
    """Changes what channels have delivered; `key` and `page` as for the first delivery."""

    store: Store
    clock: Clock
    epoch: int
    notifiers: Sequence[Notifier]
    people: Sequence[People]
    page: str = ""
    key: bytes = b""
    _seen: float | None = None
    """The turn that was looked at last."""
    _since: float | None = None
    """Since when cases may have closed whose messages say otherwise."""
    _rests: dict[str, float] = field(default_factory=dict)
    """Until when a channel is left in peace; monotonic seconds."""

    async def turn(self) -> int:
        """Change the messages that say less than is so; return how many."""
        able = {item.name: item for item in self.notifiers if isinstance(item, Amending)}
        now = self.clock.now()
        async with self.store.reading() as books:
            beat = await books.heartbeat()
            if not able or beat is None or beat == self._seen:
                return 0
            since = now - _BEFORE if self._since is None else self._since
            messages = await _messages(books, able.keys(), since, now)
        due = [item for item in messages if item.changed]
        ready = [item for item in due if not self._resting(item.channel)][:_MOST]
        done = sum([await self._amend(able[item.channel], item) for item in ready])
        if done == len(due):
            self._seen, self._since = beat, now
        return done

    async def _amend(self, channel: Amending, message: Told) -> bool:
        """Change one message, and note what it says now; True when nothing is left to do."""
        if self._resting(channel.name):
            return False
        person = await known(self.people, message.notices[0].to)
        try:
            if person is not None:
                written = letter(message.notices, person, key=self.key, page=self.page)
                async with timeout(_PATIENCE):
                    await channel.amend(written, message.sequels)
        except NotifyError as error:
            _log.warning("a message was not brought up to date: %s", error)
            if error.recoverable:
                self._rest(channel.name, error.retry_after)
                return False
        except TimeoutError:
            self._rest(channel.name, None)
            return False
        await self._note(message)
        return True

    def _resting(self, name: str) -> bool:
        return self.clock.elapsed() < self._rests.get(name, float("-inf"))

    def _rest(self, name: str, wait: float | None) -> None:
        self._rests[name] = self.clock.elapsed() + (_REST if wait is None else wait)

    async def _note(self, message: Told) -> None:
        """Write down what the message says now, on the notices as others have left them."""
        async with self.store.transaction(self.epoch) as books:
            for case_id in dict.fromkeys(notice.case_id for notice in message.notices):
                for notice in await books.notices(case_id):
                    if (now := message.sequels.get(notice.id)) is not None:
                        await books.keep_notice(replace(notice, told=now.mark))


@dataclass(slots=True, kw_only=True)
class _Files:
    """The cases whose messages may say less than is so, each read once."""

    books: Books
    cases: dict[str, Case]
    keeps: Sequence[Keep]
    read: dict[str, Sequence[Notice]] = field(default_factory=dict)

    async def notices(self, case_id: str) -> Sequence[Notice]:
        """Return the notices of a case."""
        if case_id not in self.read:
            self.read[case_id] = await self.books.notices(case_id)
        return self.read[case_id]

    async def case(self, notice: Notice) -> Case | None:
        """Return the case of a notice."""
        if notice.case_id not in self.cases:
            found = await self.books.cases_of(notice.run_key)
            self.cases.update({case.id: case for case in found})
        return self.cases.get(notice.case_id)


async def _messages(books: Books, channels: Iterable[str], since: float, now: float) -> list[Told]:
    """Return the messages of open and disputed cases, and of those that closed lately."""
    cases = {case.id: case for case in await books.open_cases()}
    cases.update({case.id: case for case in await books.disputed_cases()})
    recent = await books.cases_between(since, now + 1)
    cases.update({case.id: case for case in recent if case.closed is not None})
    files = _Files(books=books, cases=cases, keeps=await books.keeps(now))
    names = frozenset(channels)
    found: dict[tuple[str, str], Told] = {}
    for case_id in tuple(cases):
        for notice in await files.notices(case_id):
            place = (notice.channel, notice.handle)
            if _amendable(notice, names) and place not in found:
                found[place] = await _told(files, notice)
    return list(found.values())


def _amendable(notice: Notice, channels: frozenset[str]) -> bool:
    there = notice.delivery is Delivery.DELIVERED and bool(notice.handle)
    return there and notice.channel in channels


async def _told(files: _Files, first: Notice) -> Told:
    """Return the whole message that a notice came in, with what has become of each part of it."""
    place = (first.channel, first.handle)
    parts = [
        notice
        for case_id in dict.fromkeys((first.case_id, *first.together))
        for notice in await files.notices(case_id)
        if (notice.channel, notice.handle) == place
    ]
    sequels = {}
    for part in parts:
        case = await files.case(part)
        so = await _sequel(files, part, case) if case else None
        if so is not None:
            sequels[part.id] = so
    ordered = tuple(sorted(parts, key=lambda part: (part.created, part.id)))
    return Told(channel=first.channel, notices=ordered, sequels=sequels)


async def _sequel(files: _Files, notice: Notice, case: Case) -> Sequel | None:
    later = [other for other in await files.notices(case.id) if other.created > notice.created]
    mine = [keep for keep in files.keeps if keep.run_key == notice.run_key]
    return sequel(notice, case, mine, later)
