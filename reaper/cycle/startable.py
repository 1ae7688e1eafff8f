"""What could start where an allocation is, told once for all allocations of one shape."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.demand import Request, could_start


@dataclass(slots=True)
class Startable:
    """Answers of one turn, by partition, model and GPUs."""

    _known: dict[tuple[str, str, int], tuple[Request, ...]] = field(default_factory=dict)

    def of(self, waiting: Sequence[Request], allocation: Allocation) -> tuple[Request, ...]:
        """Return what of the `waiting` could start on an allocation's GPUs."""
        shape = allocation.claim.partition, allocation.model, allocation.expected
        if shape not in self._known:
            partition, model, gpus = shape
            self._known[shape] = could_start(
                waiting, partitions=(partition,), model=model, gpus=gpus
            )
        return self._known[shape]
