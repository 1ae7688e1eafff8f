"""Reads what every object has: who it is, who owns it, what is written on it."""

import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

from reaper.platforms.kubernetes.objects.kinds import kind_of
from reaper.platforms.kubernetes.objects.record import Meta, Reference, Written
from reaper.platforms.kubernetes.objects.scalars import Reading

#: Our own annotations.
OURS: Final = "gpu-reaper.io/"


def meta(
    raw: Mapping[str, Any], group: str = "", kind: str = "", reading: Reading | None = None
) -> Meta:
    """
    Return the metadata of an object, whole or metadata only.

    `group` and `kind` are those of the list that it came in: items of a list do not say theirs.
    """
    notes = reading or Reading()
    data = notes.within(raw, "metadata")
    if not kind:
        kind = notes.text(raw, "kind")
        group = group_of(notes.text(raw, "apiVersion"))
    namespace = notes.text(data, "namespace")
    owners = [
        (entry.get("controller") is True, _owner(entry, namespace, notes))
        for entry in notes.each(data, "ownerReferences")
    ]
    reference = Reference(
        group=group,
        kind=kind,
        namespace=namespace,
        name=notes.text(data, "name"),
        uid=notes.text(data, "uid"),
    )
    return Meta(
        reference=reference,
        version=notes.text(data, "resourceVersion"),
        created=notes.instant(data, "creationTimestamp") or 0.0,
        ending=notes.instant(data, "deletionTimestamp"),
        controller=next((owner for controls, owner in owners if controls), None),
        owners=tuple(owner for _, owner in owners),
        labels=notes.words(data, "labels"),
        annotations=notes.words(data, "annotations", longest=4096),
        written=dict(_written(data, notes)),
        managers=_managers(data, notes),
        odd="; ".join(notes.odd),
    )


def group_of(version: str) -> str:
    """Return the group of an apiVersion: ``apps`` of ``apps/v1``, "" of ``v1``."""
    group, slash, _ = version.rpartition("/")
    return group if slash else ""


def _owner(entry: Mapping[str, Any], namespace: str, notes: Reading) -> Reference:
    group, kind = group_of(notes.text(entry, "apiVersion")), notes.text(entry, "kind")
    known = kind_of(group, kind)
    return Reference(
        group=group,
        kind=kind,
        namespace=namespace if known is None or known.namespaced else "",
        name=notes.text(entry, "name"),
        uid=notes.text(entry, "uid"),
    )


def _managers(data: Mapping[str, Any], notes: Reading) -> tuple[str, ...]:
    """Return the names under which anybody has written, the newest first, each once."""
    entries = sorted(
        notes.each(data, "managedFields"), key=lambda one: notes.text(one, "time"), reverse=True
    )
    return tuple(dict.fromkeys(sys.intern(notes.text(one, "manager")) for one in entries))


def _written(data: Mapping[str, Any], notes: Reading) -> Iterator[tuple[str, Written]]:
    """Yield our annotations with who manages them, the latest writer last."""
    found: list[tuple[float, str, Written]] = []
    for entry in notes.each(data, "managedFields"):
        fields = notes.within(entry, "fieldsV1", "f:metadata", "f:annotations")
        ours = [name[2:] for name in fields if name.startswith(f"f:{OURS}")]
        if ours:
            at = notes.instant(entry, "time")
            written = Written(manager=notes.text(entry, "manager"), at=at)
            found += [(at or 0.0, name, written) for name in ours]
    for _, name, written in sorted(found, key=lambda item: (item[0], item[1])):
        yield name, written
