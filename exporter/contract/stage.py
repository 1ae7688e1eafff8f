"""
A scenario on stage: who holds what at a time, and which allocations were released.

Every program that plays a scenario asks here, so that a release shows on devices and in the
scheduler alike.  With a `state` folder a release is the file ``released/<allocation>`` in it,
which other programs see; without one it is kept in memory.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Final

from exporter.contract.distortion import LOOKS, STUCK, Distortion, Shown, shown
from exporter.contract.parts import Span
from exporter.contract.scenario import Scenario, ScenarioAllocation, ScenarioNode

_RUN: Final = re.compile(r"(.)\1*")


@dataclass(slots=True, kw_only=True)
class Changes:
    """
    The changes of one GPU: of its letters, a `step` each, and at `others` (seconds from start).

    Letters of a track that begins again change where it does, too.
    """

    node: ScenarioNode
    gpu: int
    step: float
    others: Sequence[float] = ()
    _places: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._places = begins(self.node.tracks[self.gpu])
        self.others = sorted({at for at in self.others if abs(at) != inf})

    def after(self, moment: float) -> float:
        """Return the first change after a moment, in seconds from start; never is infinite."""
        place = bisect_right(self.others, moment)
        other = self.others[place] if place < len(self.others) else inf
        return min(other, self._letter(int(moment // self.step)) * self.step)

    def _letter(self, place: int) -> float:
        """Return the step of the first other letter after a step."""
        if place < 0:
            return 0
        length = len(self.node.tracks[self.gpu])
        whole = place // length * length if self.node.then == "loop" else 0
        following = bisect_right(self._places, place - whole)
        if following < len(self._places):
            return whole + self._places[following]
        return whole + length if self.node.then == "loop" else inf


def begins(track: str) -> tuple[int, ...]:
    """Return the places of a track at which a letter begins that the one before is not."""
    return tuple(run.start() for run in _RUN.finditer(track))


def edges(spans: Iterable[tuple[float, float]]) -> tuple[float, ...]:
    """Return where spans begin and end."""
    return tuple(at for span in spans for at in span)


#: Ids that name no file of their own.
_NO_FILES: Final = frozenset(("", ".", ".."))


@dataclass(slots=True, kw_only=True)
class Stage:
    """A scenario that begins at `origin` (Unix seconds); runs of one id follow each other."""

    scenario: Scenario
    origin: float
    state: Path | None = None
    _released: dict[str, tuple[float, ...]] = field(default_factory=dict)
    _asked: dict[tuple[str, float], float] = field(default_factory=dict)
    """When runs (id, begin) were asked to save themselves."""
    _holders: dict[tuple[str, int], list[ScenarioAllocation]] = field(default_factory=dict)
    _nodes: dict[str, ScenarioNode] = field(default_factory=dict)
    _changes: dict[tuple[str, int], Changes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._nodes = {node.name: node for node in self.scenario.nodes}
        for item in self.scenario.allocations:
            for place in item.holds:
                self._holders.setdefault(place, []).append(item)

    def running(self, now: float) -> tuple[ScenarioAllocation, ...]:
        """Return the allocations that have begun, not ended and were not released."""
        return tuple(
            item
            for item in self.scenario.allocations
            if self.drawn(item, now) and self._release_of(item) is None
        )

    def drawn(self, allocation: ScenarioAllocation, now: float) -> bool:
        """Tell whether the scenario draws an allocation at a time, released or not."""
        moment = now - self.origin
        end = ends(allocation)
        return allocation.begin <= moment and (end is None or moment < end)

    def letter(self, node: str, gpu: int, at: float) -> str:
        """
        Return what a GPU plays at a time: ``E`` while all that hold it were released.

        An engine that is busy without any process on the GPU is stuck.
        """
        held = [item for item in self._holders.get((node, gpu), ()) if self.drawn(item, at)]
        if held and all(self._is_released(item, at) for item in held):
            return "E"
        place = int((at - self.origin) // self.scenario.step)
        letter = self._nodes[node].letter(gpu, place)
        vacant = bool(held) and all(item.works_on == () for item in held)
        return STUCK if vacant and letter == "X" else letter

    def changes(self, node: str, gpu: int, at: float) -> float:
        """Return when a GPU may next show something else, releases aside; Unix seconds."""
        found = self._changes.get((node, gpu))
        if found is None:
            found = self._changes[node, gpu] = self._changing(node, gpu)
        return self.origin + found.after(at - self.origin)

    def _changing(self, node: str, gpu: int) -> Changes:
        held = self._holders.get((node, gpu), ())
        ended = (ends(item) for item in held)
        signals = (one for one in self.scenario.signals if one.node in ("", node))
        return Changes(
            node=self._nodes[node],
            gpu=gpu,
            step=self.scenario.step,
            others=(
                *(item.begin for item in held),
                *(end for end in ended if end is not None),
                *(at for one in signals for at in edges(one.spans)),
            ),
        )

    def shown(self, node: ScenarioNode, gpu: int, letter: str, at: float) -> Shown:
        """Return what is measured of a GPU that plays a letter: as its node's signals show it."""
        present = self.distortions(node.name, at, gpu)
        return shown(LOOKS.get(letter), node.model, node.idle_power, present)

    def distortions(self, node: str, at: float, gpu: int | None = None) -> tuple[Distortion, ...]:
        """Return the signals of a node, or of one GPU of it, that do not tell the truth."""
        moment = at - self.origin
        signals = self.scenario.signals
        return tuple(one for one in signals if one.lasts(node, moment, gpu)) if signals else ()

    def happens(self, do: str, now: float, *, of: str = "", node: str = "") -> bool:
        """Tell whether something drawn lasts at a time, for a node (or one without a name)."""
        moment = now - self.origin
        return any(
            event.do == do
            and (not of or event.of == of)
            and (not node or event.node in {"", node})
            and event.at <= moment < event.at + event.duration
            for event in self.scenario.events
        )

    def deaf(self, now: float, allocation: str = "") -> bool:
        """Tell whether no notice gets through at a time: to anybody, or to one owner."""
        moment = now - self.origin
        return any(
            event.do == "deaf"
            and event.allocation in ("", allocation)
            and event.at <= moment < event.at + event.duration
            for event in self.scenario.events
        )

    @property
    def silences(self) -> tuple[Span, ...]:
        """Return when nobody is reached, and nobody can answer, in order; what touches is one."""
        drawn = sorted(
            (event.at, event.at + event.duration)
            for event in self.scenario.events
            if event.do == "deaf" and not event.allocation
        )
        united: list[Span] = []
        for begin, end in drawn:
            if united and begin <= united[-1][1]:
                first, last = united.pop()
                united.append((first, max(last, end)))
            else:
                united.append((begin, end))
        return tuple(united)

    def _is_released(self, allocation: ScenarioAllocation, at: float) -> bool:
        released = self._release_of(allocation)
        return released is not None and released <= at

    def _release_of(self, allocation: ScenarioAllocation) -> float | None:
        """Return when this run was released: a release before its begin was an earlier run's."""
        moments = self._moments(allocation.id)
        begin = self.origin + allocation.begin
        return next((moment for moment in moments if moment >= begin), None)

    # -------------------------------------------------------------- releases

    def release(self, allocation: str, now: float) -> None:
        """End an allocation; raise ValueError for an id that no file can be named after."""
        if self.state is not None and self._path(allocation) is None:
            message = f"{allocation!r} names no file in {self.state}"
            raise ValueError(message)
        if any(item.id == allocation for item in self.running(now)):
            self._write(allocation, (*self._moments(allocation), now))

    def ask(self, allocation: ScenarioAllocation, now: float) -> None:
        """Ask a run to save itself."""
        self._asked[allocation.id, allocation.begin] = now

    def saved(self, allocation: ScenarioAllocation, now: float) -> bool:
        """Tell whether a run that was asked has written a newer file by now."""
        asked = self._asked.get((allocation.id, allocation.begin))
        return (
            asked is not None and allocation.saves is not None and now >= asked + allocation.saves
        )

    def restore(self, allocation: str) -> None:
        """Take the last release back."""
        self._write(allocation, self._moments(allocation)[:-1])

    def released_at(self, allocation: str) -> float | None:
        """Return when an allocation was released last, None when it was not."""
        return max(self._moments(allocation), default=None)

    def releases(self) -> tuple[float, ...]:
        """Return the moments of all releases, in order."""
        ids = {item.id for item in self.scenario.allocations}
        return tuple(sorted(moment for name in ids for moment in self._moments(name)))

    def _moments(self, allocation: str) -> tuple[float, ...]:
        path = self._path(allocation)
        if path is None:
            return self._released.get(allocation, ())
        try:
            moments = tuple(float(line) for line in path.read_text(encoding="utf-8").split())
        except FileNotFoundError:
            return ()
        except ValueError:
            moments = ()
        return moments or self._by_hand(allocation)

    def _by_hand(self, allocation: str) -> tuple[float, ...]:
        """Return what a file that a person made means: every run of the id is released."""
        runs = [item for item in self.scenario.allocations if item.id == allocation]
        return tuple(max(self.origin, self.origin + item.begin) for item in runs)

    def _write(self, allocation: str, moments: tuple[float, ...]) -> None:
        if self.state is None:
            self._released[allocation] = moments
            return
        path = self._path(allocation)
        if path is None:
            return
        if not moments:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        part.write_text("".join(f"{moment!r}\n" for moment in moments), encoding="utf-8")
        part.replace(path)

    def _path(self, allocation: str) -> Path | None:
        if self.state is None or "/" in allocation or allocation in _NO_FILES:
            return None
        return self.state / "released" / allocation


def ends(allocation: ScenarioAllocation) -> float | None:
    """Return when an allocation ends by itself, in seconds from start: its end, or its limit."""
    return allocation.limit if allocation.end is None else allocation.end
