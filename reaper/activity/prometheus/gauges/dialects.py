"""
What exporters of gauges call things: names, factors, labels; a dialect each.  Pure.

Of dcgm-exporter names before and after DCGM 4.6, and those of 1.x, are read alike.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from reaper.activity.prometheus.queries.answer import Metric

_MEBI: Final = 1024.0**2


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A signal's series: names in order of preference, factor to base units, largest value."""

    signal: str
    names: tuple[str, ...]
    factor: float = 1.0
    top: float | None = None
    added: bool = False
    """Its series are parts of a sum, sent and received, and no alternatives."""


def _profiled(old: str, new: str) -> tuple[str, str, str]:
    return f"DCGM_FI_PROF_{new}", f"DCGM_FI_PROF_{old}", f"dcgm_fi_prof_{old.lower()}"


#: A family each: what is asked, a query for each line.
_DCGM_FIELDS: Final[tuple[Field, ...]] = (
    Field(signal="sm", names=_profiled("SM_ACTIVE", "SM_UTIL_RATIO"), top=1.0),
    Field(signal="tensor", names=_profiled("PIPE_TENSOR_ACTIVE", "TENSOR_UTIL_RATIO"), top=1.0),
    Field(signal="dram", names=_profiled("DRAM_ACTIVE", "DRAM_UTIL_RATIO"), top=1.0),
    Field(
        signal="engine",
        # An alias of the same field: a percentage, whatever it is called.
        names=("DCGM_FI_DEV_GPU_UTIL_RATIO", "DCGM_FI_DEV_GPU_UTIL", "dcgm_gpu_utilization"),
        factor=0.01,
        top=1.0,
    ),
    Field(signal="graphics", names=_profiled("GR_ENGINE_ACTIVE", "GR_ENGINE_UTIL_RATIO"), top=1.0),
    Field(
        signal="codec",
        names=(
            "DCGM_FI_DEV_ENC_UTIL",
            "DCGM_FI_DEV_DEC_UTIL",
            "dcgm_enc_utilization",
            "dcgm_dec_utilization",
        ),
        factor=0.01,
        top=1.0,
    ),
    Field(
        signal="pcie",
        names=("DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_PROF_PCIE_RX_BYTES"),
        added=True,
    ),
    Field(
        signal="nvlink",
        names=("DCGM_FI_PROF_NVLINK_TX_BYTES", "DCGM_FI_PROF_NVLINK_RX_BYTES"),
        added=True,
    ),
    Field(signal="power", names=("DCGM_FI_DEV_POWER_USAGE", "dcgm_power_usage"), top=5000.0),
    Field(signal="memory", names=("DCGM_FI_DEV_FB_USED", "dcgm_fb_used"), factor=_MEBI),
)

_SMI_FIELDS: Final[tuple[Field, ...]] = (
    Field(signal="engine", names=("nvidia_smi_utilization_gpu_ratio",), top=1.0),
    Field(
        signal="codec",
        names=("nvidia_smi_utilization_encoder_ratio", "nvidia_smi_utilization_decoder_ratio"),
        top=1.0,
    ),
    Field(signal="power", names=("nvidia_smi_power_draw_watts",), top=5000.0),
    Field(signal="memory", names=("nvidia_smi_memory_used_bytes",)),
    Field(signal="model", names=("nvidia_smi_gpu_info",)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What one kind of exporter calls things; `speaker` is what messages call it."""

    speaker: str
    fields: tuple[Field, ...]
    found_by: tuple[str, ...]
    """By these a target is found: some of them are on by default in every version."""
    uuid: Callable[[Metric], str]
    hosts: tuple[str, ...]
    """The labels in which it names its node."""

    def field(self, name: str) -> Field | None:
        """Return which field a series is of."""
        return next((item for item in self.fields if name in item.names), None)


def _dcgm_uuid(metric: Metric) -> str:
    return metric.get("UUID") or metric.get("uuid", "")


def _smi_uuid(metric: Metric) -> str:
    """Return a UUID as the driver writes it: this exporter leaves out how it begins."""
    uuid = metric.get("uuid", "")
    return uuid if not uuid or uuid.startswith("GPU-") else f"GPU-{uuid}"


DCGM: Final = Dialect(
    speaker="dcgm-exporter",
    fields=_DCGM_FIELDS,
    found_by=(*_DCGM_FIELDS[3].names, *_DCGM_FIELDS[4].names, *_DCGM_FIELDS[-1].names),
    uuid=_dcgm_uuid,
    hosts=("hostname", "Hostname"),
)

SMI: Final = Dialect(
    speaker="nvidia_gpu_exporter",
    fields=_SMI_FIELDS,
    found_by=(*_SMI_FIELDS[0].names, *_SMI_FIELDS[3].names),
    uuid=_smi_uuid,
    hosts=(),
)
