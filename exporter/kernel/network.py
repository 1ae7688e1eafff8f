"""
What the node's network cards move; which allocation it is for, Linux does not say.

Bridges and tunnels move the same bytes again and are left out.  What RDMA moves passes the
network stack by, and is counted by the port alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: An InfiniBand port counts words of four octets (its specification, PortXmitData).
_WORD: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Bytes that a card has received and sent so far, for whomever; the kernel's own counters."""

    device: str
    received: float
    sent: float


def traffic(sys: Path) -> Iterator[Traffic]:
    """Yield what each card counts, by the kernel's view below `sys`."""
    for folder in sorted(sys.glob("class/net/*")):
        counted = folder / "statistics"
        if (folder / "device").exists():
            yield from _counted(folder.name, counted / "rx_bytes", counted / "tx_bytes")
    for folder in sorted(sys.glob("class/infiniband/*/ports/*/counters")):
        name = f"{folder.parents[2].name}/{folder.parent.name}"
        received, sent = folder / "port_rcv_data", folder / "port_xmit_data"
        yield from _counted(name, received, sent, times=_WORD)


def _counted(device: str, received: Path, sent: Path, *, times: int = 1) -> Iterator[Traffic]:
    """Yield what a card counts; nothing where it came or went just now."""
    try:
        numbers = [int(path.read_text()) * times for path in (received, sent)]
    except (OSError, ValueError):
        return
    yield Traffic(device=device, received=numbers[0], sent=numbers[1])
