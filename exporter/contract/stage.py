"""
A scenario on stage: who holds what at a time, and which allocations were released.

Every program that plays a scenario asks here, so that a release shows on devices and in the
scheduler alike.  With a `state` folder a release is the file ``released/<allocation>`` in it,
which other programs see; without one it is kept in memory.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from exporter.contract.scenario import Scenario, ScenarioAllocation

#: Ids that name no file of their own.
_NO_FILES: Final = frozenset(("", ".", ".."))


@dataclass(slots=True, kw_only=True)
class Stage:
    """A scenario that begins at `origin` (Unix seconds); one run for each id."""

    scenario: Scenario
    origin: float
    state: Path | None = None
    _released: dict[str, float] = field(default_factory=dict)
    _holders: dict[tuple[str, int], list[ScenarioAllocation]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for item in self.scenario.allocations:
            for place in item.holds:
                self._holders.setdefault(place, []).append(item)

    def running(self, now: float) -> tuple[ScenarioAllocation, ...]:
        """Return the allocations that have begun, not ended and were not released."""
        return tuple(
            item
            for item in self.scenario.allocations
            if self.drawn(item, now) and self.released_at(item.id) is None
        )

    def drawn(self, allocation: ScenarioAllocation, now: float) -> bool:
        """Tell whether the scenario draws an allocation at a time, released or not."""
        moment = now - self.origin
        end = ends(allocation)
        return allocation.begin <= moment and (end is None or moment < end)

    def letter(self, node: str, gpu: int, at: float) -> str:
        """Return what a GPU plays at a time: ``E`` while all that hold it were released."""
        held = [item for item in self._holders.get((node, gpu), ()) if self.drawn(item, at)]
        if held and all(self._is_released(item, at) for item in held):
            return "E"
        return self.scenario.letter(node, gpu, at - self.origin)

    def _is_released(self, allocation: ScenarioAllocation, at: float) -> bool:
        released = self.released_at(allocation.id)
        return released is not None and released <= at

    # -------------------------------------------------------------- releases

    def release(self, allocation: str, now: float) -> None:
        """End an allocation; raise ValueError for an id that no file can be named after."""
        if self.state is None:
            self._released.setdefault(allocation, now)
            return
        path = self._path(allocation)
        if path is None:
            raise ValueError(f"{allocation!r} names no file in {self.state}")
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            part = path.with_name(f".{path.name}.part")
            part.write_text(f"{now!r}\n", encoding="utf-8")
            part.replace(path)

    def restore(self, allocation: str) -> None:
        """Take a release back."""
        self._released.pop(allocation, None)
        path = self._path(allocation)
        if path is not None:
            path.unlink(missing_ok=True)

    def released_at(self, allocation: str) -> float | None:
        """Return when an allocation was released, None when it was not."""
        path = self._path(allocation)
        if path is None:
            return self._released.get(allocation)
        try:
            return float(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError:
            return self.origin  # a file that somebody else made, by hand

    def releases(self) -> tuple[float, ...]:
        """Return the moments of all releases, in order."""
        moments = (self.released_at(item.id) for item in self.scenario.allocations)
        return tuple(sorted(moment for moment in moments if moment is not None))

    def _path(self, allocation: str) -> Path | None:
        if self.state is None or "/" in allocation or allocation in _NO_FILES:
            return None
        return self.state / "released" / allocation


def ends(allocation: ScenarioAllocation) -> float | None:
    """Return when an allocation ends by itself, in seconds from start: its end, or its limit."""
    return allocation.limit if allocation.end is None else allocation.end
