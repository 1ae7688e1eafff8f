"""A source whose rounds bring no people is asked for them, on the nodes of open cases alone."""

from dataclasses import dataclass, field

import pytest

from reaper.app.compose import rules
from reaper.app.parts import Adapters, Parts, wire
from reaper.config import load
from reaper.edge.clock import JumpingClock
from reaper.observers import Source, observe_once
from reaper.ports import Readings
from reaper.store.memory import MemoryStore
from tests.builders import START


@dataclass
class Engine:
    """An activity that notes which nodes it is asked for."""

    sees_people: bool = False
    name: str = "prometheus"
    asked: list[list[str]] = field(default_factory=list)

    async def readings(self, minute: int) -> Readings:
        return Readings(as_of=START)

    async def ask(self, nodes) -> Readings:
        self.asked.append(list(nodes))
        return Readings(as_of=START)


@pytest.fixture
def parts(tmp_path):
    """Give `parts(engine)`: everything wired to one source of activity."""

    def made(engine: Engine) -> Parts:
        path = tmp_path / "c.yaml"
        path.write_text(f"state_dir: {tmp_path}\n", encoding="utf-8")
        decides = rules(load(path))
        return wire(
            rules=decides,
            clock=JumpingClock(at=START),
            store=MemoryStore(cluster="a", pace=decides.pace),
            epoch=1,
            adapters=Adapters(activities=(engine,)),
        )

    return made


def presence(parts: Parts) -> list[Source]:
    return [source for source in parts.sources if source.role == "presence"]


async def test_the_nodes_of_open_cases_are_asked_for_people(parts):
    engine = Engine()
    made = parts(engine)
    (source,) = presence(made)
    await observe_once(source, board=made.board, clock=made.clock)
    made.board.watched = frozenset(["gpu02", "gpu01"])
    await observe_once(source, board=made.board, clock=made.clock)

    assert engine.asked == [["gpu01", "gpu02"]]
    assert made.board.of("presence")[0].error == ""


def test_a_source_that_sees_people_is_not_asked_apart(parts):
    assert presence(parts(Engine(sees_people=True))) == []
