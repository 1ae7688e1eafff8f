"""A step that was dropped at the last look is tried again, after longer and longer pauses."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from reaper.cycle.evaluation.outcome import follow
from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.decision import Phase
from reaper.domain.escalation.ladder import advance, back_to_final
from reaper.domain.escalation.setback import Setback
from reaper.domain.escalation.turn import Turn
from reaper.domain.facts.grid import NORMAL
from reaper.languages.catalogue import refused
from tests.builders import (
    HOUR,
    MINUTE,
    START,
    case,
    intent,
    notice,
    policy,
    situation,
)

WHY = "no fresh answer from gpu01"
TOLD = notice(delivered=START - 2 * HOUR)
LAST = notice(rung=1, delivered=START - HOUR)
WARNED = case(rung=2, warned=(START - 2 * HOUR, START - HOUR))


def dropped(one: Case, at: float) -> Case:
    """Return a case whose step was dropped at a time."""
    acting = replace(one, state=State.ACTING, intent_id="101@0#0")
    return follow(acting, replace(intent(phase=Phase.DROPPED), error=WHY), at).case


def turn(one: Case, now: float) -> Turn:
    """Take one turn in which nothing but a setback stands in the way of the release."""
    return advance(one, situation(now=now, idle=3 * HOUR, notices=(TOLD, LAST)))


def acts(one: Case, now: float) -> bool:
    return turn(one, now).act is not None


def test_the_first_pause_is_two_minutes() -> None:
    late = dropped(WARNED, START)

    assert not acts(late, START + 2 * MINUTE - 1)
    assert acts(late, START + 2 * MINUTE)


def test_each_further_pause_is_twice_as_long() -> None:
    late = dropped(dropped(WARNED, START), START + 3 * MINUTE)

    assert not acts(late, START + 7 * MINUTE - 1)
    assert acts(late, START + 7 * MINUTE)


def test_it_is_said_why_and_when_it_is_tried_again() -> None:
    taken = turn(dropped(WARNED, START), START + MINUTE)

    assert tuple(map(refused, taken.case.held_by)) == (f"last look: {WHY} (1 time in a row)",)
    assert taken.case.due == START + 2 * MINUTE


@given(st.integers(1, 2000))
def test_no_pause_is_longer_than_half_an_hour(times: int) -> None:
    again = Setback(at=START, why=WHY, times=times).again(NORMAL)

    assert START + 2 * MINUTE <= again <= START + 30 * MINUTE


def test_a_new_final_notice_forgets_it() -> None:
    assert back_to_final(dropped(WARNED, START), policy()).setback is None


def test_a_step_that_begins_forgets_it() -> None:
    acting = replace(dropped(WARNED, START), state=State.ACTING)

    assert follow(acting, intent(phase=Phase.BEGUN), START + MINUTE).case.setback is None
