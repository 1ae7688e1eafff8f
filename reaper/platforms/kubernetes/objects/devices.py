"""
Reads what dynamic resource allocation (DRA) says: claims with their devices, and slices of nodes.

``resource.k8s.io`` v1, v1beta2 and v1beta1, which differ in how deep the same fields lie.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from reaper.platforms.kubernetes.objects.metas import meta
from reaper.platforms.kubernetes.objects.record import Meta
from reaper.platforms.kubernetes.objects.scalars import Reading

#: The DRA drivers whose devices are GPUs.
DRIVERS: Final = frozenset(("gpu.nvidia.com",))


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Given:
    """A device given out: its driver, pool and name; `admin` is access beside its holder."""

    driver: str
    pool: str
    device: str
    admin: bool = False
    share: str = ""
    """Which part of it, where several may have one at a time (KEP-5075)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceClaim:
    """
    A DRA claim: what it was given (None before), and the UIDs of the pods that use it.

    `others` tells that something that is no pod uses it too.
    """

    meta: Meta
    classes: tuple[str, ...] = ()
    given: tuple[Given, ...] | None = None
    pods: tuple[str, ...] = ()
    others: bool = False
    wanted: int = 0
    """How many devices it asks for, of what it asks for first."""
    doubt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """
    A device that a driver offers: its UUID and model where the driver says them.

    `cut` tells that it is a part that the driver would cut out of a card when asked.
    """

    name: str
    uuid: str = ""
    model: str = ""
    kind: str = ""
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceSlice:
    """The devices of one pool of a driver, or a part of them; `generation` of the pool."""

    meta: Meta
    driver: str
    pool: str
    node: str = ""
    generation: int = 0
    devices: Mapping[str, Device] = field(default_factory=dict)


def resource_claim(raw: Mapping[str, Any]) -> ResourceClaim:
    """Return a claim; what of it cannot be read is its doubt."""
    notes = Reading()
    about = meta(raw, "resource.k8s.io", "ResourceClaim", notes)
    requests = [
        _request(entry, notes)
        for entry in notes.each(notes.within(raw, "spec", "devices"), "requests")
    ]
    status = notes.within(raw, "status")
    users = list(notes.each(status, "reservedFor"))
    return ResourceClaim(
        meta=about,
        classes=tuple(sorted({name for name, _ in requests if name})),
        given=tuple(_given(status, notes)) if notes.within(status, "allocation") else None,
        pods=tuple(notes.text(user, "uid") for user in users if user.get("resource") == "pods"),
        others=any(user.get("resource") != "pods" for user in users),
        wanted=sum(number for _, number in requests),
        doubt="; ".join(notes.odd[:3]),
    )


def resource_slice(raw: Mapping[str, Any]) -> ResourceSlice:
    """Return a slice with the devices that can be read."""
    notes = Reading()
    about = meta(raw, "resource.k8s.io", "ResourceSlice", notes)
    spec = notes.within(raw, "spec")
    pool = notes.within(spec, "pool")
    devices = [_device(entry, notes) for entry in notes.each(spec, "devices")]
    return ResourceSlice(
        meta=about,
        driver=notes.text(spec, "driver"),
        pool=notes.text(pool, "name"),
        node=notes.text(spec, "nodeName"),
        generation=notes.count(pool, "generation") or 0,
        devices={device.name: device for device in devices if device.name},
    )


def _request(raw: Mapping[str, Any], notes: Reading) -> tuple[str, int]:
    """Return the device class and the number of a request; none for what an administrator sees."""
    asked = notes.within(raw, "exactly") or next(notes.each(raw, "firstAvailable"), raw)
    if notes.flag(asked, "adminAccess"):
        return "", 0
    number = notes.count(asked, "count") if "count" in asked else 1
    return notes.text(asked, "deviceClassName"), 1 if number is None else number


def _given(status: Mapping[str, Any], notes: Reading) -> Iterator[Given]:
    for entry in notes.each(notes.within(status, "allocation", "devices"), "results"):
        yield Given(
            driver=notes.text(entry, "driver"),
            pool=notes.text(entry, "pool"),
            device=notes.text(entry, "device"),
            admin=notes.flag(entry, "adminAccess"),
            share=notes.text(entry, "shareID"),
        )


def _device(raw: Mapping[str, Any], notes: Reading) -> Device:
    held = notes.within(raw, "basic") or raw
    attributes = notes.within(held, "attributes")
    said = {
        name.rpartition("/")[2]: notes.text(value, "string")
        for name, value in attributes.items()
        if isinstance(value, Mapping)
    }
    return Device(
        name=notes.text(raw, "name"),
        uuid=said.get("uuid", ""),
        model=said.get("productName", ""),
        kind=said.get("type", ""),
        cut=bool(held.get("consumesCounters")),
    )
