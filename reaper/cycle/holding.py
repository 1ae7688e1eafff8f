"""The tenures that have not ended, as they were written last, and the runs of which all is told."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reaper.domain.facts.allocation import Allocation, Run
from reaper.domain.money.entries import Tenure


@dataclass(slots=True)
class Held:
    """
    Open tenures by run key and device.

    Of a run whose start-up is over, and whose allocation stays as it is, there is nothing new to
    say: it goes on.
    """

    by_run: dict[str, dict[str, Tenure]] = field(default_factory=dict)
    _told: dict[str, Allocation] = field(default_factory=dict)

    @classmethod
    def of(cls, tenures: Iterable[Tenure]) -> "Held":
        """Return what a store holds open."""
        found = cls()
        found.take(tenures, ())
        return found

    def runs(self) -> Iterator[Run]:
        """Yield the runs of the open tenures."""
        return (next(iter(known.values())).run for known in self.by_run.values())

    def goes_on(self, allocation: Allocation) -> bool:
        """Tell whether all is told of an allocation."""
        before = self._told.get(allocation.run.key)
        if before is None or not holds_alike(before, allocation):
            return False
        return before.purpose == allocation.purpose

    def take(self, changed: Iterable[Tenure], allocations: Iterable[Allocation]) -> None:
        """Take over what was written, and the allocations of which it was."""
        for tenure in changed:
            key = tenure.run.key
            if tenure.end is None:
                self.by_run.setdefault(key, {})[tenure.gpu] = tenure
            elif self.by_run.get(key, {}).pop(tenure.gpu, None) and not self.by_run[key]:
                del self.by_run[key]
                self._told.pop(key, None)
        for allocation in allocations:
            if self._told.get(allocation.run.key) is not allocation:
                self._tell(allocation)

    def _tell(self, allocation: Allocation) -> None:
        key = allocation.run.key
        tenures = self.by_run.get(key, {}).values()
        if tenures and all(tenure.startup_until is not None for tenure in tenures):
            self._told[key] = allocation
        else:
            self._told.pop(key, None)


def holds_alike(before: Allocation, after: Allocation) -> bool:
    """Tell whether both hold the same devices by the same words, as surely."""
    return before is after or (
        before.claim == after.claim
        and before.devices == after.devices
        and before.front == after.front
        and before.doubt == after.doubt
        and before.contested == after.contested
    )
