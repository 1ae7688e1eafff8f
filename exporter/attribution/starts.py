"""
Since when an allocation has been on this node: its earliest process, kept while others follow it.

A requeued job comes back under the same id, within a second, and its cgroup may be the old one
still.  So what begins anew is told by processes alone: when none of those that were seen at the
last look is there any more.  Steps one after the other, with nothing between them, begin anew
too: an earlier start would lend them the work of a run that has ended.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from exporter.proc import Process


@dataclass(frozen=True, slots=True)
class _Known:
    start: int
    seen: frozenset[tuple[int, float]]


class Starts:
    """Remembers starts in whole Unix seconds."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def of(self, ident: str, members: Iterable[Process]) -> int:
        """Return since when `ident` has been here."""
        here = frozenset((member.pid, member.start) for member in members)
        known = self._known.get(ident)
        if known is not None and known.seen & here:
            start = known.start
        else:
            start = int(min(began for _, began in here))
        self._known[ident] = _Known(start, here)
        return start

    def forget(self, present: Collection[str]) -> None:
        """Drop what is not among `present`."""
        self._known = {ident: one for ident, one in self._known.items() if ident in present}
