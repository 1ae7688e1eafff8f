"""
A scenario as it is being played on one node: which letter each GPU plays and who holds it.

Pure but for two places that a test or a demo may change while it plays: the holders file and the
folder of released allocations.
"""

from dataclasses import dataclass
from pathlib import Path

from exporter.contract.scenario import LETTERS, Scenario, ScenarioAllocation


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """A line of the holders file: a real process on a GPU and, perhaps, what the GPU plays."""

    gpu: int
    pid: int
    letter: str = ""


def read_holders(text: str) -> tuple[Holder, ...]:
    """Read lines ``<gpu index> <pid> [letter]``; a half-written line is left out."""
    return tuple(holder for line in text.splitlines() if (holder := _holder(line.split())))


def _holder(words: list[str]) -> Holder | None:
    if not (2 <= len(words) <= 3 and all(word.isdecimal() for word in words[:2])):
        return None
    letter = words[2] if len(words) == 3 else ""
    if letter and (len(letter) != 1 or letter not in LETTERS):
        return None
    return Holder(gpu=int(words[0]), pid=int(words[1]), letter=letter)


@dataclass(slots=True, kw_only=True)
class Play:
    """One node's part; `origin` is the Unix second at which the scenario starts."""

    scenario: Scenario
    node: str
    origin: float
    holders_file: Path | None = None
    state: Path | None = None
    proc: Path = Path("/proc")
    _holders: tuple[Holder, ...] = ()
    _stamp: tuple[int, int] = (0, 0)

    def gpus(self) -> int:
        """Return how many GPUs the node has."""
        return len(self._tracks())

    def _tracks(self) -> tuple[str, ...]:
        return next(node.tracks for node in self.scenario.nodes if node.name == self.node)

    def letter(self, gpu: int, now: float) -> str:
        """Return what a GPU does at `now` (Unix seconds)."""
        override = [item.letter for item in self.holders(gpu) if item.letter]
        if override:
            return override[-1]
        held = self._holding(gpu, now)
        if held and all(self._is_released(item) for item in held):
            return "E"
        return self.scenario.letter(self.node, gpu, now - self.origin)

    def holders(self, gpu: int) -> tuple[Holder, ...]:
        """Return the holders file's living processes on a GPU."""
        self._reread()
        return tuple(
            item
            for item in self._holders
            if item.gpu == gpu and (self.proc / str(item.pid)).exists()
        )

    def _reread(self) -> None:
        if self.holders_file is None:
            return
        try:
            status = self.holders_file.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if stamp != self._stamp:
                self._holders = read_holders(self.holders_file.read_text(errors="replace"))
                self._stamp = stamp
        except FileNotFoundError:
            self._holders, self._stamp = (), (0, 0)

    def allocations(self, now: float) -> tuple[ScenarioAllocation, ...]:
        """Return the allocations that hold GPUs of this node at `now` and were not released."""
        return tuple(
            item
            for item in self.scenario.allocations
            if any(node == self.node for node, _ in item.holds)
            and self._runs(item, now)
            and not self._is_released(item)
        )

    def _holding(self, gpu: int, now: float) -> list[ScenarioAllocation]:
        place = (self.node, gpu)
        return [
            item
            for item in self.scenario.allocations
            if place in item.holds and self._runs(item, now)
        ]

    def _runs(self, allocation: ScenarioAllocation, now: float) -> bool:
        end = allocation.limit if allocation.end is None else allocation.end
        moment = now - self.origin
        return allocation.begin <= moment and (end is None or moment < end)

    def _is_released(self, allocation: ScenarioAllocation) -> bool:
        if self.state is None or "/" in allocation.id:
            return False
        return (self.state / "released" / allocation.id).exists()
