"""Who holds what by all words but those about people, which is the same for many turns; pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from reaper.domain.facts.allocation import Capacity, Claim, Front, Inventory, United, unite
from reaper.domain.facts.device import Device
from reaper.domain.facts.keyed import KeyedClaims
from reaper.domain.facts.placing import placed
from reaper.domain.facts.share import Confirmation, Share, confirm, unproven
from reaper.domain.facts.tenant import Tenant, tenants


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """All words that say who holds what; people come and go without a word here."""

    claims: tuple[Claim, ...]
    capacities: tuple[Capacity, ...]
    shares: tuple[Share, ...]
    devices: Mapping[str, tuple[Device, ...]]
    """By node."""
    fronts: tuple[Front, ...]
    parts: frozenset[str]
    """Names under which letters of tenants are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Who holds what, without people: it stands while the same is said, and proven."""

    words: Words
    proven: frozenset[Confirmation]
    contradicted: Mapping[str, str]
    united: United
    tenants: Mapping[str, tuple[Tenant, ...]]
    keyed: KeyedClaims
    by_name: Mapping[str, Device]

    def stands(self, words: Words, proven: frozenset[Confirmation]) -> bool:
        """Tell whether it would be found again."""
        return self.proven == proven and self.words == words


def grounded(words: Words, proven: frozenset[Confirmation]) -> Ground:
    """Unite who holds what; what was `proven` before stays so, unless it is contradicted."""
    shares, by_node = words.shares, words.devices
    counted = {item.node: item.gpus for item in words.capacities}
    claims = placed(words.claims, shares, by_node, counted)
    keyed = KeyedClaims(claims)
    fresh, contradicted = confirm(keyed, shares, by_node, proven)
    trusted = proven if fresh <= proven else proven | fresh
    if contradicted:
        trusted = frozenset(item for item in trusted if item.node not in contradicted)
    inventory = Inventory(devices=by_node, doubts=contradicted, unproven=unproven(by_node, trusted))
    united = unite(claims, words.fronts, inventory)
    return Ground(
        words=words,
        proven=trusted,
        contradicted=contradicted,
        united=united,
        tenants=tenants(united.allocations, shares, words.parts),
        keyed=keyed,
        by_name={device.gpu: device for node in by_node.values() for device in node},
    )
