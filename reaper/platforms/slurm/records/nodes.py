"""
Reads nodes: from slurmrestd's JSON, and from the text of `scontrol -d -o show node`.

The text is what the command-line back-end uses: its form is the same from 22.05 on, while
`sinfo --json` lists nodes in 22.05 only and `scontrol --json` does not exist there.
A node without a name fails the answer; any other fault is its own, and the node tells so.
"""

import re
from collections.abc import Mapping
from typing import Final

from reaper.platforms.slurm.records.gres import Gpus, GresError, count, gpus, slices
from reaper.platforms.slurm.records.jobs import listed
from reaper.platforms.slurm.records.record import Node
from reaper.platforms.slurm.records.scalars import Noting, ShapeError, text, texts

_FIELD = re.compile(r"(?:^| )(NodeName|Gres|GresUsed|State|Partitions|ReservationName)=(\S*)")
_NEEDED: Final = ("Gres", "GresUsed", "State")
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
    if not name:
        raise ShapeError("a node has no name")
    said = Noting(record)
    flags = said.read(texts, "state_flags", ()) if "state_flags" in record else ()
    states = (*said.read(texts, "state", ()), *flags)
    return _made(
        name,
        states=frozenset(state.upper() for state in states),
        gres=said.read(text, "gres", None),
        used=said.read(text, "gres_used", None),
        partitions=said.read(texts, "partitions", ()),
        reservation=said.read(text, "reservation", ""),
        odd=said.odd,
    )


def _line(line: str) -> Node:
    found: dict[str, str] = {}
    for key, value in _FIELD.findall(line):
        # The first wins: what an operator wrote (Reason, Comment) stands at the end.
        found.setdefault(key, value)
    name = found.get("NodeName", "")
    missing = [key for key in _NEEDED if key not in found]
    if not name or len(missing) == len(_NEEDED):
        raise ShapeError(f"node {name or line[:40]!r}: no {missing[0] if missing else 'name'}")
    return _made(
        name,
        states=_states(found.get("State", "")),
        gres=found.get("Gres"),
        used=found.get("GresUsed"),
        partitions=tuple(filter(None, _null(found.get("Partitions", "")).split(","))),
        reservation=_null(found.get("ReservationName", "")),
        odd=[f"no {key}" for key in missing],
    )


def _made(
    name: str,
    *,
    states: frozenset[str],
    gres: str | None,
    used: str | None,
    partitions: tuple[str, ...],
    reservation: str,
    odd: list[str],
) -> Node:
    has = _gpus("Gres", gres or "", odd)
    given = _gpus("GresUsed", used or "", odd)
    silent = used is None or (bool(has) and not used)
    return Node(
        name=name,
        states=states,
        gpus=has,
        used=None if silent or odd else count(given),
        used_slices=slices(given),
        partitions=partitions,
        reservation=reservation,
        unclear="; ".join(odd),
    )


def _gpus(key: str, written: str, odd: list[str]) -> tuple[Gpus, ...]:
    try:
        return gpus(written)
    except GresError as error:
        odd.append(f"{key}: {error}")
        return ()


def _states(written: str) -> frozenset[str]:
    states = set(filter(None, written.replace("*", "").upper().split("+")))
    return frozenset(states | ({_NOT_RESPONDING} if "*" in written else set()))


def _null(value: str) -> str:
    return "" if value == "(null)" else value
