"""
What an allocation costs its host: CPU seconds used, seconds stalled, seconds stuck in the kernel.

====================  =======================================================  ================
resource              seconds of                                               needs
====================  =======================================================  ================
``cpu``               CPU time of all its processes                            nothing
``uninterruptible``   wall time × share of its processes in D state            nothing
``block_io``          waiting for block devices, all processes added up        delay accounting
``cpu_stall``         wall time in which some task waited for a CPU            cgroup v2 and PSI
``io_stall``          wall time in which some task waited for I/O              cgroup v2 and PSI
``memory_stall``      wall time in which some task waited for memory           cgroup v2 and PSI
====================  =======================================================  ================

What the kernel does not give is :class:`Absent` with its reason, never zero.  Linux counts no
network bytes per process, and ``io.stat`` counts bytes, not seconds: neither is here.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from exporter.attribution.allocation import Allocation
from exporter.kernel.cgroupfs import CgroupTree
from exporter.kernel.proc import Process
from exporter.sampling.snapshot import Absent

Reading = Mapping[str, float | Absent]
"""Seconds so far by resource, or why there are none."""

Named = tuple[str, str]
"""An allocation: its platform and its key."""

_STALLS: Final = ("cpu", "io", "memory")
_NO_PSI: Final = Absent(
    state="unsupported", reason="no pressure file: needs cgroup v2 and a kernel with psi=1"
)
_NO_DELAYS: Final = Absent(
    state="unsupported", reason="the kernel does not account delays: sysctl kernel.task_delayacct=1"
)
_LONGEST: Final = 60.0


class Gauge:
    """Integrates what the kernel shows as a state; counters of the kernel are passed on."""

    def __init__(self, tree: CgroupTree, proc: Path) -> None:
        self._tree = tree
        self._proc = proc
        self._sums: dict[Named, _Sum] = {}

    def read(self, allocations: tuple[Allocation, ...], now: float) -> Mapping[Named, Reading]:
        """Return the seconds so far of each allocation; `now` is monotonic."""
        delays = self._accounts_delays()
        known, self._sums = self._sums, {}
        found: dict[Named, Reading] = {}
        for one in allocations:
            name = one.platform, one.key
            total = self._sums[name] = known.get(name) or _Sum(now)
            total.add(one.members, now)
            cpu = self._tree.cpu_seconds(one.folders)
            found[name] = {
                "cpu": total.cpu if cpu is None else cpu,
                "uninterruptible": total.uninterruptible,
                "block_io": total.blocked if delays else _NO_DELAYS,
                **{f"{name}_stall": self._stalled(one, name) for name in _STALLS},
            }
        return found

    def _stalled(self, allocation: Allocation, resource: str) -> float | Absent:
        seconds = self._tree.stalled_seconds(allocation.folders, resource)
        return _NO_PSI if seconds is None else seconds

    def _accounts_delays(self) -> bool:
        try:
            return (self._proc / "sys/kernel/task_delayacct").read_text().strip() == "1"
        except OSError:
            return False


class _Sum:
    """Growth added up over processes that come and go, so that it never falls."""

    def __init__(self, now: float) -> None:
        self.cpu = 0.0
        self.blocked = 0.0
        self.uninterruptible = 0.0
        self._at = now
        self._before: dict[tuple[int, float], tuple[float, float]] = {}

    def add(self, members: tuple[Process, ...], now: float) -> None:
        """Take one pass in."""
        seen = {(one.pid, one.start): (one.cpu, one.blocked) for one in members}
        for key, (cpu, blocked) in seen.items():
            cpu_before, blocked_before = self._before.get(key, (0.0, 0.0))
            self.cpu += max(0.0, cpu - cpu_before)
            self.blocked += max(0.0, blocked - blocked_before)
        if members and now - self._at <= _LONGEST:
            stuck = sum(one.state == "D" for one in members)
            self.uninterruptible += (now - self._at) * stuck / len(members)
        self._before, self._at = seen, now
