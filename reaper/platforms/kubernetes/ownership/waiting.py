"""
What waits for GPUs: pods without a node, those of a gang together, and what Kueue holds back.

A request starts when GPUs are freed only where GPUs, or the quota that frees with them, are all
that is short; what else is short is kept as the reason.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reaper.domain.facts.demand import Request
from reaper.platforms.kubernetes.mirror import Seen
from reaper.platforms.kubernetes.objects import (
    ClusterQueue,
    Node,
    Pod,
    Queued,
    Resources,
    Wants,
    kind_of,
    word,
)
from reaper.platforms.kubernetes.objects.queues import PodSet
from reaper.platforms.kubernetes.ownership.claiming import Configured, finder
from reaper.platforms.kubernetes.ownership.nodes import avoided, model_of
from reaper.platforms.kubernetes.ownership.purpose import Subject, purpose
from reaper.platforms.kubernetes.ownership.walk import Top, top
from reaper.platforms.kubernetes.ownership.whose import Objects, whose

_GATED_BY_KUEUE: Final = "kueue.x-k8s.io/"
#: The scheduler's word for a lack of something that nodes count, and of devices of DRA.
_SHORT = re.compile(r"Insufficient (\S+?)[,.]?(?=\s|$)")
_NO_DEVICE: Final = "cannot allocate all claims"
#: Kueue's word for quota that others use, and may give back.
_QUOTA = re.compile(r"insufficient unused quota for (\S+)")
_UNSEEN: Final = "the scheduler has not looked at it yet"
_LONGEST: Final = 200
#: As many nodes of a request are named: what is known of what waits is kept for months.
_MOST_NODES: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """Where a request could start, in few words; `why` where it takes too many or is nowhere."""

    model: str = ""
    avoids: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    why: str = ""


class _Ground:
    """What requests are made on, sorted once; which nodes a kind of pod avoids is told once."""

    def __init__(self, seen: Seen, configured: Configured, resources: Resources) -> None:
        self.seen = seen
        self.configured = configured
        self.resources = resources
        self.nodes = tuple(sorted(seen.nodes.values(), key=lambda one: one.name))
        self.namespaces = {one.name: one for one in seen.namespaces.values()}
        self._wanted = {
            (claim.meta.namespace, claim.meta.name): claim.wanted for claim in seen.claims.values()
        }
        self._avoided: dict[tuple[object, ...], frozenset[str]] = {}

    def avoided(self, wants: Wants, needs: Mapping[str, int]) -> frozenset[str]:
        """Return the nodes that a pod could not run on."""
        labels = tuple(sorted(wants.selector.items()))
        key = labels, wants.terms, wants.tolerations, tuple(sorted(needs.items()))
        if key not in self._avoided:
            self._avoided[key] = frozenset(avoided(self.nodes, wants, needs))
        return self._avoided[key]

    def room(self, avoided_by_each: Sequence[frozenset[str]]) -> _Room:
        """Return where pods could start that avoid these nodes: what all avoid is no room."""
        avoids = frozenset.intersection(*avoided_by_each)
        if not avoids:
            return _Room()
        allowed = [node for node in self.nodes if node.name not in avoids]
        if not allowed:
            return _Room(why="it fits no node that there is")
        models = {model_of(node) for node in allowed}
        model = models.pop() if len(models) == 1 else ""
        # A model says in a word that the nodes of all others are avoided.
        alike = [node.name for node in self.nodes if model and model_of(node) == model]
        left = tuple(sorted(avoids.intersection(alike) if model else avoids))
        if len(left) <= min(len(allowed), _MOST_NODES):
            return _Room(model=model, avoids=left)
        if len(allowed) <= _MOST_NODES:
            return _Room(only=tuple(node.name for node in allowed))
        return _Room(why=f"it fits {len(allowed)} nodes of {len(self.nodes)}: too many to name")

    def asked(self, pod: Pod) -> int:
        """Return how many GPUs a pod asks for; a claim that is not made yet is one at least."""
        claims = (self._wanted.get((pod.meta.namespace, name), 0) for name in pod.claims)
        return pod.count + sum(claims) + len(pod.awaited)


def requests(seen: Seen, configured: Configured, resources: Resources) -> tuple[Request, ...]:
    """Return the pending requests for GPUs; in which order they came never matters."""
    ground = _Ground(seen, configured, resources)
    found = [*_pods(ground), *_held_back(ground)]
    return tuple(sorted(found, key=lambda one: (one.since, one.id)))


def full(seen: Seen) -> tuple[str, ...]:
    """Return the quotas of namespaces that are used up: who needs more of them cannot even ask."""
    ordered = sorted(seen.quotas.values(), key=lambda item: str(item.meta.reference))
    return tuple(
        f"namespace {one.meta.namespace} has used up its quota of {resource}: "
        f"{one.used.get(resource, 0)} of {hard} ({one.meta.name})"
        for one in ordered
        for resource, hard in sorted(one.hard.items())
        if 0 < hard <= one.used.get(resource, 0)
    )


def _pods(ground: _Ground) -> Iterator[Request]:
    seen, gangs = ground.seen, defaultdict[str, list[tuple[Pod, Top]]](list)
    for pod in seen.pods.values():
        held_by_kueue = any(gate.startswith(_GATED_BY_KUEUE) for gate in pod.gates)
        if pod.waiting and (pod.gpus or pod.claims or pod.awaited) and not held_by_kueue:
            found = top(pod.meta, finder(seen), seen.trouble)
            kind = kind_of(found.reference.group, found.reference.kind)
            together = kind is not None and kind.gang and found.reference.uid
            gangs[found.reference.uid if together else pod.uid].append((pod, found))
    for members in gangs.values():
        ordered = sorted(members, key=lambda member: (member[0].meta.created, member[0].uid))
        pods = tuple(pod for pod, _ in ordered)
        if any(ground.asked(pod) for pod in pods):
            yield _request(pods, ordered[0][1], ground)


def _request(pods: Sequence[Pod], found: Top, ground: _Ground) -> Request:
    first, reference = pods[0], found.reference
    kind = kind_of(reference.group, reference.kind)
    subject = Subject(
        namespace=first.meta.namespace,
        kind=reference.kind,
        name=reference.name,
        family=kind.family if kind else None,
        pod=first,
    )
    meant, _, _ = purpose(subject, ground.configured.rules)
    objects = Objects(
        workload=found.meta,
        pods=tuple(pod.meta for pod in pods),
        namespace=ground.namespaces.get(first.meta.namespace),
    )
    room = ground.room([ground.avoided(pod.wants, pod.gpus) for pod in pods])
    short = next((why for pod in pods if (why := _why(pod, ground.resources))), room.why)
    called = reference if len(pods) > 1 else first.meta.reference
    return Request(
        id=f"{first.meta.namespace}/{word(called.group, called.kind)}/{called.name}",
        gpus=sum(ground.asked(pod) for pod in pods),
        since=first.meta.created,
        startable=not short,
        user=whose(objects, ground.configured.words).owner,
        purpose=meant,
        model=room.model,
        avoids=room.avoids,
        only=room.only,
        on_each=max(ground.asked(pod) for pod in pods),
        why=short,
    )


def _why(pod: Pod, resources: Resources) -> str:
    """Return what but GPUs keeps a pod from starting, "" where nothing does."""
    if pod.doubt:
        return pod.doubt[:_LONGEST]
    if pod.gates:
        return f"it is held back by {', '.join(pod.gates)}"[:_LONGEST]
    if not pod.unschedulable:
        return _UNSEEN
    short = {name.rstrip(",.") for name in _SHORT.findall(pod.unschedulable)}
    gpus = any(resources.cover(name) for name in short) or _NO_DEVICE in pod.unschedulable
    return "" if gpus else pod.unschedulable[:_LONGEST]


def _held_back(ground: _Ground) -> Iterator[Request]:
    seen = ground.seen
    queues = {
        (one.meta.namespace, one.meta.name): one.cluster_queue for one in seen.local_queues.values()
    }
    by_name = {one.meta.name: one for one in seen.cluster_queues.values()}
    for one in seen.queued.values():
        sets = tuple(part for part in one.sets if part.gpus and part.count)
        waits = one.active and not (one.finished or one.admitted or one.meta.deleted)
        if sets and waits:
            queue = by_name.get(queues.get((one.meta.namespace, one.queue), ""))
            yield _queued(one, sets, queue, ground)


def _queued(
    one: Queued, sets: Sequence[PodSet], queue: ClusterQueue | None, ground: _Ground
) -> Request:
    others = _other_flavors(queue, ground) if queue else frozenset[str]()
    room = ground.room([ground.avoided(part.wants, part.gpus) | others for part in sets])
    short = _quota(one, queue, ground.resources) or room.why
    owner = one.meta.controller or one.meta.reference
    return Request(
        id=f"{one.meta.namespace}/{word(owner.group, owner.kind)}/{owner.name}",
        gpus=sum(part.count * sum(part.gpus.values()) for part in sets),
        since=one.meta.created,
        partitions=_together(queue, ground.seen) if queue else (),
        startable=not short,
        model=room.model,
        avoids=room.avoids,
        only=room.only,
        on_each=max(sum(part.gpus.values()) for part in sets),
        why=short,
    )


def _quota(one: Queued, queue: ClusterQueue | None, resources: Resources) -> str:
    """Return what but quota that others could give back keeps a workload waiting."""
    if queue is None:
        return f"its queue {one.queue} leads to no cluster queue that is seen"
    if queue.stopped:
        return f"cluster queue {queue.meta.name} is stopped"
    if one.reserved:
        return "it has its quota, and waits for Kueue's other checks"
    if not one.why:
        return "Kueue has not looked at it yet"
    short = _QUOTA.findall(one.why)
    if short and all(resources.cover(name.rstrip(",.")) for name in short):
        return ""
    return f"cluster queue {queue.meta.name}: {one.why}"[:_LONGEST]


def _together(queue: ClusterQueue, seen: Seen) -> tuple[str, ...]:
    """Return the cluster queues whose quota frees for a queue: itself and its cohort."""
    cohort = (
        one.meta.name
        for one in seen.cluster_queues.values()
        if queue.cohort and one.cohort == queue.cohort
    )
    return tuple(sorted({queue.meta.name, *cohort}))


def _other_flavors(queue: ClusterQueue, ground: _Ground) -> frozenset[str]:
    """Return the nodes that are of none of a queue's flavours of GPUs."""
    names = {share.flavor for share in queue.shares}
    flavors = [one for one in ground.seen.flavors.values() if one.meta.name in names]
    if not flavors or len(flavors) < len(names):
        return frozenset()
    return frozenset(
        node.name
        for node in ground.nodes
        if not any(_is_of(node, flavor.labels) for flavor in flavors)
    )


def _is_of(node: Node, labels: Mapping[str, str]) -> bool:
    return all(node.meta.labels.get(key) == value for key, value in labels.items())
