"""Tenures and capacity that have not ended, as written last, and of what all is told."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from reaper.domain.facts.allocation import Allocation, Run
from reaper.domain.money.entries import CapacitySpan, Tenure


@dataclass(slots=True)
class Held:
    """
    Open tenures by run key and device, and the open spans of capacity.

    Of a run whose start-up is over, and whose allocation stays as it is, there is nothing new to
    say: it goes on.  So does capacity while the same is said of it.
    """

    by_run: dict[str, dict[str, Tenure]] = field(default_factory=dict)
    spans: tuple[CapacitySpan, ...] = ()
    _told: dict[str, Allocation] = field(default_factory=dict)
    _spanned: tuple[object, bool] = (None, False)

    @classmethod
    def of(cls, tenures: Iterable[Tenure], spans: Iterable[CapacitySpan] = ()) -> "Held":
        """Return what a store holds open."""
        found = cls(spans=tuple(spans))
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

    def spans_stay(self, words: object, *, silent: bool) -> bool:
        """Tell whether the open spans are what these very words of the cluster come to."""
        told, was_silent = self._spanned
        return told is words and was_silent == silent

    def span(self, changed: Sequence[CapacitySpan], words: object, *, silent: bool) -> None:
        """Take over the spans that are new or ended by some words of the cluster."""
        over = {_place(span) for span in changed if span.end is not None}
        going = [span for span in self.spans if _place(span) not in over] if over else self.spans
        self.spans = (*going, *(span for span in changed if span.end is None))
        self._spanned = words, silent

    def _tell(self, allocation: Allocation) -> None:
        key = allocation.run.key
        tenures = self.by_run.get(key, {}).values()
        if tenures and all(tenure.startup_until is not None for tenure in tenures):
            self._told[key] = allocation
        else:
            self._told.pop(key, None)


def _place(span: CapacitySpan) -> tuple[str, str, str, float]:
    return span.node, span.model, span.state, span.begin


def holds_alike(before: Allocation, after: Allocation) -> bool:
    """Tell whether both hold the same devices by the same words, as surely."""
    return before is after or (
        before.claim == after.claim
        and before.devices == after.devices
        and before.front == after.front
        and before.doubt == after.doubt
        and before.contested == after.contested
    )
