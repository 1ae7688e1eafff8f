"""
Which target may speak for which node: the one that is bound to it, and nobody else.

A page says its node's name itself, so that whoever can write one page could speak for every node.
Therefore a name counts only where the target's own address, or an operator's word, bears it out.
Pure.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from reaper.activity.exporters.address import Target, first_label

_SHOWN: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Bindings:
    """
    Who is bound to what: names of targets by node, and nodes by their first label.

    With and without its domain a name is the same node, where no other one begins alike.
    """

    tellers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    alike: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, bound: Iterable[tuple[str, str]]) -> Self:
        """Bind targets, by their names, to nodes; those bound to none are left out."""
        tellers: dict[str, list[str]] = {}
        alike: dict[str, set[str]] = {}
        for target, node in bound:
            if node:
                tellers.setdefault(node.casefold(), []).append(target)
                alike.setdefault(first_label(node), set()).add(node.casefold())
        return cls(
            tellers=tellers, alike={label: frozenset(nodes) for label, nodes in alike.items()}
        )

    def same(self, bound: str, node: str) -> bool:
        """Tell whether the node that a target is bound to and a node's name are one."""
        if bound.casefold() == node.casefold():
            return True
        short = "." not in bound or "." not in node
        label = first_label(bound)
        return short and label == first_label(node) and len(self.alike.get(label, ())) <= 1

    def speaks(self, node: str) -> tuple[str, ...]:
        """Return the names of the targets that are bound to a node."""
        return tuple(
            target
            for bound in sorted(self.alike.get(first_label(node), ()))
            if self.same(bound, node)
            for target in self.tellers[bound]
        )

    def refusal(self, target: str, bound: str, claimed: str) -> str:
        """
        Return why a target's page may not say that it is the node `claimed`; "" when it may.

        One that is bound to no node may take a name that nobody is bound to.
        """
        said = f"says that it is node {claimed[:_SHOWN]!r}"
        if bound:
            if self.same(bound, claimed):
                return ""
            alike = self.alike.get(first_label(bound), frozenset())
            other = f", of which {len(alike)} targets begin alike" if len(alike) > 1 else ""
            cure = f"if that is its name, write {target}={claimed[:_SHOWN]} under targets"
            return f"{said}, and is bound to {bound}{other}: nothing of it is believed; {cure}"
        if others := self.speaks(claimed):
            return f"{said}, for which {', '.join(others)} speaks: nothing of it is believed"
        return ""


def bindings(targets: Iterable[Target]) -> Bindings:
    """Return the bindings of all targets."""
    return Bindings.of((target.name, target.node) for target in targets)
