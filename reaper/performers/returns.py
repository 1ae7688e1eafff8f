"""What a channel brings back: a notice that came back never counts, and others are tried."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reaper.board import Tally
from reaper.domain.escalation.notice import Delivery, Notice
from reaper.ports import Clock, Notifier, NotifyError, Returning, Store

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Returns:
    """Asks the channels what came back, and takes its delivery from each such notice."""

    store: Store
    clock: Clock
    epoch: int
    notifiers: Sequence[Notifier]
    tally: Tally = field(default_factory=Tally)

    async def turn(self) -> int:
        """Ask every channel that can tell; return how many notices came back."""
        back: dict[tuple[str, str], str] = {}
        for notifier in self.notifiers:
            if isinstance(notifier, Returning):
                back |= await self._ask(notifier)
        return await self._take(back) if back else 0

    async def _ask(self, notifier: Returning) -> Mapping[tuple[str, str], str]:
        try:
            found = await notifier.returned()
        except NotifyError as error:
            _log.warning("what came back is not known: %s", error)
            return {}
        return {(notifier.name, one.handle): one.why for one in found}

    async def _take(self, back: Mapping[tuple[str, str], str]) -> int:
        """Write down what came back; only notices of open cases can still matter."""
        async with self.store.transaction(self.epoch) as books:
            cases = await books.open_cases()
            notices = [one for case in cases for one in await books.notices(case.id)]
            found = [one for one in notices if _came_back(one, back)]
            for notice in found:
                why = back[notice.channel, notice.handle]
                await books.keep_notice(notice.returned(at=self.clock.now(), why=why))
                self.tally.add(f"notices:{notice.channel}:{Delivery.RETURNED}")
        return len(found)


def _came_back(notice: Notice, back: Mapping[tuple[str, str], str]) -> bool:
    taken = notice.delivery is Delivery.DELIVERED
    return taken and (notice.channel, notice.handle) in back
