"""
Which target may speak for which node: the one that is bound to it, and nobody else.

A page says its node's name itself, so that whoever can write one page could speak for every node.
Therefore a name counts only where the target's own address, its certificate, or an operator's word
bears it out.  Who is bound to nothing keeps the name that it gave first against all that give
another one later.  Pure.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

from reaper.activity.exporters.address import Target, first_label

_SHOWN: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Bindings:
    """
    Who is bound to what: names of targets by node, and nodes by their first label.

    With and without its domain a name is the same node, where no other one begins alike.
    `shared` are names on the certificates of several targets, which bind none of them; `words`
    are the names that targets gave first which are bound to nothing, with the target, by the
    name's first label.
    """

    tellers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    alike: Mapping[str, frozenset[str]] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    words: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)

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

    def refusal(self, teller: "Teller", claimed: str) -> str:
        """
        Return why a target's page may not say that it is the node `claimed`; "" when it may.

        One that is bound to no node may take a name that nobody is bound to, and nobody else gave
        before it did.
        """
        said = f"says that it is node {claimed[:_SHOWN]!r}"
        if bound := self.of_teller(teller):
            if any(self.same(node, claimed) for node in bound):
                return ""
            alike = self.alike.get(first_label(bound[0]), frozenset())
            other = f", of which {len(alike)} targets begin alike" if len(alike) > 1 else ""
            cure = f"if that is its name, write {teller.name}={claimed[:_SHOWN]} under targets"
            nodes = ", ".join(bound)
            return f"{said}, and is bound to {nodes}{other}: nothing of it is believed; {cure}"
        if others := self.speaks(claimed):
            return f"{said}, for which {', '.join(others)} speaks: nothing of it is believed"
        if others := self._gave(teller, claimed):
            cure = f"if the name is this one's all the same, write {teller.name}={claimed[:_SHOWN]}"
            return (
                f"{said}, for which {', '.join(others)} speaks, as it said before: nothing of it "
                f"is believed; {cure} under targets"
            )
        return ""

    def _gave(self, teller: "Teller", claimed: str) -> tuple[str, ...]:
        """Return the targets that gave a name before, or none where this one did as well."""
        if teller.first and self.same(teller.first, claimed):
            return ()
        known = self.words.get(first_label(claimed), ())
        return tuple(
            target for name, target in known if target != teller.name and _alike(name, claimed)
        )

    def of_teller(self, teller: "Teller") -> tuple[str, ...]:
        """Return the nodes that a target may speak for; none where nothing binds it."""
        if teller.node:
            return (teller.node,)
        return tuple(name for name in teller.certified if name.casefold() not in self.shared)


@dataclass(frozen=True, slots=True, kw_only=True)
class Teller:
    """A target by its `name`, with all that may bind it, and the name that it gave first."""

    name: str
    node: str = ""
    certified: tuple[str, ...] = ()
    first: str = ""

    @classmethod
    def of(cls, target: Target, *, certified: tuple[str, ...] = (), first: str = "") -> Self:
        """Return a target with the nodes on its certificate, if it answers by itself."""
        ours = certified if target.direct else ()
        return cls(name=target.name, node=target.node, certified=ours, first=first)


def bindings(tellers: Iterable[Teller]) -> Bindings:
    """Return the bindings of all targets."""
    every = tuple(tellers)
    counts = Counter(name.casefold() for one in every for name in set(one.certified))
    shared = frozenset(name for name, count in counts.items() if count > 1)
    alone = Bindings(shared=shared)
    pairs = [(one.name, node) for one in every for node in alone.of_teller(one)]
    words: dict[str, list[tuple[str, str]]] = {}
    for one in every:
        if one.first and not alone.of_teller(one):
            words.setdefault(first_label(one.first), []).append((one.first, one.name))
    return replace(Bindings.of(pairs), shared=shared, words=words)


def _alike(one: str, other: str) -> bool:
    """Tell whether two names whose first labels are equal are one, the short one of the other."""
    return one.casefold() == other.casefold() or "." not in one or "." not in other
