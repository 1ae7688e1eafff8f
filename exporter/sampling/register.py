"""The one list of what this node counts and cannot identify, told in the log when it changes."""

import logging
from dataclasses import replace

from exporter.kernel.failed_devices import FailedDevices
from exporter.kernel.pci import bus_of
from exporter.sampling.state import NodeState
from exporter.sampling.unidentified import Unidentified

log = logging.getLogger(__name__)


class Register:
    """Joins what the driver counts with what the kernel log calls dead; each place once."""

    def __init__(self, state: NodeState, failed_devices: FailedDevices) -> None:
        self._state = state
        self._failed_devices = failed_devices
        self._told: frozenset[Unidentified] = frozenset()

    def listed(self) -> tuple[Unidentified, ...]:
        """Return them all; a card that was known before is lost under its own UUID instead."""
        dead = {bus_of(one.pci_bus_id): one for one in self._failed_devices.strangers}
        found = []
        for one in self._state.unidentified:
            told = None if one.mig else dead.pop(bus_of(one.pci_bus_id), None)
            if not self._known(one):
                found.append(one if told is None else replace(one, reason=told.reason))
        return (*found, *dead.values())

    def _known(self, one: Unidentified) -> bool:
        return not one.mig and one.index is not None and self._state.gone_card(one.index)

    def tell(self) -> None:
        """Write each new one to the log."""
        now = frozenset(self.listed())
        for one in sorted(now - self._told, key=str):
            log.warning("cannot be identified: %s", one)
        for one in sorted(self._told - now, key=str):
            log.info("is identified, or gone: %s", one)
        self._told = now
