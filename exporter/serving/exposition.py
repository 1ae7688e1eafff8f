"""
Turns the state into rows by family: one function per group of facts, in the catalogue's words.

A reading that is too old leaves the page; its signal is then `stale`, with the reason.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar, get_args

from exporter.contract import catalog
from exporter.contract.catalog import Family
from exporter.sampling.ownership import Ownership
from exporter.sampling.snapshot import (
    Absent,
    Activity,
    Cadence,
    CaughtSignal,
    DeviceProcesses,
    GresIndex,
    Memory,
    MemoryUse,
    PowerUse,
    TenantUse,
)
from exporter.sampling.state import DeviceState, NodeState
from exporter.serving.vitals import Moment, RowsByFamily, add_vitals

_Reading = TypeVar("_Reading", Activity, MemoryUse, PowerUse, DeviceProcesses, TenantUse)

_CADENCES: Final[tuple[Cadence, ...]] = get_args(Cadence)
_MINUTE: Final = 60
#: Devices whose rows are made without a stop.
_FEW: Final = 8
_UNSEEN: Final = "nobody looked for more than three periods"


def metrics(state: NodeState, moment: Moment) -> RowsByFamily:
    """Return every row of ``/metrics``."""
    return {**node(state, moment), **devices(state, moment)}


def node(state: NodeState, moment: Moment) -> RowsByFamily:
    """Return the rows about the exporter, its sources and the holders: few, and always young."""
    rows: RowsByFamily = defaultdict(list)
    add_vitals(rows, state, moment)
    _add_attribution(rows, state, moment.now)
    return rows


def devices(state: NodeState, moment: Moment) -> RowsByFamily:
    """Return the rows about devices: many, and new with each round."""
    rows: RowsByFamily = {}
    for so_far in devices_gradually(state, moment):
        rows = so_far
    return rows


def devices_gradually(state: NodeState, moment: Moment) -> Iterator[RowsByFamily]:
    """Yield the growing rows about devices after each few of them; the last ones are all."""
    rows: RowsByFamily = defaultdict(list)
    look = _Look.at(state, moment)
    for number, device in enumerate(tuple(state.devices.values()), 1):
        _DeviceRows(rows, look, device).add()
        if number % _FEW == 0:
            yield rows
    yield rows


def people(state: NodeState, now: float) -> RowsByFamily:
    """Return every row of ``/metrics/people`` at `now`; times are cut to whole minutes."""
    rows: RowsByFamily = defaultdict(list)
    for finding in state.attributions(now):
        for item in finding.sessions:
            uid = "" if item.uid is None else str(item.uid)
            labels = (item.platform, item.allocation, item.kind, uid)
            last = item.last_activity
            minute = math.nan if last is None else last // _MINUTE * _MINUTE
            rows[catalog.SESSION_ACTIVITY.name].append((labels, minute))
            rows[catalog.SESSIONS.name].append((labels, item.count))
            if item.doubtful:
                rows[catalog.DOUBTFUL.name].append((labels, item.doubtful))
    return rows


def _add_attribution(rows: RowsByFamily, state: NodeState, now: float) -> None:
    for finding in state.attributions(now):
        for share in finding.shares:
            labels = (share.gpu, share.platform, share.allocation)
            rows[catalog.ALLOCATION_SHARE.name].append((labels, share.share))
        for item in finding.caught:
            rows[catalog.CATCHES_SIGNAL.name].append((_receiver(item), int(item.caught)))
        for card in finding.traffic:
            rows[catalog.NETWORK.name].append(((card.device, "received"), card.received))
            rows[catalog.NETWORK.name].append(((card.device, "sent"), card.sent))
    _add_ownership(rows, state, now)
    for key, count in state.pressure.items():
        rows[catalog.PRESSURE.name].append((key, count.total))


def _receiver(item: CaughtSignal) -> tuple[str, ...]:
    return item.platform, item.allocation, item.target, item.signal


def _add_ownership(rows: RowsByFamily, state: NodeState, now: float) -> None:
    known: dict[str, Ownership] = {}
    for finding in state.attributions(now):
        for said in finding.ownership:
            if said.gpu not in known or known[said.gpu].state != "held":
                known[said.gpu] = said
    for gpu in state.devices:
        one = known.get(gpu)
        labels = (one.state, one.source, one.reason) if one else ("unknown", "none", _UNSEEN)
        rows[catalog.OWNERSHIP_INFO.name].append(((gpu, *labels), 1))
        if one is not None:
            rows[catalog.OWNERSHIP_AGE.name].append(((gpu,), round(max(0.0, now - one.at), 3)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What is the same for every device of a page: the moment, and how old a reading may be."""

    moment: Moment
    oldest: Mapping[Cadence, float]
    gres: Mapping[str, GresIndex]

    @classmethod
    def at(cls, state: NodeState, moment: Moment) -> "_Look":
        """Prepare for a page."""
        oldest = {cadence: state.oldest(cadence, moment.now) for cadence in _CADENCES}
        if moment.released is not None:
            oldest = dict.fromkeys(_CADENCES, math.inf)
        return cls(moment=moment, oldest=oldest, gres=state.gres(moment.now))


class _DeviceRows:
    """Writes one device's rows; `gpu` is the only label of its fast series."""

    def __init__(self, rows: RowsByFamily, look: _Look, device: DeviceState) -> None:
        self._rows = rows
        self._moment = look.moment
        self._oldest = look.oldest
        self._gres = look.gres.get(device.device.uuid)
        self._device = device
        self._gpu = device.device.uuid

    def add(self) -> None:
        """Add everything that is known of the device."""
        self._add_identity()
        self._add_signals()
        self._add_counters()
        self._add_memory()
        self._add_power()
        self._add_health()
        self._add_processes()
        self._add_tenants()

    def _put(self, family: Family, value: float, *labels: str) -> None:
        self._rows[family.name].append(((self._gpu, *labels), value))

    def _add_identity(self) -> None:
        who, gres = self._device.device, self._gres
        labels = (
            str(who.index),
            "" if who.minor is None else str(who.minor),
            who.pci_bus_id,
            gres.index if gres else who.gres_index,
            gres.source if gres else who.gres_source,
            who.model,
            who.architecture,
            who.mig_profile,
            who.parent,
            f"{who.generation}.{self._device.epoch}",
        )
        self._put(catalog.INFO, 1, *labels)
        self._put(catalog.DEVICE_LOST, int(self._device.lost))

    def _add_signals(self) -> None:
        for signal, source, state, reason in self._signals():
            self._put(catalog.SIGNAL_INFO, 1, signal, source, state, reason)

    def _signals(self) -> Iterator[tuple[str, str, str, str]]:
        activity = self._fresh(self._device.activity, "activity")
        for name in catalog.ACTIVITY_SIGNALS:
            yield name, *self._origin(activity.signals.get(name) if activity else None)
        for name in catalog.LINKS:
            yield name, *self._origin(activity.links.get(name) if activity else None)
        memory = self._fresh(self._device.memory, "memory")
        yield "memory", *self._origin(memory.memory if memory else None)
        power = self._fresh(self._device.power, "memory")
        source = power.source if power else "none"
        yield "power", *self._origin(power.power if power else None, source)
        found = self._fresh(self._device.processes, "proc")
        source = found.source if found else "none"
        yield "processes", *self._origin(found.processes if found else None, source)
        use = self._fresh(self._device.tenants, "activity")
        if use is not None:
            yield catalog.TENANT, *self._origin(use.tenants, use.source)

    def _origin(self, value: object, source: str = "none") -> tuple[str, str, str]:
        if isinstance(value, Absent):
            return "none", value.state, value.reason
        if value is None:
            return "none", *self._silence()
        return getattr(value, "source", source), "ok", getattr(value, "note", "")

    def _silence(self) -> tuple[str, str]:
        if self._device.gone:
            return "lost", "the driver no longer lists the device"
        if self._moment.released is not None:
            return "paused", "the driver is let go on request"
        if self._moment.stuck is not None:
            return "stale", f"the driver call {self._moment.stuck[0]} has not returned"
        return "stale", self._moment.trouble or "not read for more than three periods"

    def _fresh(self, item: _Reading | None, cadence: Cadence) -> _Reading | None:
        if item is None or self._device.gone or item.at < self._oldest[cadence]:
            return None
        return item

    def _add_counters(self) -> None:
        tally = self._device.tally
        if tally.advanced is not None:
            stamp = round(tally.advanced + self._moment.wall_offset, 3)
            self._put(catalog.SAMPLE_TIMESTAMP, stamp)
        for signal, seconds in tally.observed.items():
            self._put(catalog.OBSERVED, seconds, signal)
        for signal, seconds in tally.active.items():
            self._put(catalog.ACTIVE_COUNTERS[signal], seconds)
        if tally.advanced is not None:
            for edge, seconds in zip(catalog.EDGES, tally.above, strict=True):
                self._put(catalog.ACTIVITY_ABOVE, seconds, edge)
        for link, (sent, received) in tally.links.items():
            self._put(catalog.LINK_BYTES, sent, link, "sent")
            self._put(catalog.LINK_BYTES, received, link, "received")
        if tally.energy is not None:
            self._put(catalog.ENERGY, tally.energy)
        for reason, seconds in tally.throttled.items():
            self._put(catalog.THROTTLED, seconds, reason)
        for signal, count in tally.clamped.items():
            self._put(catalog.CLAMPED, count, signal)

    def _add_memory(self) -> None:
        use = self._fresh(self._device.memory, "memory")
        if use is not None and isinstance(use.memory, Memory):
            self._put(catalog.MEMORY_USED, use.memory.used)
            self._put(catalog.MEMORY_TOTAL, use.memory.total)

    def _add_power(self) -> None:
        use = self._fresh(self._device.power, "memory")
        if use is None:
            return
        if not isinstance(use.power, Absent):
            self._put(catalog.POWER, use.power)
        if use.limit is not None:
            self._put(catalog.POWER_LIMIT, use.limit)

    def _add_health(self) -> None:
        tally = self._device.tally
        for xid, (count, wall) in tally.xids.items():
            self._put(catalog.XID, count, str(xid))
            self._put(catalog.XID_LAST, wall, str(xid))
        for kind, count in tally.ecc.items():
            self._put(catalog.ECC, count, kind)
        health = self._device.health
        if health is None or health.at < self._oldest["health"]:
            return
        if health.temperature is not None:
            self._put(catalog.TEMPERATURE, health.temperature)
        if health.sm_clock is not None:
            self._put(catalog.SM_CLOCK, health.sm_clock)
        for kind, rows in health.remapped_rows.items():
            self._put(catalog.ROW_REMAP, rows, kind)

    def _add_processes(self) -> None:
        found = self._fresh(self._device.processes, "proc")
        if found is not None and not isinstance(found.processes, Absent):
            self._put(catalog.PROCESSES, len(found.processes))

    def _add_tenants(self) -> None:
        if self._fresh(self._device.tenants, "activity") is None:
            return
        for (platform, allocation), seconds in self._device.tally.tenants.items():
            self._put(catalog.ALLOCATION_ENGINE, seconds, platform, allocation)
