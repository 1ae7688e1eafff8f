"""A GPU or MIG instance and what is known of its identity."""

import re
from dataclasses import dataclass
from typing import Final

#: Cards that MIG cuts into four slices instead of seven.
_QUARTERED = re.compile(r"A30(?![0-9])|RTX PRO 6000", re.IGNORECASE)


#: Generation of what only an exporter shows that is not ours: it tells neither indices nor drivers.
FOREIGN: Final = "dcgm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """
    A device by its NVML UUID; `gpu` is its name everywhere.

    `generation` changes with boot, driver load and MIG re-creation: an index learnt under
    one generation says nothing under the next.
    """

    gpu: str
    node: str
    index: int | None = None
    minor: int | None = None
    pci_bus_id: str = ""
    gres_index: int | None = None
    gres_source: str = ""
    model: str = ""
    architecture: str = ""
    mig_profile: str = ""
    parent: str = ""
    generation: str = ""

    @property
    def is_mig(self) -> bool:
        """Tell whether this is a MIG instance."""
        return bool(self.mig_profile)

    @property
    def slices(self) -> tuple[int, int]:
        """Return compute slices of the instance and of its card, ``(1, 1)`` for a whole GPU."""
        if not self.mig_profile:
            return (1, 1)
        digits = self.mig_profile.partition("g")[0].rpartition("c.")[2]
        whole = 4 if _QUARTERED.search(self.model) else 7
        return (min(int(digits), whole), whole) if digits.isdigit() else (1, whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalState:
    """Where a signal of a device comes from and whether it can be read (wire: ``signal_info``)."""

    gpu: str
    signal: str
    source: str
    state: str
    reason: str = ""
