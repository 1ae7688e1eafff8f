"""
A scenario as it is being played on one node: which letter each GPU plays and who holds it.

The holders file lets real processes take part: it is read again whenever it changed.
"""

from dataclasses import dataclass
from pathlib import Path

from exporter.contract.distortion import Shown
from exporter.contract.scenario import LETTERS, ScenarioAllocation, ScenarioNode
from exporter.contract.stage import Stage


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
    """One node's part of what is on stage."""

    stage: Stage
    node: str
    holders_file: Path | None = None
    proc: Path = Path("/proc")
    _holders: tuple[Holder, ...] = ()
    _stamp: tuple[int, int] = (0, 0)

    def part(self) -> ScenarioNode:
        """Return the node as the scenario draws it."""
        return next(node for node in self.stage.scenario.nodes if node.name == self.node)

    def letter(self, gpu: int, now: float) -> str:
        """Return what a GPU does at `now` (Unix seconds)."""
        override = [item.letter for item in self.holders(gpu) if item.letter]
        return override[-1] if override else self.stage.letter(self.node, gpu, now)

    def shown(self, gpu: int, now: float) -> Shown:
        """Return what is measured of a GPU at `now` (Unix seconds)."""
        return self.stage.shown(self.part(), gpu, self.letter(gpu, now), now)

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
            for item in self.stage.running(now)
            if any(node == self.node for node, _ in item.holds)
        )
