"""The one table that says what active and idle mean; read by `facts.minute` alone."""

from dataclasses import dataclass
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
    power_margin: float = 0.10
    """Share above the learnt baseline within which power still says idle."""


DEFAULT: Final = Thresholds()
