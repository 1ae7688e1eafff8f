"""Devices that are counted and cannot be told: where they are, and why they have no series."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Unidentified:
    """A card or a MIG instance without a UUID that can be believed; empty text is unknown.

    `index` is the driver's number of the card, None where the driver does not count it; `mig` the
    place of an instance on it; `reason` is in words without numbers that change.
    """

    reason: str
    index: int | None = None
    mig: str = ""
    pci_bus_id: str = ""

    @property
    def labels(self) -> tuple[str, str, str, str]:
        """Index, place on the card, PCI address and reason, as text."""
        index = "" if self.index is None else str(self.index)
        return index, self.mig, self.pci_bus_id, self.reason

    def __str__(self) -> str:
        index, mig, address, reason = self.labels
        words = (
            f"GPU {index}".strip(),
            f"MIG instance {mig}" if mig else "",
            f"at {address}" if address else "",
        )
        return f"{' '.join(filter(None, words))}: {reason}"
