"""
Reads nodes: from slurmrestd's JSON, and from the text of `scontrol -d -o show node`.

The text is what the command-line back-end uses: its form is the same from 22.05 on, while
`sinfo --json` lists nodes in 22.05 only and `scontrol --json` does not exist there.
"""

import re
from collections.abc import Mapping

from reaper.platforms.slurm.gres import count, gpus
from reaper.platforms.slurm.jobs import listed
from reaper.platforms.slurm.record import Node
from reaper.platforms.slurm.scalars import ShapeError, text, texts

_FIELD = re.compile(r"(?:^| )(NodeName|Gres|GresUsed|State|Partitions|ReservationName)=(\S*)")
_NOT_RESPONDING = "NOT_RESPONDING"


def read_nodes(body: object) -> tuple[Node, ...]:
    """Return the nodes of a JSON answer; raise ShapeError."""
    return tuple(_node(record) for record in listed(body, "nodes"))


def read_node_lines(said: str) -> tuple[Node, ...]:
    """Return the nodes of one-line text records; raise ShapeError."""
    if said and not said.endswith("\n"):
        raise ShapeError("the list of nodes breaks off")
    # split, not splitlines: an operator's Reason may hold other line separators.
    return tuple(_line(line) for line in said.split("\n") if line.strip())


def _node(record: Mapping[str, object]) -> Node:
    name = text(record, "name")
    flags = texts(record, "state_flags") if "state_flags" in record else ()
    return Node(
        name=name,
        states=frozenset(state.upper() for state in (*texts(record, "state"), *flags)),
        gpus=gpus(text(record, "gres")),
        used=_used(text(record, "gres"), text(record, "gres_used")),
        partitions=texts(record, "partitions"),
        reservation=text(record, "reservation"),
    )


def _line(line: str) -> Node:
    found: dict[str, str] = {}
    for key, value in _FIELD.findall(line):
        # The first wins: what an operator wrote (Reason, Comment) stands at the end.
        found.setdefault(key, value)
    for key in ("NodeName", "Gres", "GresUsed", "State"):
        if key not in found:
            raise ShapeError(f"node {found.get('NodeName', line[:40])!r}: no {key}")
    return Node(
        name=found["NodeName"],
        states=_states(found["State"]),
        gpus=gpus(_null(found["Gres"])),
        used=_used(_null(found["Gres"]), _null(found["GresUsed"])),
        partitions=tuple(filter(None, _null(found.get("Partitions", "")).split(","))),
        reservation=_null(found.get("ReservationName", "")),
    )


def _states(written: str) -> frozenset[str]:
    states = set(filter(None, written.replace("*", "").upper().split("+")))
    return frozenset(states | ({_NOT_RESPONDING} if "*" in written else set()))


def _used(configured: str, used: str) -> int | None:
    """Return how many GPUs are allocated; None where a node with GPUs does not say."""
    if used or not gpus(configured):
        return count(gpus(used))
    return None


def _null(value: str) -> str:
    return "" if value == "(null)" else value
