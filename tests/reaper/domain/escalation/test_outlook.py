"""What comes next is said by one function: the step, its earliest instant, and what holds it."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.decision import Hold
from reaper.domain.escalation.ladder import advance
from reaper.domain.escalation.outlook import Outlook, outlook
from reaper.domain.judgement.hours import Shift
from reaper.domain.judgement.policy import Mode
from reaper.languages.catalogue import refused
from tests.builders import HOUR, MINUTE, START, case, keep, notice, policy, situation

WARNED = notice(rung=0, delivered=START)
FINAL = notice(rung=1, delivered=START + 30 * MINUTE)
NIGHT = Shift(begin=START + 10 * HOUR, end=START + 19 * HOUR, after=START + 34 * HOUR)
TRIPPED = Hold(id="interlock:jump", kind="interlock", reason="80 turned idle", by="", begin=0.0)


def ahead(minutes: float, *, rung: int = 2, **given: object) -> Outlook:
    """Look ahead so long after the first warning."""
    now = START + minutes * MINUTE
    told = (WARNED, FINAL)[:rung]
    seen = situation(now=now, idle=(minutes + 30) * MINUTE, notices=told, **given)
    warned = tuple(item.delivered_at for item in told)
    before = case(rung=rung, warned=warned, mode=seen.policy.mode)
    turn = advance(before, seen)
    return outlook(turn.case, seen, turn)


def test_a_release_comes_when_the_grace_is_over() -> None:
    seen = ahead(40)

    assert (seen.step, seen.at, seen.held) == ("release", START + HOUR, ())


def test_a_final_warning_names_the_release_that_it_allows() -> None:
    seen = ahead(10, rung=1)

    assert (seen.step, seen.at) == ("final warning", START + 30 * MINUTE)
    assert seen.after == START + HOUR


def test_no_release_is_in_sight_under_a_tripped_interlock() -> None:
    seen = ahead(40, holds=(TRIPPED,))

    assert (seen.step, seen.at) == ("release", None)
    assert tuple(map(refused, seen.held)) == ("interlock: 80 turned idle",)


def test_after_a_keep_comes_a_final_warning() -> None:
    kept = keep(begin=START + 35 * MINUTE)

    seen = ahead(40, keep=kept)

    assert (seen.step, seen.at) == ("final warning", kept.until)


def test_in_notify_a_keep_is_followed_by_a_final_warning_as_well() -> None:
    kept = keep(begin=START + 35 * MINUTE)

    assert ahead(40, keep=kept, policy=policy(mode=Mode.NOTIFY)).step == "final warning"


def test_a_dispute_shows_while_a_keep_runs() -> None:
    seen = ahead(40, keep=keep(begin=START + 35 * MINUTE), disputed=True)

    assert any(one.rule == "dispute" for one in seen.held)


def test_at_night_the_morning_brings_the_final_warning_anew() -> None:
    seen = ahead(6 * 60, shift=NIGHT, policy=policy(any_hour=False))

    assert (seen.step, seen.at, seen.spent) == ("final warning", NIGHT.begin, True)
    assert seen.after == NIGHT.begin + 30 * MINUTE


@pytest.mark.parametrize("minutes", [61, 119])
def test_what_is_good_for_a_release_is_not_spent(minutes: float) -> None:
    assert not ahead(minutes).spent


def test_a_policy_without_acts_has_no_next_step_once_all_is_told() -> None:
    warns = replace(policy(), rungs=policy().warnings)

    assert ahead(40, policy=warns).step == ""
