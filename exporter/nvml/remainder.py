"""What an enumeration counted and could not identify, with its address where that is certain."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from exporter.kernel.pci import Functions, address_of
from exporter.nvml.identity import Handle
from exporter.sampling.unidentified import Unidentified

_TWICE: Final = "the driver gives it the UUID of another device"
_UNSERVED: Final = "it is on the PCI bus and no driver serves it"

Found = Handle | Unidentified


def distinct(found: Iterable[Found]) -> Iterator[Found]:
    """Yield devices whose UUID is their own; a second one of a name cannot be told."""
    seen: set[str] = set()
    for one in found:
        if isinstance(one, Handle) and one.device.uuid in seen:
            device = one.device
            mig = "" if one.instance is None else str(one.instance)
            yield Unidentified(
                index=device.index, mig=mig, pci_bus_id=device.pci_bus_id, reason=_TWICE
            )
            continue
        if isinstance(one, Handle):
            seen.add(one.device.uuid)
        yield one


def unidentified(found: Sequence[Found], bus: Functions) -> tuple[Unidentified, ...]:
    """Return what was not identified, and the cards that no driver serves at all."""
    cards = [one.device for one in found if isinstance(one, Handle) and not one.device.parent]
    known = [(device.index, device.pci_bus_id) for device in cards]
    rest = [one for one in found if isinstance(one, Unidentified)]
    count = len({index for index, _ in known} | {one.index for one in rest})
    placed = (
        one if one.pci_bus_id or one.index is None else _placed(one, one.index, count, known, bus)
        for one in rest
    )
    unserved = (Unidentified(pci_bus_id=name, reason=_UNSERVED) for name in bus.unserved)
    return (*placed, *unserved)


def _placed(
    one: Unidentified,
    index: int,
    count: int,
    known: Sequence[tuple[int, str]],
    bus: Functions,
) -> Unidentified:
    return replace(one, pci_bus_id=address_of(index, count, known, bus))
