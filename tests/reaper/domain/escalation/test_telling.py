"""Notices have a budget a day, and wait for what makes every figure doubtful."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.case import State
from reaper.domain.escalation.decision import Hold
from reaper.domain.escalation.interlock import KIND
from reaper.domain.escalation.ladder import advance, against_telling
from reaper.domain.escalation.notice import Delivery, Told
from reaper.domain.escalation.telling import DAY, of_a_day, remembered, unheard
from reaper.domain.judgement.hours import Shift
from reaper.domain.judgement.policy import Mode
from tests.builders import (
    HOUR,
    MINUTE,
    START,
    allocation,
    case,
    notice,
    policy,
    run,
    situation,
)

TRIPPED = Hold(id="interlock:jump", kind=KIND, reason="80 turned idle", by="", begin=START)


def told(*hours_ago: float, final: bool = False) -> tuple[Told, ...]:
    return tuple(Told(at=START - hours * HOUR, final=final) for hours in hours_ago)


def test_a_tripped_interlock_holds_warnings_as_it_holds_acts() -> None:
    turn = advance(case(), situation(idle=2 * HOUR, holds=(TRIPPED,)))

    assert turn.warn is None
    assert [refusal.rule for refusal in turn.refusals] == [KIND]


def test_the_second_first_warning_within_a_day_is_left_out_and_the_last_one_is_not() -> None:
    before = told(3)

    first = advance(case(), situation(idle=30 * MINUTE, told=before))
    later = situation(now=START + 30 * MINUTE, idle=HOUR, told=before)
    last = advance(first.case, later).warn

    assert first.warn is None
    assert first.case.skipped
    assert last is not None
    assert last.final


@pytest.mark.parametrize("before", [of_a_day(told(25), START), told(3, final=True)])
def test_a_first_warning_after_a_day_or_beside_last_ones_is_told(before: tuple[Told, ...]) -> None:
    assert advance(case(), situation(idle=30 * MINUTE, told=before)).warn is not None


def test_a_first_warning_is_told_again_under_a_policy_that_has_changed_since() -> None:
    changed = situation(idle=30 * MINUTE, told=told(3), observed_for=2 * HOUR)

    assert advance(case(), changed).warn is not None


@pytest.mark.parametrize(
    ("spent", "tells"),
    [pytest.param(3, True, id="one is left"), pytest.param(4, False, id="spent")],
)
def test_notices_of_one_allocation_have_a_budget_a_day(spent: int, *, tells: bool) -> None:
    before = told(*range(1, spent + 1), final=True)

    turn = advance(case(), situation(idle=HOUR, told=before))

    assert (turn.warn is not None) is tells
    if not tells:
        assert turn.case.due == START - 4 * HOUR + DAY


@pytest.mark.parametrize("mode", [Mode.NOTIFY, Mode.ACT])
def test_what_was_only_assumed_while_a_policy_observed_was_told_to_nobody(mode: Mode) -> None:
    assumed = notice(rung=0, created=START - HOUR, delivery=Delivery.ASSUMED)
    (before,) = remembered({}, [assumed], START).values()

    assert of_a_day(before, START, mode) == ()
    assert of_a_day(before, START, Mode.OBSERVE) == before


def test_a_warning_that_never_arrived_was_told_to_nobody() -> None:
    heard, lost = told(3), told(2)
    over = replace(case(), state=State.CLOSED, warned=(None,))
    key = over.run.key

    assert unheard({key: (*heard, *lost)}, [over]) == {key: heard}
    assert unheard({key: heard}, [replace(over, warned=(START,))]) == {key: heard}
    assert unheard({key: heard}, [replace(over, state=State.OPEN)]) == {key: heard}
    assert remembered({}, [notice(created=START, delivery=Delivery.FAILED)], START) == {}


def test_what_was_told_more_than_a_day_ago_is_forgotten() -> None:
    now = START + DAY
    fresh = notice(rung=1, created=now)

    assert remembered({"old": told(0)}, [fresh], now) == {
        fresh.run_key: (Told(at=now, final=True),)
    }
    assert of_a_day(told(0), now) == ()


NIGHT = Shift(begin=START + 2 * HOUR, end=START + 11 * HOUR, after=START + 26 * HOUR)


def test_the_last_notice_of_a_day_is_kept_for_working_hours() -> None:
    """Jobs that wait at night, and go, do not keep the morning's from being told."""
    given = {"told": told(1, 2, 3, final=True), "policy": policy(any_hour=False), "shift": NIGHT}
    night = advance(case(), situation(idle=HOUR, **given))
    morning = situation(idle=HOUR, now=NIGHT.begin, **given)

    assert (night.warn, night.case.due) == (None, NIGHT.begin)
    assert advance(case(), morning).warn is not None


# ------------------------------------------------------------------ on its way


ON_ITS_WAY = case(rung=2, warned=(START - HOUR, None))


def test_a_last_notice_on_its_way_may_arrive_while_nothing_stands_against_it() -> None:
    assert against_telling(ON_ITS_WAY, situation(idle=2 * HOUR)) == ()


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        pytest.param({"holds": (TRIPPED,)}, "interlock", id="an interlock has tripped"),
        pytest.param({"disputed": True}, "dispute", id="its owner disputes it"),
        pytest.param({"idle": 10 * MINUTE}, "window", id="it worked meanwhile"),
        pytest.param({"policy": policy(demand="waiting")}, "demand", id="nobody waits any more"),
    ],
)
def test_a_last_notice_that_would_not_be_true_now_does_not_arrive(
    given: dict[str, object], rule: str
) -> None:
    found = against_telling(ON_ITS_WAY, situation(**{"idle": 2 * HOUR, **given}))

    assert found[0].rule == rule


def test_a_last_notice_spares_the_longest_start_up() -> None:
    """A first warning does not: an early step brings no release forward, and hides nothing."""
    young = allocation(run=run(started=START - 70 * MINUTE))
    warned = notice(rung=0, delivered=START - HOUR)
    early = situation(idle=65 * MINUTE, allocation=young, notices=(warned,))

    assert (early.idle, early.rested) == (65 * MINUTE, 50 * MINUTE)
    assert advance(case(rung=1, warned=(START - HOUR,)), early).case.due == START + 10 * MINUTE
    assert advance(case(), early).warn is not None
