"""Turns pods into claims: one for every workload, with all of its live pods that hold GPUs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from reaper.domain.facts.allocation import Claim, Run
from reaper.platforms.kubernetes.mirror import Seen
from reaper.platforms.kubernetes.objects import (
    Family,
    Meta,
    Pod,
    Queued,
    Reference,
    kind_of,
    word,
)
from reaper.platforms.kubernetes.objects.queues import GROUP, POD_GROUP, QUEUE
from reaper.platforms.kubernetes.ownership.held import Devices
from reaper.platforms.kubernetes.ownership.purpose import Rule, Subject, personal, purpose
from reaper.platforms.kubernetes.ownership.walk import Find, Top, top
from reaper.platforms.kubernetes.ownership.whose import Objects, Words, whose
from reaper.platforms.kubernetes.release.reverters import refusal

PLATFORM: Final = "kubernetes"

#: Labels that controllers make up: they say nothing to anybody.
_MADE_UP: Final = (
    "controller-revision-hash",
    "controller-uid",
    "batch.kubernetes.io/",
    "pod-template-hash",
    "apps.kubernetes.io/",
)
#: As many labels of a workload are kept.
_MOST_LABELS: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """What the configuration says of workloads."""

    rules: tuple[Rule, ...] = ()
    words: Words = field(default_factory=Words)
    replicas: Mapping[str, int] = field(default_factory=dict)
    """By how many the cards behind a resource are shared, where no label of a node tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A workload with its live pods that have GPUs, the oldest first."""

    top: Top
    pods: tuple[Pod, ...]
    queued: Queued | None = None

    @property
    def key(self) -> str:
        """Return the key of its run: the UID of its oldest pod."""
        return self.pods[0].uid


def claims(
    seen: Seen, configured: Configured, before: Mapping[str, Claim] = MappingProxyType({})
) -> Mapping[str, Claim]:
    """
    Return the claims by run key.  In which order pods came never matters.

    What is said again, as it was `before`, is the same claim: nobody need look at it anew.
    """
    found = workloads(seen)
    devices = Devices(seen, configured.replicas)
    devices.share_out(one.pods for one in found)
    namespaces = {one.name: one for one in seen.namespaces.values()}
    made: dict[str, Claim] = {}
    for one in found:
        namespace = namespaces.get(one.pods[0].meta.namespace)
        claim = _claim(one, seen, configured, devices, namespace)
        if claim.places or claim.doubt:
            known = before.get(one.key)
            made[one.key] = known if known == claim else claim
    return made


def workloads(seen: Seen) -> tuple[Held, ...]:
    """Return the workloads that have live pods with GPUs; every such pod is in exactly one."""
    queues = _Queues(seen)
    groups: dict[str, list[tuple[Pod, Top]]] = defaultdict(list)
    for pod in seen.pods.values():
        if pod.live and (pod.gpus or pod.claims or pod.doubt):
            found = queues.group(pod) or top(pod.meta, finder(seen), seen.trouble)
            groups[_same(found.reference)].append((pod, found))
    return tuple(_held(members, queues) for _, members in sorted(groups.items()))


def finder(seen: Seen) -> Find:
    """Return what finds owners; a pod may be one too, as Spark's driver is of its executors."""

    def find(uid: str) -> Meta | None:
        above = seen.owners.get(uid)
        if above is None and uid in seen.pods:
            return seen.pods[uid].meta
        return above

    return find


def run_of(held: Held, cluster: str) -> Run:
    """Return a workload's run: it lasts as long as its oldest pod."""
    reference = held.top.reference
    kind = word(reference.group, reference.kind)
    return Run(
        cluster=cluster,
        platform=PLATFORM,
        id=f"{held.pods[0].meta.namespace}/{kind}/{reference.name}",
        key=held.key,
        started=held.pods[0].since,
    )


def _held(members: Iterable[tuple[Pod, Top]], queues: "_Queues") -> Held:
    ordered = sorted(members, key=lambda member: (member[0].since, member[0].uid))
    pods = tuple(pod for pod, _ in ordered)
    # Two walks to one workload may differ in what lies between; a doubt of one is one of all.
    first = next((found for _, found in ordered if found.doubt), ordered[0][1])
    return Held(top=first, pods=pods, queued=queues.of(first, pods))


def _same(reference: Reference) -> str:
    return (
        reference.uid
        or f"{reference.namespace}/{reference.group}/{reference.kind}/{reference.name}"
    )


def _claim(
    one: Held, seen: Seen, configured: Configured, devices: Devices, namespace: Meta | None
) -> Claim:
    first, reference = one.pods[0], one.top.reference
    kind = kind_of(reference.group, reference.kind)
    family = kind.family if kind else None
    queue = _queue(one)
    subject = Subject(
        namespace=first.meta.namespace,
        kind=reference.kind,
        name=reference.name,
        family=family,
        pod=_telling(one.pods),
        queue=queue,
    )
    meant, evidence, ruled = purpose(subject, configured.rules)
    metas = tuple(pod.meta for pod in one.pods)
    owned = whose(Objects(workload=one.top.meta, pods=metas, namespace=namespace), configured.words)
    held = devices.held(one.pods)
    youngest = max(pod.since for pod in one.pods)
    return Claim(
        run=run_of(one, seen.cluster),
        places=held.places,
        user=owned.owner,
        as_of=seen.as_of,
        exclusive=held.exclusive,
        share=held.share,
        node_ids=tuple(pod.seen_as for pod in one.pods),
        members=tuple(f"{pod.meta.namespace}/pod/{pod.meta.name}" for pod in one.pods),
        name=reference.name,
        account=queue,
        partition=one.queued.cluster_queue if one.queued else "",
        qos=first.priority_class,
        team=owned.team,
        namespace=first.meta.namespace,
        labels=_labels(one),
        submitted=first.meta.created or None,
        limit=min((pod.deadline for pod in one.pods if pod.deadline is not None), default=None),
        batch=True if family is Family.JOB else None,
        resumed=youngest if youngest > first.since else None,
        purpose=meant,
        purpose_evidence=evidence,
        purpose_ruled=ruled,
        parting=max(pod.grace for pod in one.pods),
        hooked=any(pod.pre_stop for pod in one.pods),
        reverter=_reverter(one, seen),
        doubt=_doubt(one) or held.doubt,
    )


def _reverter(one: Held, seen: Seen) -> str:
    """Return why it is only told of; what is not seen of it is looked at before an act."""
    if one.top.meta is None:
        return f"nobody knows how a {one.top.reference.kind} is stopped"
    return refusal(one.top.meta, scalers=seen.scalers, queued=one.queued is not None)


def _doubt(one: Held) -> str:
    if one.top.doubt:
        return one.top.doubt
    for pod in one.pods:
        if pod.doubt:
            return f"pod {pod.meta.name}: {pod.doubt}"
    if all(pod.meta.deleted for pod in one.pods):
        return "all of its pods are being deleted"
    return ""


def _telling(pods: Sequence[Pod]) -> Pod:
    """Return the pod that tells of a person, else the oldest: one session among many is one."""
    return next((pod for pod in pods if personal(pod)), pods[0])


def _queue(one: Held) -> str:
    if one.queued is not None:
        return one.queued.queue
    metas = [one.top.meta, *(pod.meta for pod in one.pods)]
    return next((meta.labels[QUEUE] for meta in metas if meta and QUEUE in meta.labels), "")


def _labels(one: Held) -> tuple[str, ...]:
    said = dict(one.pods[0].meta.labels) | dict(one.top.meta.labels if one.top.meta else {})
    kept = (f"{key}={value}" for key, value in said.items() if not key.startswith(_MADE_UP))
    return tuple(sorted(kept)[:_MOST_LABELS])


class _Queues:
    """Kueue's workloads by what they stand for."""

    def __init__(self, seen: Seen) -> None:
        known = sorted(seen.queued.values(), key=lambda one: (one.admitted, one.meta.uid))
        self._by_owner = {owner.uid: one for one in known for owner in one.meta.owners}
        self._by_name = {(one.meta.namespace, one.meta.name): one for one in known}
        self._trouble = seen.trouble.get("Workload", "")

    def group(self, pod: Pod) -> Top | None:
        """Return the workload of a pod that is one of a group of Kueue's, else None."""
        name = pod.meta.labels.get(POD_GROUP, "")
        if not name or pod.meta.controller is not None:
            return None
        namespace = pod.meta.namespace
        found = self._by_name.get((namespace, name))
        if found is not None:
            return Top(reference=found.meta.reference, meta=found.meta)
        why = f": {self._trouble}" if self._trouble else ", or is not seen"
        reference = Reference(group=GROUP, kind="Workload", namespace=namespace, name=name)
        return Top(reference=reference, doubt=f"Kueue's workload of pod group {name} is gone{why}")

    def of(self, found: Top, pods: Sequence[Pod]) -> Queued | None:
        """Return what Kueue holds of a workload, or of one of the controllers below it."""
        uids = [found.reference.uid, *(one.uid for one in found.chain), *(pod.uid for pod in pods)]
        if found.reference.group == GROUP:
            return self._by_name.get((found.reference.namespace, found.reference.name))
        return next((self._by_owner[uid] for uid in uids if uid in self._by_owner), None)
