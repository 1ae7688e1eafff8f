"""
The one scenario format: what devices did and who held them, drawn as letters; TOML text.

The simulated driver plays it, ``replay`` judges it, ``capture`` writes it, tests draw it.
Times are durations from `start` (``"-3h"``, ``"90s"``); a track is letters with optional
counts (``"A*120 H*30 ?"``), one letter a `step`.  ``docs/scenarios.md`` teaches the format.
"""

import re
import tomllib
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal

from exporter.contract.drawing import LETTERS, draw, duration, expand, span

__all__ = [
    "LETTERS",
    "VERSION",
    "Scenario",
    "ScenarioAllocation",
    "ScenarioError",
    "ScenarioEvent",
    "ScenarioNode",
    "ScenarioSession",
    "Then",
    "device_uuid",
    "draw",
    "duration",
    "expand",
    "load",
    "span",
]

VERSION: Final = 1
_HOLD: Final = re.compile(r"(?P<node>[^:\s]+):(?P<first>\d+)(?:-(?P<last>\d+))?")

Then = Literal["hold", "loop"]


class ScenarioError(ValueError):
    """The text is no scenario; the message lists every mistake, a line each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioNode:
    """A node and one track per GPU; `then` says what follows a track's last letter."""

    name: str
    tracks: tuple[str, ...]
    model: str = "NVIDIA H100 80GB HBM3"
    profiling: bool = True
    then: Then = "hold"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSession:
    """A person's session; `inputs` are the moments (seconds from start) of human activity."""

    kind: str
    inputs: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioAllocation:
    """An allocation: `holds` are (node, GPU index) pairs; times are seconds from start."""

    id: str
    user: str
    holds: tuple[tuple[str, int], ...]
    begin: float = 0.0
    end: float | None = None
    limit: float | None = None
    name: str = ""
    account: str = ""
    partition: str = ""
    purpose: str = "other"
    requeueable: bool = False
    sessions: tuple[ScenarioSession, ...] = ()
    host_works: tuple[tuple[float, float], ...] | None = None
    """Spans in which its processes work on the host; None where nothing measures that."""
    serves: tuple[tuple[float, float], ...] | None = None
    """Spans in which it answers requests; None where nothing counts them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioEvent:
    """What happens `at` seconds from start: keep, dispute, release, outage, restart."""

    at: float
    do: str
    allocation: str = ""
    node: str = ""
    duration: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A whole scenario; `start` is aware, `step` in seconds."""

    title: str
    start: datetime
    step: float
    nodes: tuple[ScenarioNode, ...]
    allocations: tuple[ScenarioAllocation, ...] = ()
    events: tuple[ScenarioEvent, ...] = ()
    waiting: tuple[tuple[float, int], ...] = ()
    expect: Mapping[str, object] = field(default_factory=dict)

    def letter(self, node: str, gpu: int, at: float) -> str:
        """Return the letter a device plays `at` seconds from start; ``?`` before it."""
        chosen = next(item for item in self.nodes if item.name == node)
        track = chosen.tracks[gpu]
        step = int(at // self.step)
        if step < 0 or not track:
            return "?"
        if chosen.then == "loop":
            return track[step % len(track)]
        return track[min(step, len(track) - 1)]


def device_uuid(node: str, index: int) -> str:
    """Return the UUID of a drawn GPU, the same in every run and in every program that plays it."""
    return f"GPU-{uuid.uuid5(uuid.NAMESPACE_DNS, f'{node}/{index}')}"


def load(text: str) -> Scenario:
    """Read a scenario; raise :class:`ScenarioError` with every mistake at once."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"no TOML: {error}"
        raise ScenarioError(message) from error
    return _Reader(document).scenario()


class _Reader:
    """Reads one document and gathers mistakes instead of stopping at the first."""

    def __init__(self, document: Mapping[str, object]) -> None:
        self.document = document
        self.mistakes: list[str] = []

    def scenario(self) -> Scenario:
        nodes = tuple(self._node(where, item) for where, item in self._tables("node"))
        known = {node.name: len(node.tracks) for node in nodes}
        scenario = Scenario(
            title=str(self.document.get("title", "")),
            start=self._start(),
            step=self._seconds("step", self.document.get("step", "1m")),
            nodes=nodes,
            allocations=tuple(
                self._allocation(where, item, known) for where, item in self._tables("allocation")
            ),
            events=tuple(self._event(where, item) for where, item in self._tables("event")),
            waiting=tuple(self._waiting(where, item) for where, item in self._tables("waiting")),
            expect=_table(self.document.get("expect", {})),
        )
        if self.document.get("version") != VERSION:
            self.mistakes.append(f"version: write version = {VERSION}")
        if self.mistakes:
            raise ScenarioError("\n".join(self.mistakes))
        return scenario

    def _start(self) -> datetime:
        value = self.document.get("start")
        if isinstance(value, datetime) and value.tzinfo is not None:
            return value
        self.mistakes.append("start: write a time with a zone, for example 2026-03-02T09:00:00Z")
        return datetime.min.replace(tzinfo=UTC)

    def _tables(self, key: str) -> Iterator[tuple[str, Mapping[str, object]]]:
        value = self.document.get(key, [])
        if not isinstance(value, list):
            self.mistakes.append(f"{key}: write [[{key}]] tables")
            return
        for number, item in enumerate(value):
            yield f"{key}[{number}]", _table(item)

    def _node(self, where: str, item: Mapping[str, object]) -> ScenarioNode:
        drawn = item.get("gpus")
        tracks = [self._track(where, text) for text in drawn] if isinstance(drawn, list) else []
        if not tracks:
            self.mistakes.append(f'{where}.gpus: write one track per GPU, for example ["A*60 H"]')
        then: Then = "loop" if item.get("then") == "loop" else "hold"
        return ScenarioNode(
            name=self._text(where, item, "name"),
            tracks=tuple(tracks),
            model=str(item.get("model", "NVIDIA H100 80GB HBM3")),
            profiling=bool(item.get("profiling", True)),
            then=then,
        )

    def _track(self, where: str, text: object) -> str:
        try:
            return expand(str(text))
        except ValueError as error:
            self.mistakes.append(f"{where}.gpus: {error}")
            return "?"

    def _allocation(
        self, where: str, item: Mapping[str, object], known: Mapping[str, int]
    ) -> ScenarioAllocation:
        return ScenarioAllocation(
            id=self._text(where, item, "id"),
            user=self._text(where, item, "user"),
            holds=tuple(self._holds(where, item.get("holds"), known)),
            begin=self._seconds(f"{where}.begin", item.get("begin", "0s")),
            end=self._optional(f"{where}.end", item.get("end")),
            limit=self._optional(f"{where}.limit", item.get("limit")),
            name=str(item.get("name", "")),
            account=str(item.get("account", "")),
            partition=str(item.get("partition", "")),
            purpose=str(item.get("purpose", "other")),
            requeueable=bool(item.get("requeueable", False)),
            sessions=tuple(self._sessions(where, item.get("sessions", []))),
            host_works=self._spans(f"{where}.host_works", item.get("host_works")),
            serves=self._spans(f"{where}.serves", item.get("serves")),
        )

    def _holds(
        self, where: str, value: object, known: Mapping[str, int]
    ) -> Iterator[tuple[str, int]]:
        for text in value if isinstance(value, list) else [value]:
            match = _HOLD.fullmatch(str(text))
            node = match["node"] if match else ""
            last = int(match["last"] or match["first"]) if match else 0
            if match is None or last >= known.get(node, 0):
                self.mistakes.append(f"{where}.holds: {text!r} names no GPU; write gpu01:0-3")
                continue
            yield from ((node, index) for index in range(int(match["first"]), last + 1))

    def _spans(self, where: str, value: object) -> tuple[tuple[float, float], ...] | None:
        if value is None:
            return None
        found: list[tuple[float, float]] = []
        for text in value if isinstance(value, list) else [value]:
            try:
                found.append(span(str(text)))
            except ValueError as error:
                self.mistakes.append(f"{where}: {error}")
        return tuple(found)

    def _sessions(self, where: str, value: object) -> Iterator[ScenarioSession]:
        for item in value if isinstance(value, list) else []:
            table = _table(item)
            inputs = table.get("inputs", [])
            moments = inputs if isinstance(inputs, list) else [inputs]
            yield ScenarioSession(
                kind=self._text(f"{where}.sessions", table, "kind"),
                inputs=tuple(self._seconds(f"{where}.sessions.inputs", text) for text in moments),
            )

    def _event(self, where: str, item: Mapping[str, object]) -> ScenarioEvent:
        return ScenarioEvent(
            at=self._seconds(f"{where}.at", item.get("at")),
            do=self._text(where, item, "do"),
            allocation=str(item.get("allocation", "")),
            node=str(item.get("node", "")),
            duration=self._seconds(f"{where}.for", item.get("for", "0s")),
        )

    def _waiting(self, where: str, item: Mapping[str, object]) -> tuple[float, int]:
        gpus = item.get("gpus")
        if not isinstance(gpus, int):
            self.mistakes.append(f"{where}.gpus: write a number")
        return self._seconds(f"{where}.at", item.get("at")), gpus if isinstance(gpus, int) else 0

    def _optional(self, where: str, value: object) -> float | None:
        return None if value is None else self._seconds(where, value)

    def _seconds(self, where: str, value: object) -> float:
        try:
            return duration(str(value))
        except ValueError as error:
            self.mistakes.append(f"{where}: {error}")
            return 0.0

    def _text(self, where: str, item: Mapping[str, object], key: str) -> str:
        value = item.get(key)
        if not isinstance(value, str) or not value:
            self.mistakes.append(f"{where}.{key}: missing")
        return str(value or "")


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
