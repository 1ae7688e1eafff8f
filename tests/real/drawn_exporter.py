"""
A page with every family of the exporter, as of a node on which everything happens at once.

Counters grow from page to page, by their own speed for each device: rates are never zero.
"""

import time
from collections.abc import Iterator

from exporter.contract.catalog import ACTIVITY_SIGNALS, EDGES, FAMILIES, LINKS, SIGNALS, Family

GPUS = ("GPU-a", "GPU-b")
SLUID = "s0hg3k5m7p9qr"
ALLOCATION = f"{SLUID}@1772442000"
VALUES: dict[str, tuple[str, ...]] = {
    "gpu": GPUS,
    "platform": ("slurm",),
    "allocation": (ALLOCATION,),
    "edge": EDGES,
    "link": LINKS,
    "direction": ("sent", "received"),
    "reason": ("power", "thermal"),
    "xid": ("79",),
    "kind": ("uncorrected", "pending", "failed"),
    "target": ("batch",),
    "resource": ("cpu", "cpu_stall", "uninterruptible", "block_io", "io_stall"),
    "call": ("nvmlDeviceGetTemperature gpu 3",),
    "state": ("held",),
    "source": ("cgroup",),
    "collector": ("activity",),
    "model": ("NVIDIA H100 80GB HBM3",),
    "node": ("gpu09",),
}
"""What a label says where the family does not say more."""

_SIGNAL = {"gpunode_observed_seconds_total": ACTIVITY_SIGNALS, "gpunode_signal_info": SIGNALS}
_NOW = {
    "gpunode_driver_call_stuck_seconds": 75.0,
    "gpunode_last_sample_age_seconds": 80.0,
    "gpunode_collector_success": 0.0,
}


def drawn_exporter() -> bytes:
    """Write the page of this moment."""
    now = time.time()
    return "".join(
        line for family in FAMILIES if family.page == "metrics" for line in _lines(family, now)
    ).encode()


def _lines(family: Family, now: float) -> Iterator[str]:
    for number, labels in enumerate(_labels(family, family.labels)):
        text = ",".join(f'{name}="{value}"' for name, value in labels.items())
        yield f"{family.name}{{{text}}} {_value(family, now, number)!r}\n"


def _labels(family: Family, names: tuple[str, ...]) -> Iterator[dict[str, str]]:
    if not names:
        yield {}
        return
    first, *rest = names
    known = VALUES.get(first, (f"some {first}",))
    values = _SIGNAL.get(family.name, SIGNALS) if first == "signal" else known
    for value in values:
        for others in _labels(family, tuple(rest)):
            yield {first: value, **others}


def _value(family: Family, now: float, number: int) -> float:
    if family.kind == "counter":
        return now % 1e6 * (0.5 + 0.01 * number)
    if family.name.endswith("timestamp_seconds"):
        return now
    return _NOW.get(family.name, 1.0)
