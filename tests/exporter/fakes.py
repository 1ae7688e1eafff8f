"""A clock that stands still until it is moved, and a source that answers from a list."""

from dataclasses import dataclass, field

from exporter.sampling.snapshot import Round


@dataclass
class StillClock:
    """Moves only when told; waiting moves it."""

    now: float = 1000.0
    offset: float = 1_700_000_000.0
    waits: list[float] = field(default_factory=list)

    def wall(self) -> float:
        return self.now + self.offset

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.pause(seconds)

    def pause(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


class Answers:
    """Hands out prepared rounds, then None; keeps what it was asked."""

    def __init__(self, *rounds: Round | None, trouble: str = ""):
        self.rounds = list(rounds)
        self.trouble = trouble
        self.asked = []

    async def ask(self, ask):
        self.asked.append(ask)
        return self.rounds.pop(0) if self.rounds else None
