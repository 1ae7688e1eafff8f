"""
Handing reports over: of each closed week, every version once to every recipient that wants it.

What reaches people's inboxes goes to each of them once a week, never again because a week was
restated: the next report lists what moved.  What may have arrived is sent once more, no further.
"""

import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from reaper.app.books.bookkeeping import RESTATED, recent
from reaper.domain.money.closing import Closing, Handover
from reaper.ports import Books, Clock, NotifyError, ReaperError, Store
from reaper.reports.past import of_week
from reaper.reports.week import Context, WeekReport

_log = logging.getLogger(__name__)

_WEEK: Final = 7 * 86400.0

#: Seconds until what was not taken is offered again.
_PATIENCE: Final = 900.0

#: Seconds after a week's first closing for which its report is news to people.
NEWS: Final = 2 * _WEEK


class Recipient(Protocol):
    """Takes reports; `name` is by what it is remembered."""

    @property
    def name(self) -> str:
        """Return its name, the same after a restart."""

    @property
    def once(self) -> bool:
        """Tell whether it gets a week but once, and only while it is news."""

    async def take(self, report: WeekReport) -> bool:
        """
        Take a report, whole; False when nothing of it is for them.

        Raises OSError or ReaperError where that fails.
        """


Further = Callable[[], Awaitable[Sequence[Recipient]]]
"""Recipients that are looked up each time; raises ReaperError."""


async def nobody() -> Sequence[Recipient]:
    """Return no further recipient."""
    return ()


@dataclass(slots=True, kw_only=True)
class Clerk:
    """Hands the reports of closed weeks over."""

    store: Store
    clock: Clock
    epoch: int
    context: Context
    recipients: tuple[Recipient, ...]
    further: Further = nobody
    _due: float = field(default=float("-inf"), init=False)
    _unclear: set[tuple[str, int, str]] = field(default_factory=set, init=False)
    """Week, version and recipient of what may have arrived."""
    _nothing: set[tuple[str, int, str]] = field(default_factory=set, init=False)
    """Week, version and recipient of what held nothing for them."""

    def again(self) -> None:
        """Look again at the next turn: there is a new closing."""
        self._due = float("-inf")

    async def turn(self) -> int:
        """
        Hand over what was not yet; return how many reports.

        What a recipient could not take is tried again later, and keeps no other from its own.
        """
        now, zone = self.clock.now(), self.context.zone_name
        elapsed = self.clock.elapsed()
        if elapsed < self._due:
            return 0
        self._due = elapsed + _PATIENCE
        recipients = (*self.recipients, *await self._further())
        if not recipients:
            return 0
        async with self.store.reading() as books:
            heads = await books.closings(zone, now - (RESTATED + 3) * _WEEK, now)
        old = {head.week for head in _first(heads) if head.as_of <= now - NEWS}
        handed = 0
        for head in recent(heads, now):
            for recipient in recipients:
                if not (recipient.once and head.week in old):
                    handed += await self._hand(head, recipient, now)
        return handed

    async def _further(self) -> Sequence[Recipient]:
        try:
            return await self.further()
        except ReaperError as error:
            _log.error("who leads a team is not known, their reports wait: %s", error)
            return ()

    async def _hand(self, head: Closing, recipient: Recipient, now: float) -> int:
        sent = head.week, head.version, recipient.name
        async with self.store.reading() as books:
            if sent in self._nothing or await _has(books, head, recipient):
                return 0
            report = await of_week(books, self.context, head.week, now=now)
        said = "the report of %s went to %s"
        try:
            if not await recipient.take(report):
                self._nothing.add(sent)
                _log.info("nothing of %s is for %s", head.name, recipient.name)
                return 0
        except (OSError, ReaperError) as error:
            _log.error("the report of %s did not go to %s: %s", head.name, recipient.name, error)
            if not self._enough(sent, error):
                return 0
            said = "the report of %s may have reached %s: it is left there"
        await self._remember(head, recipient, now)
        _log.info(said, head.name, recipient.name)
        return 1

    async def _remember(self, head: Closing, recipient: Recipient, now: float) -> None:
        done = Handover(
            zone=head.zone,
            week=head.week,
            version=head.version,
            recipient=recipient.name,
            at=now,
        )
        async with self.store.transaction(self.epoch) as books:
            await books.keep_handover(done)

    def _enough(self, sent: tuple[str, int, str], error: Exception) -> bool:
        """Tell whether what may have arrived was sent once more already: then it is left there."""
        if not (isinstance(error, NotifyError) and error.ambiguous):
            return False
        again = sent in self._unclear
        self._unclear ^= {sent}
        return again


async def _has(books: Books, head: Closing, recipient: Recipient) -> bool:
    known = await books.handed_over(head.zone, head.week)
    versions = {one.version for one in known if one.recipient == recipient.name}
    return bool(versions) if recipient.once else head.version in versions


def _first(heads: Sequence[Closing]) -> Iterator[Closing]:
    """Yield the first closing of each week."""
    seen: dict[str, Closing] = {}
    for head in sorted(heads, key=lambda one: one.version):
        seen.setdefault(head.week, head)
    yield from seen.values()
