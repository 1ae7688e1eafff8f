"""
What an exporter of gauges says: which device, which signal, in base units; whose, as a hint.

A blank value is no value.  A card that shows MIG instances is no device of its own, and what its
instances repeat of the board is not theirs.
Pure.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Final

from exporter.contract.catalog import ACTIVITY_SIGNALS, LINKS
from reaper.activity.prometheus.gauges.dcgm_nodes import NodeLabels
from reaper.activity.prometheus.gauges.dialects import DCGM, Dialect, Field
from reaper.activity.prometheus.queries.answer import Metric, RawSeries
from reaper.activity.prometheus.queries.columns import NAME
from reaper.domain.facts.device import FOREIGN, Device, SignalState
from reaper.domain.facts.share import Share

#: DCGM's blanks of 32 and 64 bits and of floats, each with not found, unsupported, no permission.
_BLANKS: Final = frozenset(
    float(blank + offset)
    for blank in (0x7FFFFFF0, 0x7FFFFFFFFFFFFFF0, 140737488355328)
    for offset in range(4)
)
#: Of the whole board, also where an instance's row repeats it.
_OF_BOARD: Final = frozenset(("power", "pcie", "nvlink", "codec", "engine"))
#: A ratio may exceed one: DCGM showed 1.29 on MIG.
_SLACK: Final = 1.5


@dataclass(slots=True, kw_only=True)
class Sampled:
    """A device as one minute's series show it; `samples` by series, then by time."""

    device: Device
    samples: dict[str, dict[float, float]] = field(default_factory=dict)
    shares: dict[tuple[str, str], Share] = field(default_factory=dict)
    dialect: Dialect = DCGM

    def signal(self, chosen: Field) -> dict[float, float]:
        """Return a signal's samples; of two spellings one, of two directions their sum."""
        found = [self.samples[name] for name in chosen.names if name in self.samples]
        if not found or (chosen.added and len(found) < len(chosen.names)):
            return {}
        if chosen.added:
            common = set(found[0]).intersection(*found[1:])
            return {at: sum(part[at] for part in found) for at in common}
        if chosen.signal == "codec":
            times = {at for part in found for at in part}
            return {at: max(part[at] for part in found if at in part) for at in times}
        return found[0]

    def signals(self) -> dict[str, dict[float, float]]:
        """Return every signal's samples; on MIG the graphics engine stands for utilisation."""
        found = {item.signal: self.signal(item) for item in self.dialect.fields}
        graphics = found.pop("graphics", {})
        found.pop("model", None)
        return {**found, "engine": found["engine"] or graphics}


def sampled(
    rows: Iterable[RawSeries],
    *,
    short_names: bool,
    exporters: Mapping[str, str],
    end: float,
    node_label: str = "",
    dialect: Dialect = DCGM,
) -> tuple[Sampled, ...]:
    """Return the devices of one target's series; `exporters` are its own pod, by instance."""
    labels = NodeLabels(label=node_label, short=short_names, hosts=dialect.hosts)
    found: dict[tuple[str, str], Sampled] = {}
    for row in rows:
        metric = row.metric
        uuid = dialect.uuid(metric)
        if not uuid:
            continue
        key = (uuid, metric.get("GPU_I_ID", ""))
        if key not in found:
            node = labels.node(metric, exporters.get(metric.get("instance", ""), ""))
            found[key] = Sampled(device=_device(metric, uuid, node), dialect=dialect)
        item = found[key]
        _add(item, row)
        for share in _owner(metric, item.device, exporters, end):
            item.shares[share.platform, share.id] = share
    cut = {uuid for uuid, instance in found if instance}
    return tuple(item for (uuid, instance), item in found.items() if instance or uuid not in cut)


def _add(item: Sampled, row: RawSeries) -> None:
    name = row.metric.get(NAME, "")
    chosen = item.dialect.field(name)
    if chosen is not None and chosen.signal == "model":
        item.device = replace(item.device, model=row.metric.get("name", ""))
    if chosen is None or (item.device.is_mig and chosen.signal in _OF_BOARD):
        return
    values = item.samples.setdefault(name, {})
    for at, value in row.samples:
        if (known := _known(value, chosen)) is not None:
            # A device that several pods share stands there once for each.
            values[at] = max(known, values.get(at, 0.0))


def _known(value: float, chosen: Field) -> float | None:
    if not isfinite(value) or value in _BLANKS or value < 0:
        return None
    scaled = value * chosen.factor
    if chosen.top is None:
        return scaled
    return min(scaled, chosen.top) if scaled <= chosen.top * _SLACK else None


def _device(metric: Metric, uuid: str, node: str) -> Device:
    instance = metric.get("GPU_I_ID", "")
    index = metric.get("gpu", "")
    return Device(
        # The UUID of an instance is on no page; this is how drivers once wrote it.
        gpu=f"MIG-{uuid}/{instance}/0" if instance else uuid,
        node=node,
        index=int(index) if index.isdigit() and not instance else None,
        pci_bus_id=metric.get("pci_bus_id", ""),
        model=metric.get("modelName", ""),
        mig_profile=metric.get("GPU_I_PROFILE", "") if instance else "",
        parent=uuid if instance else "",
        generation=FOREIGN,
    )


# ------------------------------------------------------------------ owners


def _owner(
    metric: Metric, device: Device, exporters: Mapping[str, str], end: float
) -> Iterator[Share]:
    """Yield whom a series names as its device's holder; the exporter's own pod is none."""
    if job := metric.get("hpc_job", ""):
        yield hint(device, "slurm", job, end)
    pod, space = _pod(metric, exporters)
    if pod:
        yield hint(device, "kubernetes", metric.get("pod_uid") or f"{space}/{pod}", end)


def hint(device: Device, platform: str, name: str, at: float) -> Share:
    """Return a label's word on who holds a device; its run is the newest of that id."""
    return Share(
        node=device.node, gpu=device.gpu, platform=platform, id=name, start=at, proof=False
    )


def _pod(metric: Metric, exporters: Mapping[str, str]) -> tuple[str, str]:
    """Return the pod that holds the device: never the one that was scraped for it."""
    if "exported_pod" in metric:
        return metric["exported_pod"], metric.get("exported_namespace", "")
    if "pod_name" in metric:
        return metric["pod_name"], metric.get("pod_namespace", "")
    pod = metric.get("pod", "")
    scraped = exporters.get(metric.get("instance", ""), "")
    if pod == scraped or "dcgm-exporter" in metric.get("container", ""):
        return "", ""
    return pod, metric.get("namespace", "")


# ------------------------------------------------------------------ sight


def states(item: Sampled) -> Iterator[SignalState]:
    """Yield what can be read of a device's signals, and why the rest cannot."""
    signals = item.signals()
    for signal in (*ACTIVITY_SIGNALS, *LINKS, "memory", "power"):
        here = bool(signals.get(signal))
        yield SignalState(
            gpu=item.device.gpu,
            signal=signal,
            source=FOREIGN if here else "none",
            state="ok" if here else "unsupported",
            reason="" if here else f"{item.dialect.speaker} shows no such series of this device",
        )
    yield SignalState(
        gpu=item.device.gpu,
        signal="processes",
        source="none",
        state="unsupported",
        reason=f"{item.dialect.speaker} does not tell processes",
    )
