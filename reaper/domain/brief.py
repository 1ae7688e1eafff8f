"""
What of a picture is read first, however large the cluster: what burns most, and what is in doubt.

A brief picture has the figures of the whole and few of its rows, so that it costs the same to send
and to read at any size.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from reaper.domain.picture import NodeLine, Picture, Row

#: Allocations that a brief picture lists of those that burn.
FOREMOST: Final = 50


def burning(rows: Iterable[Row]) -> list[Row]:
    """Return the allocations with idle GPUs, what costs most first, unpriced ones by their GPUs."""
    idle = (row for row in rows if row.idle_gpus)
    return sorted(idle, key=lambda row: (-(row.cost_per_hour or 0.0), -row.idle_gpus, row.run_key))


def foremost(rows: Sequence[Row]) -> list[Row]:
    """Return what burns most, then all others of which nothing is known."""
    shown = burning(rows)[:FOREMOST]
    keys = {row.run_key for row in shown}
    return shown + [row for row in rows if row.verdict == "unknown" and row.run_key not in keys]


def brief(picture: Picture) -> Picture:
    """
    Return a picture of its foremost rows, and of the nodes that its headline speaks of.

    Those are the nodes that were not seen in the last step or are in doubt; only what burns keeps
    its devices.  `counts` and all sums are of the whole.
    """
    rows = (row if row.idle_gpus else replace(row, devices=()) for row in foremost(picture.rows))
    nodes = (node for node in picture.nodes if _spoken_of(node, picture))
    return replace(picture, rows=tuple(rows), nodes=tuple(nodes))


def named(rows: Iterable[Row], name: str) -> tuple[Row, ...]:
    """Return the allocations that go by a name: an id, ``platform/id`` or a run key."""
    return tuple(row for row in rows if goes_by(name, row.platform, row.id, row.run_key))


def goes_by(name: str, platform: str, ident: str, run_key: str) -> bool:
    """Tell whether an allocation goes by a name; a whole cluster is asked, so it is quick."""
    return name in (ident, run_key) or (name.endswith(ident) and name == f"{platform}/{ident}")


def _spoken_of(node: NodeLine, picture: Picture) -> bool:
    late = node.as_of is None or picture.at - node.as_of > picture.step
    return late or bool(node.error or node.doubt)
