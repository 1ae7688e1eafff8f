"""What the system did is counted from cases and events; what it only recorded is told apart."""

import pytest

from reaper.domain.escalation.case import State
from reaper.domain.money.conduct import Look, Outcome, conduct
from reaper.domain.money.entries import DemandPoint, Event
from tests import stored
from tests.books import HOUR


def happened(*kinds: str, **fields: object) -> list[Event]:
    return [Event(at=float(n), kind=kind, **fields) for n, kind in enumerate(kinds)]


def counted(events=(), cases=(), demand=(), minutes: int = 100):
    return conduct(events, cases, demand, minutes=minutes, step=60.0)


def test_the_routine_is_not_told():
    found = counted(happened("run began", "warning", "run ended", "warning"))

    assert dict(found.actions) == {"warning": 2}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("verified", "released"),
        ("would release", "would_release"),
        ("given back", "given_back"),
        ("reverted", "reverted"),
        ("failed", "failed"),
        ("dispute", "disputed"),
        ("dispute upheld", "upheld"),
        ("keep", "kept"),
    ],
)
def test_an_event_is_counted_for_what_it_is(kind: str, name: str):
    events = [*happened(kind, case_id="c1"), *happened(kind, case_id="c2")]

    assert getattr(counted(events), name) == 2


def test_a_case_disputed_before_and_after_its_release_is_one_false_alarm():
    cases = [stored.case("c1", warned=(5.0,), mode="act")]
    events = happened("dispute", "verified", "dispute", run_key="41+0", case_id="c1")

    assert counted(events, cases).false_alarms == 1.0


def test_a_case_whose_owner_was_told_is_warned():
    cases = [
        stored.case("told", warned=(5.0,), mode="notify"),
        stored.case("on its way", key="42+0", warned=(None,), mode="act"),
        stored.case("watched", key="43+0", warned=(5.0,), mode="observe"),
    ]

    assert counted(cases=cases).warned == 1


def test_false_alarms_are_disputes_of_those_who_were_warned():
    cases = [stored.case(str(n), key=f"{n}+0", warned=(5.0,)) for n in range(4)]

    assert counted(happened("dispute"), cases).false_alarms == 0.25
    assert counted(happened("dispute")).false_alarms is None


@pytest.mark.parametrize("outcome", ["activity returned", "its person came back"])
def test_work_that_came_back_is_counted(outcome: str):
    case = stored.case("c", state=State.CLOSED, closed=9.0, outcome=outcome)

    assert counted(cases=[case]).back_at_work == 1


def test_idle_time_before_a_decision_is_the_median():
    events = [
        Event(at=1.0, kind="release intended", numbers={"idle_seconds": idle})
        for idle in (HOUR, 9 * HOUR, 2 * HOUR)
    ]

    assert counted(events).idle_before_release == 2 * HOUR
    assert counted(happened("warning")).idle_before_release is None


def test_the_newest_case_of_a_run_says_what_came_of_it():
    cases = [
        stored.case(
            "later", opened=20.0, warned=(21.0, 22.0), state=State.CLOSED, outcome="released"
        ),
        stored.case("first", opened=10.0, state=State.CLOSED, outcome="activity returned"),
    ]

    assert counted(cases=cases).outcomes["41+0"] == Outcome(warned=2, text="released")


def test_demand_is_what_was_asked_for_and_for_how_long():
    demand = [DemandPoint(minute=n, gpus=gpus) for n, gpus in enumerate((0, 4, 8, 0))]

    waited = counted(demand=demand, minutes=4).demand

    assert (waited.asked, waited.share, waited.peak) == (12 * 60.0, 0.5, 8)


def test_no_minutes_are_no_share():
    assert counted(minutes=0).demand.share == 0


def test_the_wait_of_runs_that_began_is_their_median():
    began = [
        Event(at=1.0, kind="run began", numbers={"waited_seconds": waited})
        for waited in (60.0, 600.0, 86400.0)
    ]

    assert counted([*began, *happened("run began", "run ended")]).queue_wait == 600.0
    assert counted(happened("run began")).queue_wait is None


def test_what_a_person_should_look_at_stands_once_with_its_newest_arithmetic():
    events = [
        Event(at=at, kind="advice", run_key="1@5", text=text, numbers={"suspect": 1.0})
        for at, text in ((1.0, "a blip every 30 min"), (2.0, "a blip every 31 min"))
    ]
    others = happened("advice", "warning", run_key="2@5", numbers={"spare": 3.0})

    assert counted([*events, *others]).looks == (
        Look(kind="suspect", run_key="1@5", text="a blip every 31 min"),
    )
