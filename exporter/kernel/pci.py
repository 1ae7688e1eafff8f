"""
NVIDIA's display functions on the PCI bus, as the kernel lists them.

Only what the kernel itself keeps is read: no look here touches a card.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_VENDOR: Final = "0x10de"
_DISPLAY: Final = "0x03"


@dataclass(frozen=True, slots=True, kw_only=True)
class Functions:
    """PCI addresses (``"0000:b3:00.0"``) in their order: `served` by the driver, or by none."""

    served: tuple[str, ...] = ()
    unserved: tuple[str, ...] = ()


class PciBus:
    """Looks below `sys`; what a function is, is asked once."""

    def __init__(self, sys: Path) -> None:
        self._folder = sys / "bus/pci/devices"
        self._gpus: dict[str, bool] = {}

    def functions(self) -> Functions:
        """Return the functions that are there now."""
        try:
            there = sorted(one.name for one in self._folder.iterdir())
        except OSError:
            return Functions()
        self._gpus = {name: self._is_gpu(name) for name in there}
        drivers = {name: self._driver(name) for name in there if self._gpus[name]}
        return Functions(
            served=tuple(name for name, driver in drivers.items() if driver == "nvidia"),
            unserved=tuple(name for name, driver in drivers.items() if not driver),
        )

    def _is_gpu(self, name: str) -> bool:
        known = self._gpus.get(name)
        if known is not None:
            return known
        return self._word(name, "vendor") == _VENDOR and self._word(name, "class").startswith(
            _DISPLAY
        )

    def _word(self, name: str, attribute: str) -> str:
        try:
            return (self._folder / name / attribute).read_text().strip()
        except OSError:
            return ""

    def _driver(self, name: str) -> str:
        try:
            return (self._folder / name / "driver").readlink().name
        except OSError:
            return ""


def bus_of(pci: str) -> str:
    """Return an address as the kernel log writes it: ``00000000:3B:00.0`` is ``0000:3b:00``.

    Without a domain it is in the first one; empty where the text is no address.
    """
    words = pci.strip().lower().removeprefix("pci:").partition(".")[0].split(":")
    if len(words) == 2:
        words.insert(0, "0")
    try:
        domain, bus, slot = (int(word, 16) for word in words)
    except ValueError:
        return ""
    return f"{domain:04x}:{bus:02x}:{slot:02x}"


def address_of(index: int, count: int, known: Sequence[tuple[int, str]], bus: Functions) -> str:
    """Return where the driver's card `index` of `count` is, or nothing where that is a guess.

    The driver numbers cards in the order of the bus; `known` are the numbers and addresses that
    it told, and each of them must agree.
    """
    if len(bus.served) != count:
        return ""
    agrees = all(bus_of(bus.served[number]) == bus_of(pci) for number, pci in known if pci)
    return bus.served[index] if agrees else ""
