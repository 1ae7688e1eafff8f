"""Collects who of several allocations on one device kept it busy."""

from collections.abc import Iterator, Mapping
from typing import Final

from exporter.attribution import Allocation
from exporter.collectors.ownership import Ownership, View
from exporter.collectors.sight import Sight
from exporter.sampling.snapshot import Absent, Cadence, ProcessUse, TenantUse

_SERVED: Final = Absent(
    state="unsupported", reason="an MPS server works for all tenants and hides whose work it is"
)
_STRANGER: Final = Absent(
    state="stale", reason="a busy process belongs to no allocation that is known yet"
)

Tenants = Mapping[tuple[str, str], float]


class TenantsCollector:
    """Asks the driver for devices that are shared, and for no other."""

    name = "tenants"
    cadence: Cadence = "activity"

    def __init__(self, ownership: Ownership) -> None:
        self._ownership = ownership

    def collect(self, sight: Sight) -> tuple[TenantUse, ...]:
        """Return one reading per shared device, by the latest word on who is there."""
        view = self._ownership.latest
        return () if view is None else tuple(_uses(view, sight))


def _uses(view: View, sight: Sight) -> Iterator[TenantUse]:
    for device in sight.devices:
        sharing = [one for one in view.allocations if device.uuid in one.devices]
        if len(sharing) > 1:
            use = sight.driver.busy(device)
            yield TenantUse(
                gpu=device.uuid, at=use.at, tenants=_split(use, sharing, view), clamped=use.clamped
            )


def _split(use: ProcessUse, sharing: list[Allocation], view: View) -> Tenants | Absent:
    if isinstance(use.busy, Absent):
        return use.busy
    found = {(one.platform, one.key): 0.0 for one in sharing}
    owners = {member.pid: (one.platform, one.key) for one in sharing for member in one.members}
    for pid, ratio in use.busy.items():
        process = view.scene.processes.get(pid)
        if ratio and process is not None and process.program == "mps":
            return _SERVED
        if ratio and pid not in owners:
            return _STRANGER
        if ratio:
            found[owners[pid]] = min(1.0, found[owners[pid]] + ratio)
    return found
