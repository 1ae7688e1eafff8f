"""A decision becomes a scenario that decides the same."""

from pathlib import Path

from exporter.contract import scenario
from reaper.app.capturing import capture
from reaper.app.replaying import Replayed, replay
from reaper.cycle.rules import Rules
from reaper.domain.facts.grid import NORMAL
from tests.builders import policy

DRAWN = Path(__file__).parents[2] / "scenarios" / "drawn"


async def played(text: str) -> Replayed:
    """Replay a scenario under the usual policy."""
    return await replay(scenario.load(text), Rules(cluster="test", policies=(policy(),)))


async def test_a_captured_allocation_replays_to_the_same_decisions() -> None:
    """Same kinds, same distances; only the names are gone."""
    first = await played((DRAWN / "quiet-shell.toml").read_text())
    text = await capture(first.store, "recorded/4711", pace=NORMAL)
    again = await played(text)

    def decided(result: Replayed) -> list[str]:
        kinds = ("warning", "final", "release intended", "verified")
        return [event.kind for event in result.events if event.kind in kinds]

    assert decided(again) == decided(first)[: len(decided(again))]
    assert decided(again)[:2] == ["warning", "final"]
    assert "mira" not in text
    assert "gpu01" not in text
