"""An owner's budget of keeps: so many a day, so long each, and mornings by the week."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.keep import active, keep_again, keeps_left, mornings_left, refusal
from reaper.domain.judgement.policy import KeepRule
from reaper.domain.reason import because
from tests.builders import HOUR, START, keep, run

DAY = 86400.0
RULE = KeepRule(per_request=4 * HOUR, per_day=2, mornings_per_week=1)
KEY = run().key


def morning(**given):
    return keep(seconds=14 * HOUR, morning=True, **given)


def test_a_keep_protects_from_its_begin_until_its_end() -> None:
    one = keep(seconds=HOUR)

    assert active([one], run_key=KEY, now=START) == one
    assert active([one], run_key=KEY, now=START + HOUR) is None
    assert active([one], run_key="other", now=START) is None


def test_a_keep_within_the_budget_is_granted() -> None:
    assert refusal([keep(begin=START - HOUR)], RULE, wanted=keep()) is None


@pytest.mark.parametrize(
    ("before", "wanted", "code"),
    [
        ([], keep(seconds=5 * HOUR), "longer-than-allowed"),
        ([keep(begin=START - HOUR), keep(begin=START - 2 * HOUR)], keep(), "keeps-used-up"),
        ([morning(begin=START - 6 * DAY)], morning(), "mornings-used-up"),
    ],
    ids=["too long", "too many", "second morning"],
)
def test_a_keep_beyond_the_budget_says_which(before, wanted, code) -> None:
    assert refusal(before, RULE, wanted=wanted).code == code


def test_a_policy_without_mornings_knows_none() -> None:
    assert refusal([], KeepRule(), wanted=morning()) == because("no-mornings")


def test_mornings_and_hours_have_budgets_of_their_own() -> None:
    hours = [keep(begin=START - HOUR), keep(begin=START - 2 * HOUR)]

    assert refusal(hours, RULE, wanted=morning()) is None
    assert refusal([morning(begin=START - DAY / 2)] * 2, RULE, wanted=keep()) is None


def test_what_an_operator_kept_takes_nothing_from_its_owner() -> None:
    theirs = [replace(keep(begin=START - HOUR), operator=True)] * 5

    assert keeps_left(theirs, RULE, run_key=KEY, now=START) == 2


def test_owners_read_no_name_of_an_operator_who_kept_for_them() -> None:
    assert (keep().giver, keep(by="vera", operator=True).giver) == ("mira", "an operator")


def test_what_is_left_grows_again_with_time() -> None:
    spent = [keep(begin=START - DAY + 60), keep(begin=START - DAY)]
    mornings = [morning(begin=START - 7 * DAY)]

    assert keeps_left(spent, RULE, run_key=KEY, now=START) == 1
    assert mornings_left(mornings, RULE, run_key=KEY, now=START) == 1
    assert mornings_left(mornings, RULE, run_key=KEY, now=START - 1) == 0


def test_other_runs_have_budgets_of_their_own() -> None:
    others = [replace(keep(begin=START - HOUR), run_key="other")] * 9

    assert refusal(others, RULE, wanted=keep()) is None


SPENT = (keep(begin=START - 30 * HOUR), keep(begin=START - 25 * HOUR))
"""Two keeps of yesterday, as many as a day allows."""


@pytest.mark.parametrize(
    ("used", "left"),
    [
        (START - 31 * HOUR, 0),
        (START - 27 * HOUR, 2),
        (START - HOUR, 2),
        (None, 2),
    ],
    ids=["before both", "between them", "since", "unknown"],
)
def test_a_days_keeps_come_back_only_once_it_was_used(used: float | None, left: int) -> None:
    assert keeps_left(SPENT, RULE, run_key=KEY, now=START, used=used) == left


def test_a_keep_a_day_is_no_days_budget() -> None:
    daily = [keep(begin=START - 25 * HOUR * days) for days in (1, 2, 3)]

    assert keeps_left(daily, RULE, run_key=KEY, now=START, used=START - 4 * DAY) == 2


def test_a_refusal_for_want_of_use_says_what_brings_keeps_back() -> None:
    why = refusal(SPENT, RULE, wanted=keep(), used=START - 31 * HOUR)

    assert why == because("keeps-used-up-unused", allowed=2)


def test_the_next_keep_is_at_no_hour_where_it_must_be_used_first() -> None:
    lately = [keep(begin=START - HOUR), keep(begin=START - 2 * HOUR)]

    assert keep_again(lately, RULE, run_key=KEY, now=START, used=START - DAY) is None
    assert keep_again(lately, RULE, run_key=KEY, now=START, used=START) == START + 22 * HOUR
