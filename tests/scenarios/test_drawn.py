"""Every drawn scenario goes as it expects, by the same path that `gpu-reaper replay` takes."""

import asyncio
from pathlib import Path

import pytest

from exporter.contract.scenario import Scenario, load
from reaper.app.past.expecting import compare
from reaper.app.past.replaying import Replayed, replay
from tests.drawn_files import DRAWN, name_of_drawing, rules_for
from tests.project import ROOT

TICKED = (
    "channel-is-slow",
    "keep-alive-loop",
    "reaper-away-for-long",
    "request-between-two-looks",
    "restarted-notebook",
    "set-up-is-not-idle",
)
"""Scenarios with every kind of edge, short enough to be played minute by minute."""


def played(path: Path, *, jump: bool = True) -> tuple[Scenario, Replayed]:
    """Replay a file by the rules that it names."""
    scenario = load(path.read_text(encoding="utf-8"))
    rules = rules_for(scenario, path)
    return scenario, asyncio.run(replay(scenario, rules, jump=jump))


@pytest.mark.parametrize("path", DRAWN, ids=name_of_drawing)
def test_a_drawn_scenario_goes_as_it_expects(path: Path) -> None:
    scenario, replayed = played(path)

    assert compare(scenario, replayed).differences == ()


@pytest.mark.parametrize("path", DRAWN, ids=name_of_drawing)
def test_a_drawn_scenario_expects_something_and_says_where_it_comes_from(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert load(text).expect.anything
    assert text.startswith("# ")
    assert load(text).title


@pytest.mark.parametrize("name", TICKED)
def test_a_drawn_scenario_goes_the_same_minute_by_minute(name: str) -> None:
    path = ROOT / f"tests/scenarios/drawn/{name}.toml"
    _, jumped = played(path)
    _, ticked = played(path, jump=False)

    assert [(e.at, e.kind, e.run_key) for e in jumped.events] == [
        (e.at, e.kind, e.run_key) for e in ticked.events
    ]


def test_every_drawing_is_listed_by_what_goes_wrong_in_it() -> None:
    page = (ROOT / "tests/scenarios/README.md").read_text(encoding="utf-8")

    assert [path.stem for path in DRAWN if f"(drawn/{path.name})" not in page] == []
