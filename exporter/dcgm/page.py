"""
A dcgm-exporter page as text: the few series that say how busy a device is.

Pure.  Names before and after DCGM 4.6 are read alike, and so are both spellings of the host's
label.  DCGM's blank values are compared exactly, for real numbers may be larger.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from exporter.sampling.snapshot import Absent

#: Series of the profiling module by what we call them; sent and received are the GPU's own view.
_FIELDS: Final[Mapping[str, str]] = {
    "SM_ACTIVE": "sm",
    "SM_UTIL_RATIO": "sm",
    "PIPE_TENSOR_ACTIVE": "tensor",
    "TENSOR_UTIL_RATIO": "tensor",
    "DRAM_ACTIVE": "dram",
    "DRAM_UTIL_RATIO": "dram",
    "GR_ENGINE_ACTIVE": "graphics",
    "GR_ENGINE_UTIL_RATIO": "graphics",
    "PCIE_TX_BYTES": "pcie sent",
    "PCIE_RX_BYTES": "pcie received",
    "NVLINK_TX_BYTES": "nvlink sent",
    "NVLINK_RX_BYTES": "nvlink received",
}
_ROW: Final = re.compile(
    r'^DCGM_FI_(PROF|DEV)_(\w++)\{((?:[^"}\n]|"(?:[^"\\\n]|\\.)*+")*+)\}[ \t]++(\S++)', re.MULTILINE
)
_LABEL: Final = re.compile(r'(UUID|GPU_I_ID|pci_bus_id|[Hh]ostname)="((?:[^"\\]|\\.)*)"')
_BLANKS: Final = (0x7FFFFFF0, 0x7FFFFFFFFFFFFFF0, 140737488355328)
_MEANINGS: Final = (
    Absent(state="paused", reason="DCGM blanks the value: a profiler holds the counters"),
    Absent(state="stale", reason="DCGM does not find the value"),
    Absent(state="unsupported", reason="DCGM does not support the value on this GPU"),
    Absent(state="unsupported", reason="DCGM may not read the value: its host engine lacks rights"),
)
_BLANK: Final[Mapping[float, Absent]] = {
    blank + offset: meaning for blank in _BLANKS for offset, meaning in enumerate(_MEANINGS)
}
#: As a float, all four blanks of 64 bits are the same number.
_BLANK_FLOAT: Final[Mapping[float, Absent]] = {
    float(blank): meaning for blank, meaning in reversed(tuple(_BLANK.items()))
}
_NO_NUMBER: Final = Absent(state="stale", reason="DCGM gave no number")

Value = float | Absent
Key = tuple[str, int | None]
"""A card's UUID, and the GPU instance id on MIG."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DcgmPage:
    """What one page says.

    `devices` holds every device that any series speaks of, with the profiling fields shown for
    it; `cards` gives the UUID by PCI address; `hosts` are the names that the page gives its host.
    """

    devices: Mapping[Key, Mapping[str, Value]]
    cards: Mapping[str, str]
    hosts: frozenset[str]


def parse(text: str) -> DcgmPage:
    """Read a page; lines that are no series of DCGM are left out."""
    devices: dict[Key, dict[str, Value]] = {}
    cards: dict[str, str] = {}
    hosts = set()
    for kind, field, labels, number in _rows(text):
        uuid = labels.get("UUID", "")
        if not uuid:
            continue
        cards.setdefault(labels.get("pci_bus_id", "").lower(), uuid)
        hosts.add(labels.get("hostname") or labels.get("Hostname", ""))
        fields = devices.setdefault((uuid, _instance(labels)), {})
        name = _FIELDS.get(field) if kind == "PROF" else None
        if name is not None:
            fields[name] = _busier(fields.get(name), value(number))
    return DcgmPage(devices=devices, cards=cards, hosts=frozenset(hosts - {""}))


def _rows(text: str) -> Iterator[tuple[str, str, dict[str, str], str]]:
    for match in _ROW.finditer(text):
        kind, field, labels, number = match.groups()
        yield kind, field, dict(_LABEL.findall(labels)), number


def _instance(labels: Mapping[str, str]) -> int | None:
    text = labels.get("GPU_I_ID", "")
    return int(text) if text.isascii() and text.isdigit() else None


def _busier(one: Value | None, other: Value) -> Value:
    """A device that several pods share stands there once for each: the busiest row counts."""
    if one is None or isinstance(one, Absent):
        return other if one is None or not isinstance(other, Absent) else one
    return one if isinstance(other, Absent) else max(one, other)


def value(text: str) -> Value:
    """Read a number; one of DCGM's blanks is absent with its meaning."""
    try:
        whole = int(text)
    except ValueError:
        return _fraction(text)
    return _BLANK.get(whole, float(whole))


def _fraction(text: str) -> Value:
    try:
        number = float(text)
    except ValueError:
        return _NO_NUMBER
    return _NO_NUMBER if math.isnan(number) else _BLANK_FLOAT.get(number, number)
