"""
What follows from the kernel log: Xids are counted, and a card that it calls dead is left alone.

Which words mean death is said in :mod:`exporter.kernel.faults`; a card that vanishes from the
PCI bus needs none.  A call on a dead card may hang in the kernel, cannot be killed, and holds
locks that others need.

It is touched again once its recovery was seen: the driver was loaded anew, the card left the bus
and came back, the driver withdrew its wish for a reset (Xid 154), or the driver was let go on
request.  Time alone revives nothing.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exporter.kernel import faults
from exporter.kernel.faults import Fault
from exporter.kernel.pci import bus_of
from exporter.kernel.records import Event, Loaded, Message, Xid
from exporter.sampling.quarantine import Quarantine
from exporter.sampling.state import NodeState
from exporter.sampling.unidentified import Unidentified

_UNTIL: Final = (
    "no call is made on it until the driver is loaded anew, the GPU reset"
    " or the driver let go by `gpu-exporter release`"
)
_NOBODY: Final = b"\xff\xff"
#: Seconds from what a load says of cards that it cannot use to the line that tells the load.
_LOADING: Final = 10.0

_Stamp = tuple[int, int]
"""Inode numbers of the driver's module and of the card's PCI function; 0 while it is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Death:
    """Why, what was there then, and when (Unix seconds) if a load may have said it."""

    reason: str
    stamp: _Stamp
    probed: float


class FailedDevices:
    """Keeps the dead of one node; `sys` is where the kernel shows modules and PCI functions."""

    def __init__(self, state: NodeState, quarantine: Quarantine, sys: Path) -> None:
        self._state = state
        self._quarantine = quarantine
        self._sys = sys
        self._dead: dict[str, _Death] = {}
        self._seen: frozenset[str] | set[str] = frozenset()
        self._forgiven = quarantine.forgiven

    def hear(self, events: Iterable[Event]) -> None:
        """Take what the kernel log said, in its order."""
        self._forget()
        nameless: list[Message] = []
        for event in events:
            match event:
                case Loaded():
                    self._loaded(event.wall)
                case Xid() if faults.recovers(event.number, event.text):
                    self._revive(event.bus)
                case Xid():
                    self._state.take_xid(event.bus, event.number, event.wall)
                    self._xid(event)
                case Message(bus=""):
                    nameless.append(event)
                case Message():
                    self._examine(event.bus, event.fault, past=event.past, probed=event.wall)
        if nameless:
            self._search(nameless[-1])
        self._give_up()

    def hear_driver(self, xids: Iterable[tuple[str, int]]) -> None:
        """Take (address, Xid) pairs that the driver itself told and that are counted already."""
        for bus, number in xids:
            self._xid(Xid(bus=bus, number=number, wall=0.0))
        self._give_up()

    def _xid(self, event: Xid) -> None:
        fault = faults.of_xid(event.number, event.text)
        self._examine(event.bus, fault, f"Xid {event.number}: ", past=event.past)

    def _loaded(self, wall: float) -> None:
        """A load revives, but for those that it found dead itself: it tells them first."""
        self._revive(*(bus for bus, death in self._dead.items() if wall - death.probed > _LOADING))

    def _search(self, said: Message) -> None:
        """Find whom a word without an address means: who does not answer on the bus."""
        cards = [one for one in self._state.devices.values() if not one.device.parent]
        for bus in filter(None, (bus_of(one.device.pci_bus_id) for one in cards)):
            self._examine(bus, said.fault, past=said.past or len(cards) > 1)

    def look(self) -> None:
        """Find who vanished, revive who came back; cheap, and without a word to the driver."""
        self._forget()
        self._miss()
        if not self._dead:
            return
        back = [bus for bus, death in self._dead.items() if self._recovered(bus, death)]
        self._revive(*back)
        self._give_up()

    @property
    def strangers(self) -> tuple[Unidentified, ...]:
        """The dead that the driver does not list: their address is all that is known."""
        return tuple(
            Unidentified(pci_bus_id=f"{bus}.0", reason=death.reason)
            for bus, death in self._dead.items()
            if self._state.card_at(bus) is None
        )

    def _examine(
        self,
        bus: str,
        fault: Fault,
        said: str = "",
        *,
        past: bool = False,
        probed: float = -math.inf,
    ) -> None:
        """A word from before this exporter may be void since: the bus tells."""
        if not fault.stops or bus in self._dead or (past and not self._mute(bus)):
            return
        reason = f"{said}{fault.words}; {_UNTIL}"
        self._dead[bus] = _Death(reason=reason, stamp=self._stamp(bus), probed=probed)

    def _miss(self) -> None:
        """A card whose function was on the bus and is not any more needs no words."""
        cards = (one.device for one in self._state.devices.values() if not one.device.parent)
        here = {bus for bus in (bus_of(one.pci_bus_id) for one in cards) if bus}
        there = {bus for bus in here if self._function(bus).is_dir()}
        for bus in (self._seen & here) - there:
            self._examine(bus, faults.VANISHED)
        self._seen = there

    def _recovered(self, bus: str, death: _Death) -> bool:
        """Say whether driver and card are there, and one of them is another than at the death."""
        now = self._stamp(bus)
        known = [place for place, then in enumerate(death.stamp) if then or now[place]]
        return now != death.stamp and all(now[place] for place in known)

    def _give_up(self) -> None:
        for bus, death in self._dead.items():
            card = self._state.card_at(bus)
            if card is not None:
                self._quarantine.give_up(card, death.reason)

    def _revive(self, *buses: str) -> None:
        for bus in buses:
            card = self._state.card_at(bus)
            if self._dead.pop(bus, None) is not None and card is not None:
                self._quarantine.revive(card)

    def _forget(self) -> None:
        if self._quarantine.forgiven != self._forgiven:
            self._forgiven = self._quarantine.forgiven
            self._dead.clear()

    def _function(self, bus: str) -> Path:
        return self._sys / f"bus/pci/devices/{bus}.0"

    def _stamp(self, bus: str) -> _Stamp:
        return _inode(self._sys / "module/nvidia"), _inode(self._function(bus))

    def _mute(self, bus: str) -> bool:
        """Say whether nobody answers on the bus: all ones, or no such function."""
        try:
            with (self._function(bus) / "config").open("rb") as config:
                return config.read(2) in {_NOBODY, b""}
        except OSError:
            return (self._sys / "bus/pci/devices").is_dir()


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
