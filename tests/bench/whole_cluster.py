"""
A large cluster as its nodes and its scheduler tell it, minute by minute: a realistic mix.

Nodes of eight GPUs with four allocations in ten places: three in ten are people's, one in ten
idles, one node in fifteen shares a GPU among two, and one in twenty is cut into MIG instances.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from reaper.domain.facts.allocation import Capacity, Claim
from reaper.domain.facts.demand import Request, Waiting
from reaper.domain.facts.track import Track
from reaper.ports import Claims
from tests.bench.drawn_node import BEGAN, CARDS, DrawnNode

_CHURN = 50


@dataclass(slots=True)
class DrawnCluster:
    """So many nodes, and what waits."""

    gpus: int
    nodes: tuple[DrawnNode, ...] = ()
    claimed: tuple[tuple[Claim, ...], ...] = ()
    """By node."""
    capacities: tuple[Capacity, ...] = field(default=())

    def __post_init__(self) -> None:
        self.nodes = tuple(DrawnNode(number) for number in range(self.gpus // CARDS))
        self.claimed = tuple(tuple(node.claims()) for node in self.nodes)
        self.capacities = tuple(
            Capacity(node=node.name, gpus=CARDS, model="h100", partitions=("batch", "interactive"))
            for node in self.nodes
        )

    def tracks(self, first: int, end: int) -> Iterator[tuple[str, Track]]:
        """Yield what a reaper that ran all the time knows of each device."""
        for node in self.nodes:
            for device, letter in zip(node.devices, node.letters(), strict=True):
                before = "AL" if letter == "A" else letter
                letters = (before * (end - first))[: end - first]
                yield device.gpu, Track(start=first, letters=letters)

    def churn(self, turn: int, at: float) -> None:
        """Let the runs on one node in fifty end, and others begin there."""
        turned = range(turn % _CHURN, len(self.nodes), _CHURN)
        for number in turned:
            self.nodes[number].begin_anew(at)
        said = list(self.claimed)
        for number in turned:
            said[number] = tuple(self.nodes[number].claims())
        self.claimed = tuple(said)

    def claims(self, at: float) -> Claims:
        """Return the scheduler's answer; what is said again is the same claim, as a holder's is."""
        claims = tuple(claim for node in self.claimed for claim in node)
        return Claims(as_of=at, claims=claims, capacities=self.capacities)

    def waiting(self, at: float) -> Waiting:
        """Return what waits: some hundred requests."""
        return Waiting(
            as_of=at,
            requests=tuple(
                Request(id=str(number), gpus=1 + number % 8, since=BEGAN, partitions=("batch",))
                for number in range(200)
            ),
        )
