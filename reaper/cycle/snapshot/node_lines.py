"""Drawing the nodes of a picture: whether each is seen, and why not; pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from exporter.contract.node_name import Names
from reaper.board import Board
from reaper.cycle.ownership.uniting import Ownership
from reaper.domain.facts.allocation import Capacity
from reaper.domain.picture import NodeLine
from reaper.ports import NodeReport

#: Faults of a node that are named one by one, and letters of each part: its exporter writes them.
_FAULTS: Final = 8
_FAULT: Final = 200


def node_lines(board: Board, ownership: Ownership) -> tuple[NodeLine, ...]:
    """Draw every node that a scheduler or an exporter names."""
    drawn = _Nodes(board=board, contradicted=ownership.contradicted)
    capacities = {item.node: item for item in ownership.capacities}
    reports = {item.node or item.target: item for item in board.reports.values()}
    names = sorted({*capacities, *board.good, *reports})
    spelt = Names(board.good)
    return tuple(
        [drawn.node(name, capacities.get(name), reports.get(name), spelt) for name in names]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Nodes:
    """What nodes are drawn from."""

    board: Board
    contradicted: Mapping[str, str]

    def node(
        self, name: str, capacity: Capacity | None, newest: NodeReport | None, spelt: Names
    ) -> NodeLine:
        """Draw one node."""
        good = self.board.good.get(name)
        return NodeLine(
            node=name,
            as_of=good.as_of if good else None,
            gpus=capacity.gpus if capacity else len(good.devices) if good else 0,
            state=capacity.state if capacity else "up" if good else "unknown",
            error=newest.error if newest else self._absent(spelt.meant(name)),
            doubt="; ".join(self._doubts(name, newest)),
            claims=newest.claims if newest else "",
            target=newest.target if newest and newest.first == name else "",
        )

    def _absent(self, meant: str) -> str:
        """Say that nobody speaks for a node, and who may mean it by another name."""
        said = "no exporter is configured for it"
        if not meant:
            return said
        return f"{said}: {self.board.good[meant].target} speaks for {meant}; is that this node?"

    def _doubts(self, name: str, newest: NodeReport | None) -> Iterator[str]:
        if name in self.contradicted:
            yield self.contradicted[name]
        faults = newest.faults if newest else {}
        for gpu, reason in islice(faults.items(), _FAULTS):
            yield f"{gpu[:_FAULT]}: {reason[:_FAULT]}"
        if len(faults) > _FAULTS:
            yield f"and {len(faults) - _FAULTS} more devices"
