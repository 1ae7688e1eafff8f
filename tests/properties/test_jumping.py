"""A clock that jumps over the minutes in which nothing can happen decides as a ticking one does."""

import asyncio

import pytest
from hypothesis import given, settings

from exporter.contract.scenario import Scenario, load
from reaper.app.past.replaying import Replayed, replay
from reaper.cycle.rules import Rules
from reaper.domain.judgement.policy import Rung
from tests.builders import MINUTE, policy
from tests.drawings import scenarios
from tests.project import ROOT
from tests.thoroughness import examples

QUICK = policy(
    Rung(step="warn", after=6 * MINUTE),
    Rung(step="warn", after=8 * MINUTE, final=True),
    Rung(step="release", grace=4 * MINUTE),
    idle_for=8 * MINUTE,
    away_for=3 * MINUTE,
)
DRAWN = ROOT / "tests/scenarios/drawn"


def played(scenario: Scenario, *, jump: bool) -> Replayed:
    """Replay a scenario."""
    rules = Rules(cluster="test", policies=(QUICK,))
    return asyncio.run(replay(scenario, rules, jump=jump))


@given(scenarios())
@settings(max_examples=examples(25))
def test_jumping_and_ticking_decide_alike(scenario: Scenario) -> None:
    """The same events at the same minutes, in no more turns."""
    ticked, jumped = played(scenario, jump=False), played(scenario, jump=True)

    assert [(e.at, e.kind, e.run_key, e.text) for e in jumped.events] == [
        (e.at, e.kind, e.run_key, e.text) for e in ticked.events
    ]
    assert jumped.turns <= ticked.turns


@pytest.mark.parametrize("name", ["given-back-by-others", "given-back-unseen"])
def test_jumping_and_ticking_decide_alike_on_what_owners_ask(name: str) -> None:
    """A wish is tried every minute, and given up in the same one."""
    scenario = load((DRAWN / f"{name}.toml").read_text(encoding="utf-8"))
    ticked, jumped = played(scenario, jump=False), played(scenario, jump=True)

    assert [(e.at, e.kind, e.text) for e in jumped.events] == [
        (e.at, e.kind, e.text) for e in ticked.events
    ]


def test_jumping_visits_few_of_the_minutes_of_a_quiet_day() -> None:
    """A case that waits for its grace is left alone until then."""
    scenario = load((DRAWN / "quiet-shell.toml").read_text(encoding="utf-8"))

    assert played(scenario, jump=True).turns * 5 < played(scenario, jump=False).turns


def test_jumping_tells_advice_in_the_same_minute_and_waits_in_no_other() -> None:
    """What is told when work begins is left alone until then."""
    scenario = load((DRAWN / "five-of-eight-are-advised.toml").read_text(encoding="utf-8"))
    ticked, jumped = played(scenario, jump=False), played(scenario, jump=True)

    assert [notice.kind for notice in jumped.notices] == ["advice"]
    assert jumped.notices == ticked.notices
    assert jumped.turns * 50 < ticked.turns
