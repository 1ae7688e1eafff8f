"""Budgets: how many acts may begin, per cycle, hour, owner, node and share of the cluster."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from reaper.domain.escalation.decision import Intent, Refusal, Verb
from reaper.domain.reason import because, together


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The blast radius: counts of acts, a share of the allocated GPUs, and a number of GPUs."""

    per_cycle: int = 5
    per_hour: int = 20
    per_owner: int = 2
    per_node: int = 1
    share: float = 0.02
    approval: int = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An act that everything else allows; `since` orders fairly, longest idle first."""

    case_id: str
    owner: str
    nodes: tuple[str, ...]
    devices: int
    since: float
    approved: bool = False
    follows: bool = False
    """It follows a proven save of the same case, which was rationed already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ration:
    """Which candidates may act, and why the others may not."""

    granted: tuple[Candidate, ...]
    refused: dict[str, Refusal]


#: The rule of every budget.
RULE: Final = "budget"

#: Why an act is held that two operators must approve.
APPROVAL: Final = "budget-approval"

#: Why an act is held that the next cycle has room for.
CYCLE: Final = "budget-cycle"

#: The hour over which acts are counted; seconds.
HOUR = 3600.0


def ration(
    candidates: Iterable[Candidate],
    *,
    spent: Sequence[Intent],
    limits: Limits,
    allocated: int,
    now: float,
) -> Ration:
    """
    Choose which candidates may act; the answer does not depend on their order.

    `spent` are the intents of the last hour, `allocated` the cluster's allocated GPUs.
    """
    recent = [item for item in spent if item.spends and item.created > now - HOUR]
    book = _Book.of(_once(recent))
    granted: list[Candidate] = []
    refused: dict[str, Refusal] = {}
    for item in sorted(candidates, key=lambda each: (each.since, each.case_id)):
        if item.follows:
            granted.append(item)
            continue
        refusal = book.refusal(item, limits, allocated, cycle=len(granted))
        if refusal is None:
            granted.append(item)
            book = book.with_act(item.owner, item.nodes, item.devices)
        else:
            refused[item.case_id] = refusal
    return Ration(granted=tuple(granted), refused=refused)


def _once(recent: Sequence[Intent]) -> list[Intent]:
    """Count a save and the release that follows it as the one act that they are."""
    released = {item.effect.case_id for item in recent if item.effect.verb is Verb.RELEASE}
    return [
        item
        for item in recent
        if item.effect.verb is not Verb.SAVE or item.effect.case_id not in released
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Book:
    """What the last hour has spent."""

    owners: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    acts: int = 0
    devices: int = 0

    @classmethod
    def of(cls, intents: Iterable[Intent]) -> "_Book":
        book = cls()
        for intent in intents:
            book = book.with_act(intent.owner, intent.nodes, intent.devices)
        return book

    def with_act(self, owner: str, nodes: tuple[str, ...], devices: int) -> "_Book":
        return _Book(
            owners=(*self.owners, owner),
            nodes=(*self.nodes, *nodes),
            acts=self.acts + 1,
            devices=self.devices + devices,
        )

    def refusal(
        self, item: Candidate, limits: Limits, allocated: int, *, cycle: int
    ) -> Refusal | None:
        share = max(limits.share * allocated, 0.0)
        busiest = max((self.nodes.count(node) for node in item.nodes), default=0)
        reasons = (
            (cycle >= limits.per_cycle, because(CYCLE, acts=limits.per_cycle)),
            (self.acts >= limits.per_hour, because("budget-hour", acts=limits.per_hour)),
            (
                self.owners.count(item.owner) >= limits.per_owner,
                because("budget-owner", acts=limits.per_owner),
            ),
            (busiest >= limits.per_node, because("budget-node", acts=limits.per_node)),
            (
                self.acts > 0 and self.devices + item.devices > share,
                because("budget-share", percent=round(100 * limits.share)),
            ),
            (
                item.devices > limits.approval and not item.approved,
                because(APPROVAL, gpus=limits.approval),
            ),
        )
        reached = [reason for true, reason in reasons if true]
        return Refusal(rule=RULE, reason=together(*reached)) if reached else None
