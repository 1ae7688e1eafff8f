"""
One file per kind of fact; the list below is the table of contents.

A collector runs in the worker, looks at what its sight shows, and returns frozen values.
It refuses to keep counters (the parent integrates), to format, and to judge.
A collector that raises costs its own turn alone.
"""

from exporter.collectors.activity import ActivityCollector
from exporter.collectors.allocation import AllocationCollector
from exporter.collectors.health import HealthCollector
from exporter.collectors.memory import MemoryCollector
from exporter.collectors.network import NetworkCollector
from exporter.collectors.ownership import Ownership
from exporter.collectors.power import PowerCollector
from exporter.collectors.pressure import PressureCollector
from exporter.collectors.processes import ProcessesCollector
from exporter.collectors.session import SessionCollector
from exporter.collectors.sight import Collector, Places, Sight
from exporter.collectors.tenants import TenantsCollector

__all__ = ["Collector", "Places", "Sight", "collectors"]


def collectors(places: Places, *, people: bool = True) -> tuple[Collector, ...]:
    """Return every collector in the order of its turns: processes before their readers.

    Without `people` sessions are not even looked at.
    """
    ownership = Ownership(places)
    sessions = (SessionCollector(ownership, places),) if people else ()
    return (
        ActivityCollector(),
        MemoryCollector(),
        PowerCollector(),
        HealthCollector(),
        ProcessesCollector(),
        AllocationCollector(ownership, places),
        *sessions,
        PressureCollector(ownership, places),
        NetworkCollector(places),
        TenantsCollector(ownership),
    )
