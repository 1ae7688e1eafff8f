"""A clock that jumps over the minutes in which nothing can happen decides as a ticking one does."""

import asyncio
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.contract.scenario import (
    Scenario,
    ScenarioAllocation,
    ScenarioEvent,
    ScenarioNode,
    ScenarioSession,
    load,
)
from reaper.app.replaying import Replayed, replay
from reaper.cycle.rules import Rules
from reaper.domain.judgement.policy import Rung
from tests.builders import MINUTE, policy
from tests.project import ROOT

QUICK = policy(
    Rung(step="warn", after=6 * MINUTE),
    Rung(step="warn", after=8 * MINUTE, final=True),
    Rung(step="release", grace=4 * MINUTE),
    idle_for=8 * MINUTE,
    away_for=3 * MINUTE,
)
LENGTH = 60
DRAWN = ROOT / "tests/scenarios/drawn"

tracks = (
    st.lists(st.tuples(st.sampled_from("HHHHEAALX"), st.integers(1, 15)), min_size=2, max_size=6)
    .map(lambda runs: "".join(letter * count for letter, count in runs))
    .map(lambda drawn: (drawn * LENGTH)[:LENGTH])
)
moments = st.lists(st.integers(0, LENGTH).map(lambda minute: minute * MINUTE), max_size=3)
happenings = st.lists(
    st.tuples(st.integers(1, LENGTH), st.sampled_from(["keep", "dispute"])), max_size=2
)


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """Return two GPUs, one behind a shell and one behind a job, with keeps and keystrokes."""
    return Scenario(
        title="drawn",
        start=datetime(2026, 3, 2, 9, tzinfo=UTC),
        step=MINUTE,
        nodes=(ScenarioNode(name="gpu01", tracks=(draw(tracks), draw(tracks))),),
        allocations=(
            ScenarioAllocation(
                id="1",
                user="mira",
                holds=(("gpu01", 0),),
                begin=-7200.0,
                purpose="interactive",
                sessions=(ScenarioSession(kind="shell", inputs=tuple(draw(moments))),),
            ),
            ScenarioAllocation(
                id="2",
                user="otto",
                holds=(("gpu01", 1),),
                begin=draw(st.sampled_from([-7200.0, 600.0])),
                end=draw(st.sampled_from([None, 1800.0])),
                purpose="training",
            ),
        ),
        events=tuple(
            ScenarioEvent(at=minute * MINUTE, do=do, allocation="1", duration=600.0)
            for minute, do in draw(happenings)
        ),
    )


def played(scenario: Scenario, *, jump: bool) -> Replayed:
    """Replay a scenario."""
    rules = Rules(cluster="test", policies=(QUICK,))
    return asyncio.run(replay(scenario, rules, jump=jump))


@given(scenarios())
@settings(max_examples=25)
def test_jumping_and_ticking_decide_alike(scenario: Scenario) -> None:
    """The same events at the same minutes, in no more turns."""
    ticked, jumped = played(scenario, jump=False), played(scenario, jump=True)

    assert [(e.at, e.kind, e.run_key, e.text) for e in jumped.events] == [
        (e.at, e.kind, e.run_key, e.text) for e in ticked.events
    ]
    assert jumped.turns <= ticked.turns


def test_jumping_visits_few_of_the_minutes_of_a_quiet_day() -> None:
    """A case that waits for its grace is left alone until then."""
    scenario = load((DRAWN / "quiet-shell.toml").read_text(encoding="utf-8"))

    assert played(scenario, jump=True).turns * 5 < played(scenario, jump=False).turns
