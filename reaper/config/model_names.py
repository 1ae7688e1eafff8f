"""What NVML calls the GPUs that catalogues call by shorter names, as patterns of a rate card."""

from decimal import Decimal
from typing import Final

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "A2": ("NVIDIA A2",),
    "A10": ("NVIDIA A10",),
    "A10G": ("NVIDIA A10G",),
    "A16": ("NVIDIA A16",),
    "A30": ("NVIDIA A30",),
    "A40": ("NVIDIA A40",),
    "A4000": ("NVIDIA RTX A4000",),
    "A4500": ("NVIDIA RTX A4500",),
    "A5000": ("NVIDIA RTX A5000",),
    "A6000": ("NVIDIA RTX A6000",),
    "B200": ("NVIDIA B200",),
    "B300": ("NVIDIA B300*",),
    "GB200": ("NVIDIA GB200",),
    "GB300": ("NVIDIA GB300",),
    "GH200": ("NVIDIA GH200*",),
    "H100": ("NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe"),
    "H100NVL": ("NVIDIA H100 NVL",),
    "H200": ("NVIDIA H200",),
    "H200NVL": ("NVIDIA H200 NVL",),
    "L4": ("NVIDIA L4",),
    "L40": ("NVIDIA L40",),
    "L40S": ("NVIDIA L40S",),
    "P4": ("Tesla P4",),
    "P100": ("Tesla P100*",),
    "RTX6000": ("Quadro RTX 6000",),
    "RTX2000Ada": ("NVIDIA RTX 2000 Ada Generation",),
    "RTX4000Ada": ("NVIDIA RTX 4000 Ada Generation", "NVIDIA RTX 4000 SFF Ada Generation"),
    "RTX6000Ada": ("NVIDIA RTX 6000 Ada Generation",),
    "RTXPRO4500": ("NVIDIA RTX PRO 4500 Blackwell*",),
    "RTXPRO6000": ("NVIDIA RTX PRO 6000 Blackwell*",),
    "T4": ("Tesla T4",),
}

_BY_MEMORY: Final[dict[str, dict[int, tuple[str, ...]]]] = {
    "A100": {40: ("*A100*40GB*",), 80: ("*A100*80GB*",)},
    "V100": {16: ("*V100*16GB*",), 32: ("*V100*32GB*",)},
}

_GEFORCE: Final = "RTX"


def patterns(model: str, memory: Decimal | None) -> tuple[str, ...]:
    """Return the patterns for a catalogue's model; () where nobody knows NVML's name for it."""
    if model in _BY_MEMORY:
        return _BY_MEMORY[model].get(int(memory or 0), ())
    if model in _NAMES:
        return _NAMES[model]
    number = model.removeprefix(_GEFORCE)
    digits = number[:4]
    if model.startswith(_GEFORCE) and digits.isdecimal() and len(digits) == 4:
        rest = number[4:].replace("TiSUPER", "Ti SUPER")
        return (f"NVIDIA GeForce RTX {digits} {rest}".strip(),)
    return ()
