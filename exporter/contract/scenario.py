"""
The one scenario format: what devices did and who held them, drawn as letters; TOML text.

The simulated driver plays it, ``replay`` judges it, ``capture`` writes it, tests draw it.
Times are durations from `start` (``"-3h"``, ``"90s"``); a track is letters with optional
counts (``"A*120 H*30 ?"``), one letter a `step`.  ``docs/scenarios.md`` teaches the format.
"""

import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from math import inf
from typing import Final
from uuid import NAMESPACE_DNS, uuid5

from exporter.contract import expectation
from exporter.contract.allocations import allocation, person, waiting
from exporter.contract.distortion import Distortion, distortion
from exporter.contract.drawing import LETTERS, draw, duration, expand, span, written
from exporter.contract.expectation import Expectation
from exporter.contract.parts import (
    HAPPENINGS,
    SUFFERERS,
    Places,
    Scenario,
    ScenarioAllocation,
    ScenarioError,
    ScenarioEvent,
    ScenarioLoad,
    ScenarioNode,
    ScenarioPerson,
    ScenarioSession,
    ScenarioWaiting,
    Span,
    Then,
    background,
)
from exporter.contract.tables import Table, lines

__all__ = [
    "LETTERS",
    "VERSION",
    "Distortion",
    "Expectation",
    "Scenario",
    "ScenarioAllocation",
    "ScenarioError",
    "ScenarioEvent",
    "ScenarioLoad",
    "ScenarioNode",
    "ScenarioPerson",
    "ScenarioSession",
    "ScenarioWaiting",
    "Then",
    "device_uuid",
    "draw",
    "duration",
    "expand",
    "load",
    "span",
    "written",
]

VERSION: Final = 1
_MINUTE: Final = 60

#: Keys of a policy that only a drawing has.
_IN_FORCE: Final = frozenset(("from", "until"))

_THEN: Final[Mapping[str, Then]] = {"hold": "hold", "loop": "loop"}
_PLACES: Final[Mapping[str, Places]] = {"uuid": "uuid", "index": "index"}

#: Events that happen to one allocation.
_OF_ONE: Final = frozenset(
    ("keep", "keep until morning", "release", "dispute", "uphold", "reject", "approve")
)

#: How long an event lasts where nothing is said; what is missing here must say it.
_LASTS: Final = {
    "keep": 3600.0,
    "deaf": inf,
    "pause": inf,
    **dict.fromkeys(
        (
            "keep until morning",
            "release",
            "dispute",
            "uphold",
            "reject",
            "approve",
            "resume",
            "restart",
        ),
        0.0,
    ),
}


@lru_cache(maxsize=65536)
def device_uuid(node: str, index: int) -> str:
    """Return the UUID of a drawn GPU, the same in every run and in every program that plays it."""
    return f"GPU-{uuid5(NAMESPACE_DNS, f'{node}/{index}')}"


def load(text: str) -> Scenario:
    """Read a scenario; raise :class:`ScenarioError` with every mistake at once."""
    text = text.removeprefix("\ufeff")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"no TOML: {error}"
        raise ScenarioError(message) from error
    return _Reader(document, text).scenario()


class _Reader:
    """Reads one document and gathers mistakes instead of stopping at the first."""

    def __init__(self, document: Mapping[str, object], text: str) -> None:
        self.mistakes: list[str] = []
        self.lines = lines(text)
        start = document.get("start")
        self.top = Table(
            where="",
            values=document,
            mistakes=self.mistakes,
            lines=self.lines,
            start=start if isinstance(start, datetime) and start.tzinfo else None,
        )

    def scenario(self) -> Scenario:
        top = self.top
        if top.raw("version") != VERSION:
            top.wrong("version", f"write version = {VERSION}")
        nodes = tuple(self._node(table) for table in top.tables("node", "name"))
        if not nodes:
            top.wrong("node", "missing; write [[node]] with name and gpus")
        sizes = {node.name: len(node.tracks) for node in nodes}
        drawn = tuple(allocation(table, sizes) for table in top.tables("allocation", "id"))
        self._apart([node.name for node in nodes], drawn)
        names = frozenset(item.id for item in drawn)
        policy = top.raw("policy")
        more = background(top.count("background", 0))
        length = top.maybe("length")
        policies = () if isinstance(policy, str) else tuple(self._policies())
        scenario = Scenario(
            title=top.text("title"),
            start=self._start(),
            step=self._step(),
            nodes=(*nodes, *(node for node, _ in more)),
            allocations=(*drawn, *(held for _, held in more)),
            events=tuple(self._event(table, names, sizes) for table in top.tables("event", "do")),
            waiting=tuple(waiting(table) for table in top.tables("waiting")),
            signals=tuple(distortion(table, sizes) for table in top.tables("signal", "of")),
            people=tuple(person(table) for table in top.tables("person", "user")),
            expect=expectation.read(top.table("expect"), names, length=length),
            length=length,
            places=_PLACES[top.choice("places", _PLACES, "uuid")],
            policy=policy if isinstance(policy, str) else "",
            policies=tuple(values for values, _ in policies),
            in_force=tuple(span for _, span in policies),
            exemptions=self._plain("exemption"),
            budgets=top.table("budgets").values,
            interlocks=top.table("interlocks").values,
            lines=self.lines,
        )
        top.finish()
        if self.mistakes:
            raise ScenarioError("\n".join(self.mistakes), read=scenario)
        return scenario

    # -------------------------------------------------------------- the top

    def _start(self) -> datetime:
        value = self.top.raw("start")
        if not isinstance(value, datetime) or value.tzinfo is None:
            self.top.wrong("start", "write a time with a zone: start = 2026-03-02T09:00:00Z")
            return datetime.min.replace(tzinfo=UTC)
        if value.timestamp() % _MINUTE:
            self.top.wrong("start", f"{value.isoformat()} is not on a full minute")
        return value

    def _step(self) -> float:
        step = self.top.lasting("step", _MINUTE)
        if step <= 0:
            self.top.wrong("step", 'a letter must last; write for example step = "1m"')
        return step

    def _policies(self) -> Iterator[tuple[Mapping[str, object], Span]]:
        """Yield each policy as it stands in a policy file, and when it is in force."""
        for table in self.top.tables("policy", "name"):
            begin, end = table.seconds("from", -inf), table.maybe("until")
            if end is not None and end <= begin:
                table.wrong("until", "lies before it comes into force")
            values = {key: value for key, value in table.values.items() if key not in _IN_FORCE}
            yield values, (begin, inf if end is None else end)

    def _plain(self, key: str) -> tuple[Mapping[str, object], ...]:
        return tuple(table.values for table in self.top.tables(key))

    def _apart(self, nodes: list[str], drawn: tuple[ScenarioAllocation, ...]) -> None:
        for name in sorted({name for name in nodes if nodes.count(name) > 1}):
            self.mistakes.append(f"node {name}: drawn twice; give each node its own name")
        last: dict[str, float] = {}
        for item in sorted(drawn, key=lambda one: one.begin):
            if item.begin < last.get(item.id, -inf):
                cure = "end the earlier run before the later one begins"
                self.mistakes.append(f"allocation {item.id}: drawn twice at one time; {cure}")
            ends = item.limit if item.end is None else item.end
            last[item.id] = inf if ends is None else ends

    # -------------------------------------------------------------- what is drawn

    def _node(self, table: Table) -> ScenarioNode:
        drawn = table.listed("gpus")
        if not drawn:
            table.wrong("gpus", 'write one track per GPU, for example gpus = ["A*60 H"]')
        node = ScenarioNode(
            name=table.needed("name", '"gpu01"'),
            tracks=tuple(self._track(table, text) for text in drawn),
            model=table.text("model", "NVIDIA H100 80GB HBM3"),
            profiling=table.flag("profiling", default=True),
            utilisation=table.flag("utilisation", default=True),
            then=_THEN[table.choice("then", _THEN, "hold")],
            idle_power=table.number("idle_power"),
            clock=0.0 if table.raw("clock") is None else table.by("clock"),
        )
        table.finish()
        return node

    def _track(self, table: Table, text: object) -> str:
        try:
            track = expand(str(text))
        except ValueError as error:
            table.wrong("gpus", str(error))
            return "?"
        if not track:
            table.wrong("gpus", 'an empty track; write "E" for a GPU without any process')
        return track or "?"

    # -------------------------------------------------------------- what happens

    def _event(
        self, table: Table, names: frozenset[str], sizes: Mapping[str, int]
    ) -> ScenarioEvent:
        do = table.choice("do", HAPPENINGS, "keep")
        if table.raw("do") is None:
            table.wrong("do", f"missing; write one of {', '.join(HAPPENINGS)}")
        named, node = table.text("allocation"), table.text("node")
        if named not in names and (named or do in _OF_ONE):
            drawn = ", ".join(sorted(names)) or "none"
            table.wrong("allocation", f"no allocation {named!r}; drawn are {drawn}")
        if node and node not in sizes:
            table.wrong("node", f"no node {node!r}; drawn are {', '.join(sizes)}")
        of = table.choice("of", SUFFERERS, "exporter")
        event = ScenarioEvent(
            at=table.seconds("at", None),
            do="deaf" if do == "outage" and of == "channel" else do,
            allocation=named,
            node=node,
            of=of,
            by=table.text("by"),
            hold=table.text("hold", "paused"),
            duration=self._lasts(table, do),
        )
        table.finish()
        return event

    def _lasts(self, table: Table, do: str) -> float:
        if do == "clock":
            return table.by("for")
        return table.lasting("for", _LASTS.get(do))
