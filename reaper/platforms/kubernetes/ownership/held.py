"""
Which devices pods hold, as far as the API server says.

Through resource claims (DRA) it says which; of extended resources it says how many.  Replicas of a
card that is shared by time-slicing or MPS are parts: whoever has one has no device for itself.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from reaper.domain.facts.allocation import Place
from reaper.platforms.kubernetes.mirror import Seen
from reaper.platforms.kubernetes.objects import DRIVERS, Given, Node, Pod, ResourceClaim

_SHARED: Final = ".shared"
#: On Google's nodes: by how many pods at most a card is shared.
_GKE: Final = "cloud.google.com/gke-max-shared-clients-per-gpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """
    What the pods of one workload hold; `share` is that of each place, one for all.

    `doubt` is why it cannot be told.
    """

    places: tuple[Place, ...] = ()
    exclusive: bool = True
    share: float = 1.0
    doubt: str = ""


@dataclass(slots=True)
class _Part:
    places: list[Place] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    exclusive: bool = True
    doubts: list[str] = field(default_factory=list)

    def add(self, place: Place, share: float, *, exclusive: bool) -> None:
        self.places.append(place)
        self.shares.append(share)
        self.exclusive = self.exclusive and exclusive


class Devices:
    """Devices of one moment: claims by name, UUIDs by pool, and how many workloads have each."""

    def __init__(self, seen: Seen, replicas: Mapping[str, int] = MappingProxyType({})) -> None:
        """Sort what was seen once; `replicas` by resource hold where no label of a node tells."""
        self._replicas = replicas
        self._trouble = seen.trouble
        self._nodes: dict[str, Node] = {node.name: node for node in seen.nodes.values()}
        self._claims: dict[tuple[str, str], ResourceClaim] = {
            (claim.meta.namespace, claim.meta.name): claim for claim in seen.claims.values()
        }
        self._uuids = _uuids(seen)
        self._holders: Counter[Given] = Counter()

    def share_out(self, workloads: Iterable[Sequence[Pod]]) -> None:
        """Count how many workloads have each device that a claim was given."""
        for pods in workloads:
            self._holders.update({_device(one) for claim in self._of(pods) for one in _own(claim)})

    def held(self, pods: Sequence[Pod]) -> Held:
        """Return what the pods of one workload hold."""
        part = _Part()
        first = min((pod.since for pod in pods), default=0.0)
        for pod in pods:
            self._counted(pod, part, first)
        for doubt in self._unclear(pods):
            part.doubts.append(doubt)
        for claim in self._of(pods):
            user = next(pod for pod in pods if claim.meta.name in pod.claims)
            self._given(claim, user, part, first)
        share = sum(part.shares) / len(part.shares) if part.shares else 1.0
        return Held(
            places=tuple(part.places),
            exclusive=part.exclusive,
            share=share,
            doubt=next(iter(part.doubts), ""),
        )

    def replicas(self, resource: str, node: str) -> int | None:
        """Return by how many a card behind a resource is shared on a node; None: nobody says."""
        labels = self._nodes[node].meta.labels if node in self._nodes else {}
        plain = resource.removesuffix(_SHARED)
        said = [labels.get(f"{plain}.replicas", "")]
        if resource.startswith("nvidia.com/gpu"):
            said.append(labels.get(_GKE, ""))
        for text in said:
            if text.isascii() and text.isdigit() and 1 <= int(text) <= 1000:
                return int(text)
        known = self._replicas.get(resource, self._replicas.get(plain))
        return known or (None if resource.endswith(_SHARED) else 1)

    def _counted(self, pod: Pod, part: _Part, first: float) -> None:
        place = _place(pod, first)
        for resource, number in sorted(pod.gpus.items()):
            parts = self.replicas(resource, pod.node)
            shared = resource.endswith(_SHARED) or (parts or 1) > 1
            if parts is None:
                part.doubts.append(
                    f"{pod.node} does not say by how many a card behind {resource} is shared: set "
                    "`replicas`"
                )
            for _ in range(number):
                part.add(place, 1 / (parts or 1), exclusive=not shared)

    def _given(self, claim: ResourceClaim, user: Pod, part: _Part, first: float) -> None:
        for one in _own(claim):
            sharers = max(1, self._holders[_device(one)])
            uuid = self._uuids.get((one.driver, one.pool, one.device), "")
            alone = sharers == 1 and not one.share
            part.add(_place(user, first, gpu=uuid), 1 / sharers, exclusive=alone)

    def _of(self, pods: Sequence[Pod]) -> Iterator[ResourceClaim]:
        """Yield the claims of a workload's pods, each once, that are theirs indeed."""
        names = dict.fromkeys((pod.meta.namespace, name) for pod in pods for name in pod.claims)
        uids = {pod.uid for pod in pods}
        for name in names:
            claim = self._claims.get(name)
            if claim is not None and uids.intersection(claim.pods):
                yield claim

    def _unclear(self, pods: Sequence[Pod]) -> Iterator[str]:
        for pod in pods:
            if pod.awaited:
                yield f"its resource claim {pod.awaited[0]} has no name yet"
            for name in pod.claims:
                claim = self._claims.get((pod.meta.namespace, name))
                if claim is None:
                    why = self._trouble.get("ResourceClaim", "it is not seen")
                    yield f"its resource claim {name} cannot be read: {why}"
                elif claim.doubt:
                    yield f"its resource claim {name} is odd: {claim.doubt}"
                elif claim.given is None or pod.uid not in claim.pods:
                    yield f"its resource claim {name} does not say that it was given to it"


def _place(pod: Pod, first: float, gpu: str = "") -> Place:
    """Return a pod's place, `first` being when the workload's oldest pod began."""
    since = pod.since if pod.since > first else None
    return Place(node=pod.node, gpu=gpu, node_id=pod.seen_as, since=since)


def _own(claim: ResourceClaim) -> Iterator[Given]:
    """Yield the GPUs that a claim was given to use: access beside a holder is none."""
    for one in claim.given or ():
        if one.driver in DRIVERS and not one.admin:
            yield one


def _device(one: Given) -> Given:
    return Given(driver=one.driver, pool=one.pool, device=one.device)


def _uuids(seen: Seen) -> dict[tuple[str, str, str], str]:
    """Return the UUIDs of devices by driver, pool and name, of each pool's newest slices."""
    newest: dict[tuple[str, str], int] = defaultdict(int)
    slices = sorted(seen.slices.values(), key=lambda one: one.meta.uid)
    for one in slices:
        pool = one.driver, one.pool
        newest[pool] = max(newest[pool], one.generation)
    return {
        (one.driver, one.pool, name): device.uuid
        for one in slices
        if one.generation == newest[one.driver, one.pool]
        for name, device in one.devices.items()
        if device.uuid
    }
