"""Reads nodes, quotas of namespaces, and workloads as they stand."""

from collections.abc import Mapping
from typing import Any, Final

from reaper.platforms.kubernetes.objects.counting import GPUS, Resources, counted
from reaper.platforms.kubernetes.objects.metas import meta
from reaper.platforms.kubernetes.objects.record import Node, Quota, Taint, Workload
from reaper.platforms.kubernetes.objects.scalars import Reading

_READY: Final = {"True": True, "False": False}
#: A quota limits extended resources by their requests alone.
_REQUESTS: Final = "requests."


def node(raw: Mapping[str, Any], resources: Resources = GPUS) -> Node:
    """Return a node with the GPUs that it can give out (allocatable)."""
    notes = Reading()
    about = meta(raw, "", "Node", notes)
    spec, status = notes.within(raw, "spec"), notes.within(raw, "status")
    taints = tuple(
        Taint(
            key=notes.text(entry, "key"),
            value=notes.text(entry, "value"),
            effect=notes.text(entry, "effect"),
        )
        for entry in notes.each(spec, "taints")
    )
    gpus = counted(notes.within(status, "allocatable"), resources, notes)
    return Node(
        meta=about,
        gpus={name: number for name, number in gpus.items() if number},
        ready=_READY.get(_conditions(status, notes).get("Ready", "")),
        cordoned=notes.flag(spec, "unschedulable"),
        taints=taints,
        doubt="; ".join(notes.odd[:3]),
    )


def quota(raw: Mapping[str, Any], resources: Resources = GPUS) -> Quota:
    """Return a ResourceQuota's GPUs."""
    notes = Reading()
    about = meta(raw, "", "ResourceQuota", notes)
    status = notes.within(raw, "status")
    hard = notes.within(status, "hard") or notes.within(raw, "spec", "hard")
    return Quota(
        meta=about,
        hard=_limited(hard, resources, notes),
        used=_limited(notes.within(status, "used"), resources, notes),
    )


def workload(raw: Mapping[str, Any], group: str = "", kind: str = "") -> Workload:
    """Return a workload of any kind, as it stands."""
    notes = Reading()
    about = meta(raw, group, kind, notes)
    spec = notes.within(raw, "spec")
    policy = notes.within(spec, "runPolicy")
    said = [part[name] for part in (spec, policy) for name in ("suspend", "paused") if name in part]
    return Workload(
        meta=about,
        replicas=notes.count(spec, "replicas"),
        suspended=any(value is True for value in said) if said else None,
        conditions=_conditions(notes.within(raw, "status"), notes),
    )


def _limited(amounts: Mapping[str, Any], resources: Resources, notes: Reading) -> dict[str, int]:
    plain = {
        name.removeprefix(_REQUESTS): amount
        for name, amount in amounts.items()
        if name.startswith(_REQUESTS)
    }
    return counted(plain, resources, notes)


def _conditions(status: Mapping[str, Any], notes: Reading) -> dict[str, str]:
    return {
        notes.text(entry, "type"): notes.text(entry, "status")
        for entry in notes.each(status, "conditions")
    }
