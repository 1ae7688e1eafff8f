"""The one table that says what active and idle mean; `facts.minute` and `facts.plain` read it."""

from dataclasses import dataclass
from functools import cache
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """
    Bounds of activity for a GPU model and source; ratios of 0 to 1, bytes, bytes per second.

    A minute is active when one signal reaches its `active` bound, idle when every signal
    stays below its noise and no second rose above the lowest edge of the wire.
    """

    version: int = 1
    sm_active: float = 0.05
    tensor_active: float = 0.01
    dram_active: float = 0.05
    codec_active: float = 0.05
    link_active: float = 200e6
    """PCIe or NVLink bytes per second that count as work."""
    noise: float = 0.005
    """Mean below which SM, tensor, DRAM and codec activity is silence."""
    link_noise: float = 10e6
    """Bytes per second that polling and housekeeping move on an idle device."""
    engine_noise: float = 0.0
    """Utilisation has no noise: one resident kernel shows, none is exactly zero."""
    engine_latched: float = 0.99
    """Mean utilisation from which on it is stuck, where nothing runs and nothing is held."""
    context_bytes: float = 600e6
    """Device memory above which somebody holds it; below lies what an idle driver reserves."""
    nothing_bytes: float = 64e6
    """Device memory below which nobody has a context, though no list of processes says so."""
    power_margin: float = 0.10
    """Share above the learnt baseline within which power still says idle."""
    power_works: float = 0.5
    """Share of the board's power that nothing but work draws, whatever was learnt."""


#: Board power by a part of the name, the longer names first; watts, from NVIDIA's data sheets.
_BOARDS: Final = (
    ("GB200", 1200.0),
    ("B300", 1100.0),
    ("B200", 1000.0),
    ("GH200", 900.0),
    ("H200 NVL", 600.0),
    ("H200", 700.0),
    ("H100 PCIe", 350.0),
    ("H100 NVL", 400.0),
    ("H100", 700.0),
    ("H800", 700.0),
    ("H20", 400.0),
    ("A100-PCIE", 250.0),
    ("A100", 400.0),
    ("A800", 400.0),
    ("L40S", 350.0),
    ("L40", 300.0),
    ("L4", 72.0),
    ("RTX PRO 6000", 600.0),
    ("RTX 6000 Ada", 300.0),
    ("RTX A6000", 300.0),
    ("A6000", 300.0),
    ("A5000", 230.0),
    ("A40", 300.0),
    ("A30", 165.0),
    ("A10", 150.0),
    ("A16", 62.0),
    ("A2", 60.0),
    ("V100-PCIE", 250.0),
    ("V100", 300.0),
    ("P100", 250.0),
    ("T4", 70.0),
    ("RTX 5090", 575.0),
    ("RTX 4090", 450.0),
    ("RTX 3090", 350.0),
)


@cache
def board_power(model: str) -> float | None:
    """Return what a product may draw at most by its name, in watts; None for an unknown one."""
    return next((watts for word, watts in _BOARDS if word in model), None)


DEFAULT: Final = Thresholds()
