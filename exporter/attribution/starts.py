"""
Since when an allocation has been on this node: its earliest process, kept while its cgroup exists.

A requeued job comes back under the same id.  Its cgroup is made anew, and with it the start.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from exporter.cgroupfs import CgroupTree, Folders, Identity
from exporter.proc import Process


@dataclass(frozen=True, slots=True)
class _Known:
    start: int
    identity: Identity | None


class Starts:
    """Remembers starts in whole Unix seconds."""

    def __init__(self, tree: CgroupTree) -> None:
        self._tree = tree
        self._known: dict[str, _Known] = {}

    def of(self, ident: str, folders: Folders, members: Iterable[Process]) -> int:
        """Return since when `ident` has been here."""
        known = self._known.get(ident)
        if known is None or (known.identity is not None and not _exists(known.identity)):
            start = int(min(member.start for member in members))
            known = self._known[ident] = _Known(start, self._tree.identity(folders))
        return known.start

    def forget(self, present: Collection[str]) -> None:
        """Drop what is not among `present` and whose cgroup is gone or another one now."""
        for ident, known in list(self._known.items()):
            here = known.identity is not None and _exists(known.identity)
            if ident not in present and not here:
                del self._known[ident]


def _exists(identity: Identity) -> bool:
    place, inode = identity
    try:
        return Path(place).stat().st_ino == inode
    except OSError:
        return False
