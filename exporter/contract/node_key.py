"""
The name a node can give an allocation: ``<id>@<start>``, the `allocation` label of the wire.

A node does not know a run's cluster-wide identity.
It knows an id (Slurm job id or SLUID, pod UID, pid) and since when it has seen it hold a process.
The label `platform` beside it says whose id that is: a job and a process may have one number.
The reader maps both to the run whose interval on that node contains the start.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

#: What contract 1 called otherwise.
_RENAMED: Final[Mapping[str, str]] = {"process": "host"}


class NodeKeyError(ValueError):
    """The text is no node key; the message names the text and the grammar."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class NodeKey:
    """An allocation as one node sees it; `start` in whole Unix seconds by the node's clock."""

    id: str
    start: int

    def __str__(self) -> str:
        return f"{self.id}@{self.start}"


def platform(label: str) -> str:
    """Read the label `platform`; empty where a series of contract 1 says none."""
    return _RENAMED.get(label, label)


def parse(text: str) -> NodeKey:
    """Read ``<id>@<start>``; the id may itself hold an ``@``, the start may not."""
    ident, mark, start = text.rpartition("@")
    if not (mark and ident and start.isascii() and start.isdigit()):
        message = f"node key {text!r}: write <id>@<start in whole Unix seconds>"
        raise NodeKeyError(message)
    return NodeKey(id=ident, start=int(start))
