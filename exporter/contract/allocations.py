"""Reading what a scenario draws: allocations, their places and sessions, people, what waits."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from exporter.contract.catalog import SESSION_KINDS
from exporter.contract.parts import (
    PLATFORMS,
    SIGNALS,
    Afterwards,
    ScenarioAllocation,
    ScenarioLoad,
    ScenarioPerson,
    ScenarioSession,
    ScenarioWaiting,
)
from exporter.contract.tables import Table

#: How many GPUs each node has.
Sizes = Mapping[str, int]

_PURPOSES: Final = ("interactive", "training", "inference", "deferred", "other")
_RELEASED: Final[Mapping[str, Afterwards]] = {
    "ends": "ends",
    "stays": "stays",
    "returns": "returns",
}

#: Names by which keys are known elsewhere: in policies, and to schedulers.
_OTHER_NAMES: Final = {"class": "purpose", "owner": "user", "job": "id", "gpus": "holds"}

_HOLD: Final = re.compile(r"(?P<node>[^:\s]+)(?::(?P<which>\*|\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*))?")


def allocation(given: Table, sizes: Sizes) -> ScenarioAllocation:
    """Read one allocation; mistakes go to the table."""
    table = given.renamed(_OTHER_NAMES)
    works_on = _places(table, "works_on", sizes)
    begin, end = table.seconds("begin", 0.0), table.maybe("end")
    if end is not None and end <= begin:
        table.wrong("end", "lies before its begin")
    limit = table.maybe("limit")
    if limit is not None and limit <= begin:
        table.wrong("limit", "lies before its begin; write when it ends, from start")
    holds = _places(table, "holds", sizes)
    if not table.listed("holds"):
        table.wrong("holds", 'missing; write for example holds = ["gpu01:0-3"]')
    found = ScenarioAllocation(
        id=table.needed("id", '"4711"'),
        user=table.needed("user", '"mira"'),
        holds=holds,
        platform=table.choice("platform", PLATFORMS, "recorded"),
        begin=begin,
        end=end,
        limit=limit,
        name=table.text("name"),
        account=table.text("account"),
        team=table.text("team"),
        partition=table.text("partition"),
        qos=table.text("qos"),
        namespace=table.text("namespace"),
        labels=tuple(_labels(table)),
        purpose=table.choice("purpose", _PURPOSES, "other"),
        requeueable=table.flag("requeueable", default=False),
        sessions=tuple(_session(item) for item in table.tables("sessions", "kind")),
        host_works=table.spans("host_works"),
        host_load=_loads(table, sizes),
        suspended=table.spans("suspended") or (),
        serves=table.spans("serves"),
        catches=table.words("catches", SIGNALS),
        saves=None if table.raw("saves") is None else table.lasting("saves", None),
        share=_share(table),
        uses=table.spans("uses"),
        works_on=None if table.raw("works_on") is None else works_on,
        released=_RELEASED[table.choice("released", _RELEASED, "ends")],
    )
    table.finish()
    return found


def _share(table: Table) -> float:
    share = table.raw("share")
    if share is None:
        return 1.0
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share <= 1:
        table.wrong("share", f"{share!r} is no part of a GPU; write for example share = 0.5")
        return 1.0
    return float(share)


def _loads(table: Table, sizes: Sizes) -> tuple[ScenarioLoad, ...] | None:
    """Read what it does on its hosts; None where the key is missing."""
    if table.raw("host_load") is None:
        return None
    return tuple(load for item in table.tables("host_load") for load in _load(item, sizes))


def _load(table: Table, sizes: Sizes) -> Iterator[ScenarioLoad]:
    node, spans = table.text("node"), table.spans("during")
    if node and node not in sizes:
        table.wrong("node", f"no node {node!r}; drawn are {', '.join(sizes)}")
    if spans is None:
        table.wrong("during", 'missing; write for example during = "10m..2h"')
    cores, waits, network = (table.number(key) for key in ("cores", "waits", "network"))
    table.finish()
    for begin, end in spans or ():
        yield ScenarioLoad(
            begin=begin, end=end, cores=cores, waits=waits, network=network, node=node
        )


def _labels(table: Table) -> Iterator[str]:
    """Yield ``key=value`` of a table of labels, or of a list of such texts."""
    value = table.raw("labels")
    if isinstance(value, dict):
        yield from (f"{key}={item}" for key, item in value.items())
        return
    for item in table.listed("labels"):
        if "=" not in str(item):
            table.wrong("labels", f'{item!r} is no label; write labels = {{ app = "demo" }}')
        yield str(item)


def _places(table: Table, key: str, sizes: Sizes) -> tuple[tuple[str, int], ...]:
    found = [place for text in table.listed(key) for place in _of(table, key, str(text), sizes)]
    if len(set(found)) < len(found):
        table.wrong(key, "names a GPU twice")
    return tuple(found)


def _of(table: Table, key: str, text: str, sizes: Sizes) -> Iterator[tuple[str, int]]:
    """Yield the GPUs of ``gpu01:0``, ``gpu01:0-3,6`` or, all of a node, ``gpu01``."""
    match = _HOLD.fullmatch(text)
    if match is None or (text.isdecimal() and text not in sizes):
        table.wrong(key, f'{text!r} names no GPU; write "gpu01:0", "gpu01:0-3" or "gpu01"')
        return
    node, which = match["node"], match["which"]
    if node not in sizes:
        table.wrong(key, f"no node {node!r}; drawn are {', '.join(sizes) or 'none'}")
        return
    for part in [f"0-{sizes[node] - 1}"] if which in (None, "*") else which.split(","):
        first, _, last = part.partition("-")
        indices = range(int(first), int(last or first) + 1)
        if not indices or indices[-1] >= sizes[node]:
            table.wrong(key, f"{text!r}: {node} has the GPUs 0 to {sizes[node] - 1}")
        else:
            yield from ((node, index) for index in indices)


def _session(table: Table) -> ScenarioSession:
    session = ScenarioSession(
        kind=table.choice("kind", SESSION_KINDS, "shell"),
        inputs=table.moments("inputs"),
        busy=table.spans("busy") or (),
        unreachable=table.spans("unreachable") or (),
    )
    if table.raw("kind") is None:
        table.wrong("kind", f"missing; write one of {', '.join(SESSION_KINDS)}")
    table.finish()
    return session


def waiting(table: Table) -> ScenarioWaiting:
    """Read one table ``[[waiting]]``; mistakes go to the table."""
    found = ScenarioWaiting(
        at=table.seconds("at", None),
        gpus=table.count("gpus"),
        id=table.text("id", "waiting"),
        partitions=tuple(str(item) for item in table.listed("partition")),
        model=table.text("model"),
        user=table.text("user"),
        blocked=table.flag("blocked", default=False),
    )
    table.finish()
    return found


def person(table: Table) -> ScenarioPerson:
    """Read one table ``[[person]]``; mistakes go to the table."""
    found = ScenarioPerson(
        user=table.needed("user", '"mira"'),
        known=table.flag("known", default=True),
        address=table.flag("address", default=True),
        left=table.flag("left", default=False),
        contact=table.text("contact"),
    )
    table.finish()
    return found
