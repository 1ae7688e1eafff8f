"""The figures of closed weeks in memory."""

from collections.abc import Sequence

from reaper.domain.money.closing import Closed, Closing, Handover
from reaper.store.memory.shelves import Shelves


class Closings:
    """The closings on one branch of the shelves."""

    def __init__(self, shelves: Shelves) -> None:
        self._shelves = shelves

    async def closings(self, zone: str, begin: float, end: float) -> Sequence[Closing]:
        """Return every closing of the weeks that begin in ``[begin, end)``, oldest first."""
        found = (
            closing
            for closing in self._shelves.closings.values()
            if closing.zone == zone and begin <= closing.asked[0] < end
        )
        return sorted(found, key=lambda one: (one.asked[0], one.version))

    async def closed_week(self, zone: str, week: str) -> Closed | None:
        """Return the newest closing of a week with its figures; None before it was closed."""
        return self._shelves.weeks.get((zone, week))

    async def keep_closed(self, closed: Closed) -> None:
        """Write a closing; its figures replace the week's earlier ones, whose totals stay."""
        head = closed.closing
        self._shelves.closings.put({(head.zone, head.week, head.version): head})
        self._shelves.weeks.put({(head.zone, head.week): closed})

    async def handed_over(self, zone: str, week: str) -> frozenset[Handover]:
        """Return to whom which version of a week's report went."""
        found = self._shelves.handovers.values()
        return frozenset(one for one in found if (one.zone, one.week) == (zone, week))

    async def keep_handover(self, handover: Handover) -> None:
        """Note that a version of a week's report went to a recipient."""
        key = (handover.zone, handover.week, handover.version, handover.recipient)
        self._shelves.handovers.put({key: handover})
