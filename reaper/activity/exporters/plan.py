"""
What a page's series mean, worked out once for each layout: identities, and slots of numbers.

Labels hold all that changes seldom, so a plan stands as long as the page keeps its shape.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from exporter.contract import catalog
from exporter.contract.catalog import Family
from exporter.contract.node_name import is_name
from reaper.activity.exporters.places import PLACES, DevicePlan, Places
from reaper.activity.exposition import PageError, Series
from reaper.domain.facts.device import Device, SignalState

#: Contract versions that are understood: this one and the one before it.
UNDERSTOOD: Final = (catalog.VERSION, catalog.VERSION - 1)

#: Devices of a node: sixteen cards cut into seven instances each are 128.
DEVICES: Final = 256
#: Words about their signals: a device has some thirteen.
SIGNALS: Final = 16 * DEVICES
#: Of each family that jobs bring along: their shares of devices, pressures, signals, tenants.
OF_JOBS: Final = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One layout's meaning; `ones` are the slots of info series, each of which must be 1."""

    node: str
    contract: str
    started: int
    sample_age: int | None
    ones: Sequence[int]
    devices: tuple[Device, ...]
    slots: Mapping[str, DevicePlan]
    signals: tuple[SignalState, ...]
    shares: tuple[tuple[Series, int], ...]
    pressures: tuple[tuple[Series, int], ...]
    receivers: tuple[tuple[Series, int], ...]
    network: tuple[tuple[Series, int], ...] = ()
    tenants: tuple[tuple[Series, int], ...] = ()
    twice: frozenset[str] = frozenset()
    """Devices with two identities on one page."""


Found = Mapping[str, Sequence[tuple[Series, int]]]
"""Numbered series by family."""


def plan(series: Iterable[tuple[int, Series]]) -> Plan:
    """Work out numbered series; raise PageError when they are no page that we understand."""
    found: dict[str, list[tuple[Series, int]]] = {}
    for slot, item in series:
        found.setdefault(item.name, []).append((item, slot))
    signals = tuple(_signal(item) for item, _ in found.get(catalog.SIGNAL_INFO.name, ()))
    ones = tuple(slot for family in INFOS for _, slot in found.get(family.name, ()))
    return planned(found, slots=_slots(found), signals=signals, ones=ones)


def planned(
    found: Found,
    *,
    slots: Mapping[str, DevicePlan],
    signals: tuple[SignalState, ...],
    ones: Sequence[int],
) -> Plan:
    """Work out a target's identity and jobs; what its devices count is known; raise PageError."""
    contract = _contract(found)
    node = _only(found, catalog.NODE_INFO).label("node")
    if not node:
        raise PageError(f"{catalog.NODE_INFO.name} names no node; start the exporter with --node")
    if not is_name(node):
        raise PageError(f"{node[:60]!r}, {len(node)} letters, is no node's name")
    _bounded(found)
    devices = tuple(_device(item, node) for item, _ in found.get(catalog.INFO.name, ()))
    names = Counter(device.gpu for device in devices)
    return Plan(
        node=node,
        contract=contract,
        started=_slot(found, catalog.EXPORTER_START),
        sample_age=next((slot for _, slot in found.get(catalog.SAMPLE_AGE.name, ())), None),
        ones=ones,
        devices=devices,
        slots=slots,
        signals=signals,
        shares=tuple(found.get(catalog.ALLOCATION_SHARE.name, ())),
        pressures=tuple(found.get(catalog.PRESSURE.name, ())),
        receivers=tuple(found.get(catalog.CATCHES_SIGNAL.name, ())),
        network=tuple(found.get(catalog.NETWORK.name, ())),
        tenants=tuple(found.get(catalog.ALLOCATION_ENGINE.name, ())),
        twice=frozenset(name for name, count in names.items() if count > 1),
    )


#: How often a family may stand on a page.
MOST: Final[Mapping[Family, int]] = {
    catalog.INFO: DEVICES,
    catalog.SIGNAL_INFO: SIGNALS,
    catalog.ALLOCATION_SHARE: OF_JOBS,
    catalog.PRESSURE: OF_JOBS,
    catalog.CATCHES_SIGNAL: OF_JOBS,
    catalog.ALLOCATION_ENGINE: OF_JOBS,
    catalog.NETWORK: OF_JOBS,
}

#: Families of identities: each of their numbers must be 1.
INFOS: Final = (catalog.BUILD_INFO, catalog.NODE_INFO, catalog.INFO, catalog.SIGNAL_INFO)


def _bounded(found: Found) -> None:
    """Raise PageError for more than any node has: it would take the time of all others."""
    for family, most in MOST.items():
        count = len(found.get(family.name, ()))
        if count > most:
            raise PageError(f"{family.name} stands {count} times on the page; at most {most} do")


def _contract(found: Found) -> str:
    if catalog.BUILD_INFO.name not in found:
        first = next(iter(found), "nothing")
        raise PageError(
            f"this is no gpu-exporter's page: no {catalog.BUILD_INFO.name}, but {first}"
        )
    contract = _only(found, catalog.BUILD_INFO).label("contract")
    if contract not in {str(version) for version in UNDERSTOOD}:
        raise PageError(
            f"the exporter speaks contract {contract!r} and this reaper {UNDERSTOOD[1]} and "
            f"{UNDERSTOOD[0]}; upgrade the older one"
        )
    return contract


def _only(found: Found, family: Family) -> Series:
    items = found.get(family.name, [])
    if len(items) != 1:
        raise PageError(f"{family.name} stands {len(items)} times on the page instead of once")
    return items[0][0]


def _slot(found: Found, family: Family) -> int:
    _only(found, family)
    return found[family.name][0][1]


def _device(series: Series, node: str) -> Device:
    label = series.labels.get
    return Device(
        gpu=label("gpu", ""),
        node=node,
        index=_integer(label("index", "")),
        minor=_integer(label("minor", "")),
        pci_bus_id=label("pci_bus_id", ""),
        gres_index=_integer(label("gres_index", "")),
        gres_source=label("gres_source", ""),
        model=label("model", ""),
        architecture=label("architecture", ""),
        mig_profile=label("mig_profile", ""),
        parent=label("parent", ""),
        generation=label("generation", ""),
    )


def _integer(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _signal(series: Series) -> SignalState:
    label = series.labels.get
    return SignalState(
        gpu=label("gpu", ""),
        signal=label("signal", ""),
        source=label("source", ""),
        state=label("state", ""),
        reason=label("reason", ""),
    )


def _slots(found: Found) -> dict[str, DevicePlan]:
    places: dict[str, Places] = {}
    for name, (label, put) in PLACES.items():
        for series, slot in found.get(name, ()):
            gpu = series.label("gpu")
            if gpu not in places:
                places[gpu] = Places()
            put(places[gpu], series.label(label), slot)
    return {gpu: item.plan() for gpu, item in places.items()}
