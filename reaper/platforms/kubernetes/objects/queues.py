"""Reads Kueue's queues (``kueue.x-k8s.io`` v1beta1 and v1beta2): what waits, and for what."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from reaper.platforms.kubernetes.objects.counting import GPUS, Resources, effective
from reaper.platforms.kubernetes.objects.metas import meta
from reaper.platforms.kubernetes.objects.pods import wants
from reaper.platforms.kubernetes.objects.record import Meta, Taint, Wants
from reaper.platforms.kubernetes.objects.scalars import Reading

GROUP: Final = "kueue.x-k8s.io"
#: On a job or pod: the queue that it goes through.
QUEUE: Final = "kueue.x-k8s.io/queue-name"
#: On pods by themselves that are one workload.
POD_GROUP: Final = "kueue.x-k8s.io/pod-group-name"


@dataclass(frozen=True, slots=True, kw_only=True)
class PodSet:
    """So many equal pods of a workload, with the GPUs of each."""

    name: str
    count: int
    gpus: Mapping[str, int] = field(default_factory=dict)
    wants: Wants = field(default_factory=Wants)


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """
    A Workload of Kueue's; `admitted` when it may run, `finished` when it has.

    `cluster_queue` is the one that admitted it.  `why` is what Kueue says of its waiting.
    """

    meta: Meta
    queue: str
    active: bool = True
    admitted: bool = False
    reserved: bool = False
    finished: bool = False
    cluster_queue: str = ""
    flavors: tuple[str, ...] = ()
    sets: tuple[PodSet, ...] = ()
    why: str = ""
    waiting_since: float | None = None
    priority_class: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalQueue:
    """A namespace's way into a cluster queue."""

    meta: Meta
    cluster_queue: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What a cluster queue has of a resource in a flavor; `used` None where it does not say."""

    flavor: str
    resource: str
    nominal: int
    used: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterQueue:
    """A quota of GPUs by flavor; `stopped` when its administrator holds it."""

    meta: Meta
    cohort: str = ""
    shares: tuple[Share, ...] = ()
    stopped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Flavor:
    """A kind of node by its labels and taints."""

    meta: Meta
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[Taint, ...] = ()


def queued(raw: Mapping[str, Any], resources: Resources = GPUS) -> Queued:
    """Return a Workload."""
    notes = Reading()
    about = meta(raw, GROUP, "Workload", notes)
    spec, status = notes.within(raw, "spec"), notes.within(raw, "status")
    conditions = {notes.text(one, "type"): one for one in notes.each(status, "conditions")}
    admission = notes.within(status, "admission")
    holds = {name: one.get("status") == "True" for name, one in conditions.items()}
    waits = conditions.get("QuotaReserved", {})
    priority = notes.within(spec, "priorityClassRef")
    return Queued(
        meta=about,
        queue=notes.text(spec, "queueName"),
        active=notes.flag(spec, "active", default=True),
        admitted=holds.get("Admitted", False),
        reserved=holds.get("QuotaReserved", False),
        finished=holds.get("Finished", False),
        cluster_queue=notes.text(admission, "clusterQueue"),
        flavors=tuple(sorted(set(_flavors(admission, resources, notes)))),
        sets=tuple(_sets(spec, resources, notes)),
        why="" if holds.get("QuotaReserved") else notes.text(waits, "message")[:500],
        waiting_since=notes.instant(waits, "lastTransitionTime"),
        priority_class=notes.text(spec, "priorityClassName") or notes.text(priority, "name"),
    )


def local_queue(raw: Mapping[str, Any]) -> LocalQueue:
    """Return a LocalQueue."""
    notes = Reading()
    about = meta(raw, GROUP, "LocalQueue", notes)
    return LocalQueue(
        meta=about, cluster_queue=notes.text(notes.within(raw, "spec"), "clusterQueue")
    )


def cluster_queue(raw: Mapping[str, Any], resources: Resources = GPUS) -> ClusterQueue:
    """Return a ClusterQueue with its quota of GPUs and what of it is in use."""
    notes = Reading()
    about = meta(raw, GROUP, "ClusterQueue", notes)
    spec, status = notes.within(raw, "spec"), notes.within(raw, "status")
    key = "flavorsReservation" if "flavorsReservation" in status else "flavorsUsage"
    used = {
        (flavor, resource): amount
        for flavor, resource, amount in _amounts(status, key, "total", resources, notes)
    }
    shares = tuple(
        Share(flavor=flavor, resource=resource, nominal=nominal, used=used.get((flavor, resource)))
        for group in notes.each(spec, "resourceGroups")
        for flavor, resource, nominal in _amounts(
            group, "flavors", "nominalQuota", resources, notes
        )
    )
    return ClusterQueue(
        meta=about,
        cohort=notes.text(spec, "cohortName") or notes.text(spec, "cohort"),
        shares=shares,
        stopped=notes.text(spec, "stopPolicy") not in {"", "None"},
    )


def flavor(raw: Mapping[str, Any]) -> Flavor:
    """Return a ResourceFlavor."""
    notes = Reading()
    about = meta(raw, GROUP, "ResourceFlavor", notes)
    spec = notes.within(raw, "spec")
    taints = tuple(
        Taint(
            key=notes.text(one, "key"),
            value=notes.text(one, "value"),
            effect=notes.text(one, "effect"),
        )
        for one in notes.each(spec, "nodeTaints")
    )
    return Flavor(meta=about, labels=notes.words(spec, "nodeLabels"), taints=taints)


def _flavors(admission: Mapping[str, Any], resources: Resources, notes: Reading) -> Iterator[str]:
    for assigned in notes.each(admission, "podSetAssignments"):
        chosen = notes.words(assigned, "flavors")
        yield from (name for resource, name in chosen.items() if resources.cover(resource))


def _sets(spec: Mapping[str, Any], resources: Resources, notes: Reading) -> Iterator[PodSet]:
    for entry in notes.each(spec, "podSets"):
        template = notes.within(entry, "template", "spec")
        number = notes.count(entry, "count")
        yield PodSet(
            name=notes.text(entry, "name"),
            count=1 if number is None else number,
            gpus=effective(template, resources, notes),
            wants=wants(template, notes),
        )


def _amounts(
    raw: Mapping[str, Any], key: str, amount: str, resources: Resources, notes: Reading
) -> Iterator[tuple[str, str, int]]:
    for entry in notes.each(raw, key):
        for one in notes.each(entry, "resources"):
            name = notes.text(one, "name")
            number = notes.count(one, amount)
            if number is not None and resources.cover(name):
                yield notes.text(entry, "name"), name, number
