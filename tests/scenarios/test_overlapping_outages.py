"""An outage of the channel that is drawn in pieces goes as the same one drawn whole."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from exporter.contract.scenario import Scenario, ScenarioEvent, load
from reaper.app.past.drawn import rules_of
from reaper.app.past.replaying import Replayed, replay
from reaper.config import load as configuration
from tests.builders import MINUTE
from tests.project import ROOT

DRAWN = ROOT / "tests/scenarios/drawn/nobody-could-answer.toml"

#: The forty minutes from 1h10m on, in three pieces; the second lies within the first.
PIECES = ((70, 30), (75, 5), (100, 10))


def went(scenario: Scenario) -> list[tuple[float, str]]:
    """Replay it by the rules that it names; return what happened when."""
    base = configuration(environ={"HOME": "/home/mira"})
    rules, _ = rules_of(scenario, source=DRAWN, base=base, configured=False)
    played: Replayed = asyncio.run(replay(scenario, rules))
    return [(event.at, event.kind) for event in played.events]


def pieces(drawn: Sequence[tuple[int, int]]) -> tuple[ScenarioEvent, ...]:
    return tuple(
        ScenarioEvent(at=at * MINUTE, do="deaf", duration=lasts * MINUTE) for at, lasts in drawn
    )


def test_pieces_that_overlap_are_one_outage() -> None:
    whole = load(DRAWN.read_text(encoding="utf-8"))
    (event,) = whole.events
    assert (event.at, event.duration) == (70 * MINUTE, 40 * MINUTE)

    assert went(replace(whole, events=pieces(PIECES))) == went(whole)
