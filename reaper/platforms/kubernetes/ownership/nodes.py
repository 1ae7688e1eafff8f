"""What nodes can give out, and which pods they would take."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from reaper.domain.facts.allocation import Capacity
from reaper.platforms.kubernetes.mirror import Seen
from reaper.platforms.kubernetes.objects import DRIVERS, Node, Taint, Toleration, Wants, Wish
from reaper.platforms.kubernetes.ownership.held import Devices

_MIG: Final = "/mig-"
#: On nodes that NVIDIA's feature discovery looks at: the name of their cards.
_MODEL: Final = ("nvidia.com/gpu.product", "cloud.google.com/gke-accelerator")
#: Taints that keep new pods off; the third only asks to.
_HARD: Final = frozenset(("NoSchedule", "NoExecute", ""))


def capacities(seen: Seen, devices: Devices) -> tuple[Capacity, ...]:
    """Return the nodes that have GPUs, in cards and slices of cards, not in parts by time."""
    used: dict[str, Counter[str]] = {}
    for pod in seen.pods.values():
        if pod.bound:
            used.setdefault(pod.node, Counter()).update(pod.gpus)
    offered, given, models = _dra(seen)
    nodes = sorted(seen.nodes.values(), key=lambda one: one.name)
    found: list[Capacity] = []
    for node in nodes:
        if node.gpus:
            found.append(_capacity(node, used.get(node.name, Counter()), devices))
        elif gpus := sum(offered[node.name].values()):
            slices = offered[node.name][_MIG]
            found.append(
                Capacity(
                    node=node.name,
                    gpus=gpus,
                    state=_state(node),
                    model=model_of(node) or models.get(node.name, ""),
                    allocated=sum(given[node.name].values()),
                    slices=slices,
                    slices_allocated=given[node.name][_MIG] if slices else None,
                )
            )
    return tuple(found)


def avoided(nodes: Iterable[Node], wants: Wants, needs: Mapping[str, int]) -> tuple[str, ...]:
    """Return the nodes on which a pod that `wants` and `needs` so much could not run, empty."""
    return tuple(
        node.name
        for node in nodes
        if not (_fits(node, wants) and _bears(node, wants) and _has(node, needs))
    )


def _capacity(node: Node, used: Counter[str], devices: Devices) -> Capacity:
    gpus = slices = taken = slices_taken = 0
    unsure = False
    for resource, number in node.gpus.items():
        parts = devices.replicas(resource, node.name) or 1
        cards, held = -(-number // parts), used[resource]
        # Which of a card's parts are taken tells not which cards are: none, all, or nobody knows.
        unsure = unsure or (parts > 1 and 0 < held < number)
        whole = held if parts == 1 else cards * (held >= number)
        gpus, taken = gpus + cards, taken + whole
        if _MIG in resource:
            slices, slices_taken = slices + cards, slices_taken + whole
    return Capacity(
        node=node.name,
        gpus=gpus,
        state=_state(node),
        model=model_of(node),
        allocated=None if unsure else taken,
        slices=slices,
        slices_allocated=slices_taken if slices and not unsure else None,
    )


def _dra(
    seen: Seen,
) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]], dict[str, str]]:
    """Return by node how many devices DRA drivers offer and gave, by kind, and their model."""
    offered: dict[str, Counter[str]] = {node.name: Counter() for node in seen.nodes.values()}
    given: dict[str, Counter[str]] = {node: Counter() for node in offered}
    models: dict[str, str] = {}
    where: dict[tuple[str, str, str], tuple[str, str]] = {}
    for one in seen.slices.values():
        for name, device in one.devices.items():
            if one.driver in DRIVERS and one.node in offered and not device.cut:
                kind = _MIG if device.kind == "mig" else device.kind
                where[one.driver, one.pool, name] = one.node, kind
                models.setdefault(one.node, device.model)
    for node, kind in where.values():
        offered[node][kind] += 1
    taken = {
        (one.driver, one.pool, one.device)
        for claim in seen.claims.values()
        for one in claim.given or ()
        if not one.admin
    }
    for device_key in taken & where.keys():
        node, kind = where[device_key]
        given[node][kind] += 1
    return offered, given, models


def _state(node: Node) -> str:
    if not node.ready:
        return "down"
    return "drained" if node.cordoned else "up"


def model_of(node: Node) -> str:
    """Return the name of a node's cards, however they are shared or cut; "" for none."""
    text = next((node.meta.labels[key] for key in _MODEL if node.meta.labels.get(key)), "")
    return text.removesuffix("-SHARED").partition("-MIG-")[0]


def _has(node: Node, needs: Mapping[str, int]) -> bool:
    return all(node.gpus.get(resource, 0) >= number for resource, number in needs.items())


def _bears(node: Node, wants: Wants) -> bool:
    """Tell whether a pod bears a node's taints; that of a node that is silent is its state."""
    return not node.cordoned and all(
        any(_tolerates(one, taint) for one in wants.tolerations)
        for taint in node.taints
        if taint.effect in _HARD
    )


def _tolerates(one: Toleration, taint: Taint) -> bool:
    if one.effect not in {"", taint.effect}:
        return False
    if one.operator == "Exists":
        return one.key in {"", taint.key}
    return (one.key, one.value) == (taint.key, taint.value)


def _fits(node: Node, wants: Wants) -> bool:
    labels = node.meta.labels
    chosen = all(labels.get(key) == value for key, value in wants.selector.items())
    return chosen and (not wants.terms or any(_holds(node, term) for term in wants.terms))


def _holds(node: Node, term: tuple[Wish, ...]) -> bool:
    # A term without a requirement matches nothing.
    return bool(term) and all(_meets(node, wish) for wish in term)


def _meets(node: Node, wish: Wish) -> bool:
    found = node.name if wish.of_field else node.meta.labels.get(wish.key)
    match wish.operator:
        case "In":
            return found in wish.values
        case "NotIn":
            return found not in wish.values
        case "Exists":
            return found is not None
        case "DoesNotExist":
            return found is None
        case "Gt" | "Lt":
            return _compares(found, wish)
        case _:
            return False


def _compares(found: str | None, wish: Wish) -> bool:
    numbers = [*_whole(found), *(number for text in wish.values[:1] for number in _whole(text))]
    if len(numbers) < 2:
        return False
    return numbers[0] > numbers[1] if wish.operator == "Gt" else numbers[0] < numbers[1]


def _whole(text: str | None) -> Iterator[int]:
    if text is not None and len(text) < 20 and text.lstrip("-").isdigit() and text.isascii():
        yield int(text)
