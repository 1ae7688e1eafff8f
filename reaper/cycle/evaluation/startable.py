"""What could start where an allocation is, told once for all allocations of one shape."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.demand import Request, could_start

_Shape = tuple[str, str, tuple[tuple[str, int], ...], str]


@dataclass(slots=True)
class Startable:
    """Answers of one turn, by partition, model, GPUs on each node and reservation."""

    _known: dict[_Shape, tuple[Request, ...]] = field(default_factory=dict)
    _named: frozenset[str] | None = None
    """The nodes that requests name: all others are alike."""

    def of(self, waiting: Sequence[Request], allocation: Allocation) -> tuple[Request, ...]:
        """Return what of the `waiting` could start on an allocation's GPUs."""
        if self._named is None:
            self._named = frozenset(
                node
                for request in waiting
                for node in (*request.nodes, *request.avoids, *request.only)
            )
        claim = allocation.claim
        counts = sorted(Counter(place.node for place in claim.places).items())
        freed = tuple(
            (node if node in self._named else f"#{place}", gpus)
            for place, (node, gpus) in enumerate(counts)
        )
        shape = claim.partition, allocation.model, freed, claim.reserved
        if shape not in self._known:
            self._known[shape] = could_start(
                waiting,
                partitions=(claim.partition,),
                model=allocation.model,
                freed=dict(freed),
                reserved=claim.reserved,
            )
        return self._known[shape]
