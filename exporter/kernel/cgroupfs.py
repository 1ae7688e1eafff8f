"""
Where a cgroup's folder lies in the mounted tree, and the numbers its files hold.

It knows both layouts: one folder per v1 controller, and the single tree of v2, which a node
with v1 mounts under ``unified``.  It refuses paths that leave the tree (a namespace's ``..``).
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_TOTAL: Final = re.compile(r"^some .*\btotal=(\d+)$", re.MULTILINE)
_USAGE: Final = re.compile(r"^usage_usec (\d+)$", re.MULTILINE)

Folders = tuple[tuple[str, str], ...]
"""An allocation's cgroups: (controllers as the kernel lists them, folder)."""


class CgroupTree:
    """The tree mounted at `root`, usually /sys/fs/cgroup."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)

    def places(self, folders: Iterable[tuple[str, str]]) -> Iterator[str]:
        """Yield the paths at which an allocation's folders may lie, the most telling first."""
        for controllers, folder in folders:
            if ".." not in folder.split("/"):
                yield from (f"{base}{folder}" for base in self._bases(controllers))

    def cpu_seconds(self, folders: Folders) -> float | None:
        """Return the CPU time of an allocation; None where the kernel keeps none."""
        for place in self.places(folders):
            if (used := _text(f"{place}/cpuacct.usage")) and used.strip().isdecimal():
                return int(used) / 1e9
            if match := _USAGE.search(_text(f"{place}/cpu.stat")):
                return int(match[1]) / 1e6
        return None

    def stalled_seconds(self, folders: Folders, resource: str) -> float | None:
        """Return how long some task waited for cpu, io or memory; None without PSI (v2 only)."""
        for place in self.places(folders):
            if match := _TOTAL.search(_text(f"{place}/{resource}.pressure")):
                return int(match[1]) / 1e6
        return None

    def _bases(self, controllers: str) -> tuple[str, ...]:
        if not controllers:
            return self.root, f"{self.root}/unified"
        name = controllers.removeprefix("name=")
        singles = name.split(",") if "," in name else ()
        return tuple(f"{self.root}/{one}" for one in (name, *singles))


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
