"""A final notice belongs to the idleness that it speaks of, and says what will happen."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.decision import Hold
from reaper.domain.escalation.final import release_at
from reaper.domain.escalation.ladder import advance
from reaper.domain.escalation.situation import Situation
from reaper.domain.facts.demand import Request
from reaper.domain.facts.sign import Presence
from reaper.domain.judgement.hours import NEVER, Shift
from reaper.domain.judgement.policy import Policy, Rung
from reaper.domain.judgement.verdict import Kind
from reaper.domain.reason import quoted
from tests.builders import (
    HOUR,
    MINUTE,
    START,
    allocation,
    case,
    notice,
    policy,
    situation,
    verdict,
)

WARNED = notice(rung=0, delivered=START)
FINAL = notice(rung=1, delivered=START + 30 * MINUTE)
JOB = Request(id="7", gpus=1, since=START)
NIGHT = Shift(begin=START + 10 * HOUR, end=START + 19 * HOUR, after=START + 34 * HOUR)
DAY = Shift(begin=START - HOUR, end=START + 8 * HOUR, after=START + 23 * HOUR)
UNPROVEN = Presence(away=False, since=None, reason=quoted("vscode: nothing can prove it"))


def in_hours() -> Policy:
    """Return the usual policy, which releases in working hours alone."""
    return policy(any_hour=False)


def after(minutes: float, **given: object) -> Situation:
    """Return the situation so long after the first warning; idle since half an hour before it."""
    now = START + minutes * MINUTE
    told = (WARNED, FINAL)
    return situation(now=now, idle=(minutes + 30) * MINUTE, notices=told, **given)


def told_twice() -> object:
    return case(rung=2, warned=(START, START + 30 * MINUTE))


# ------------------------------------------------------------------ for which release it is good


@pytest.mark.parametrize(
    ("minutes", "acts", "tells"),
    [
        pytest.param(59, False, False, id="not before its grace is over"),
        pytest.param(60, True, False, id="when its grace is over"),
        pytest.param(120, True, False, id="for an hour more"),
        pytest.param(121, False, True, id="then it is told anew"),
    ],
)
def test_a_final_notice_is_good_for_its_grace_and_an_hour(
    minutes: float, *, acts: bool, tells: bool
) -> None:
    turn = advance(told_twice(), after(minutes))

    assert (turn.act is not None, turn.warn is not None) == (acts, tells)


def test_a_notice_that_is_told_anew_begins_a_whole_grace() -> None:
    anew = advance(told_twice(), after(121)).case
    again = replace(FINAL, id="again", round=1, delivered_at=START + 121 * MINUTE)

    def turned(minutes: float) -> object:
        now = after(minutes)
        return advance(anew, replace(now, notices=(WARNED, again))).act

    assert turned(150) is None
    assert turned(151) is not None


def test_a_notice_from_before_the_present_idle_stretch_is_spent() -> None:
    now = START + 90 * MINUTE
    stretch = verdict(now=now, idle=59 * MINUTE)
    small = policy(idle_for=30 * MINUTE)

    turn = advance(told_twice(), after(90, verdict=stretch, policy=small))

    assert turn.act is None


@pytest.mark.parametrize(
    ("worked", "acts"),
    [
        pytest.param(START + 29 * MINUTE, True, id="before it was told"),
        pytest.param(START + 31 * MINUTE, False, id="after it was told"),
    ],
)
def test_a_notice_is_spent_once_the_host_was_at_work_after_it(worked: float, *, acts: bool) -> None:
    assert (advance(told_twice(), after(61, host_worked=worked)).act is not None) is acts


def test_nothing_is_released_when_work_begins_on_a_notice_of_the_night() -> None:
    morning = after(10 * 60, shift=NIGHT, policy=in_hours())

    turn = advance(told_twice(), morning)

    assert turn.act is None
    assert turn.warn is not None


def test_a_notice_of_just_before_work_begins_gives_its_grace_from_then_on() -> None:
    early = Shift(begin=START + 40 * MINUTE, end=START + 9 * HOUR, after=START + 24 * HOUR)

    waiting = advance(told_twice(), after(60, shift=early, policy=in_hours()))

    assert waiting.act is None
    assert waiting.case.due == START + 70 * MINUTE


@pytest.mark.parametrize(("hours", "acts"), [(24, False), (24.5, True), (25, True), (25.1, False)])
def test_a_grace_of_a_day_ends_in_the_hours_of_the_next(hours: float, *, acts: bool) -> None:
    told = START + 30 * MINUTE
    next_day = Shift(begin=told + 24 * HOUR, end=told + 33 * HOUR, after=told + 48 * HOUR)
    warns = policy().warnings
    long = policy(*warns, Rung(step="release", grace=24 * HOUR), any_hour=False)

    turn = advance(told_twice(), after(30 + hours * 60, shift=next_day, policy=long))

    assert (turn.act is not None) is acts


def test_a_job_that_waits_at_night_releases_two_hours_after_the_notice() -> None:
    def turned(minutes: float) -> object:
        given = after(minutes, shift=NIGHT, policy=in_hours(), waiting=(JOB,))
        return advance(told_twice(), given).act

    assert turned(149) is None
    assert turned(150) is not None


def test_a_job_that_comes_long_after_the_notice_brings_a_new_one_first() -> None:
    late = after(6 * 60, shift=NIGHT, policy=in_hours(), waiting=(JOB,))

    turn = advance(told_twice(), late)

    assert turn.act is None
    assert turn.warn is not None


def test_a_notice_is_not_told_anew_while_something_else_stands_against_a_release() -> None:
    paused = Hold(id="p", kind="paused", reason="upgrade", by="otto", begin=0.0)

    turn = advance(told_twice(), after(10 * 60, holds=(paused,)))

    assert turn.warn is None
    assert [refusal.rule for refusal in turn.refusals] == ["paused"]


# ------------------------------------------------------------------ when it may be told


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        pytest.param({"policy": policy(demand="waiting")}, "demand", id="nobody waits"),
        pytest.param(
            {"holds": (Hold(id="p", kind="paused", reason="", by="otto", begin=0.0),)},
            "paused",
            id="paused",
        ),
        pytest.param({"verdict": verdict(Kind.HOST_BUSY, since=START)}, "evidence", id="host"),
        pytest.param({"presence": UNPROVEN}, "presence", id="nobody is proven away"),
    ],
)
def test_no_final_notice_threatens_what_is_ruled_out(given: dict[str, object], rule: str) -> None:
    turn = advance(case(rung=1, warned=(START,)), after(31, **given))

    assert turn.warn is None
    assert [refusal.rule for refusal in turn.refusals] == [rule]


def test_a_final_notice_ends_with_the_longer_window_of_a_person_that_nothing_proves_away() -> None:
    def turned(minutes: float) -> object:
        given = replace(after(minutes, presence=UNPROVEN), notices=(WARNED,))
        return advance(case(rung=1, warned=(START,)), given).warn

    longer = 4 * 60 - 30
    assert turned(longer - 31) is None
    assert turned(longer - 30) is not None


def test_a_host_at_work_opens_no_case() -> None:
    busy = verdict(Kind.HOST_BUSY, since=START, now=START + 90 * MINUTE)

    turn = advance(case(), after(60, verdict=busy))

    assert turn.warn is None
    assert turn.close == "it is at work"


@pytest.mark.parametrize(("minutes", "tells"), [(59, False), (61, True)])
def test_a_run_that_its_own_limit_ends_first_is_told_of_no_release(
    minutes: float, *, tells: bool
) -> None:
    held = allocation()
    limited = replace(held, claim=replace(held.claim, limit=START + minutes * MINUTE))
    given = replace(after(30, allocation=limited), notices=(WARNED,))

    assert (advance(case(rung=1, warned=(START,)), given).warn is not None) is tells


# ------------------------------------------------------------------ what it names


@pytest.mark.parametrize(
    ("given", "named"),
    [
        pytest.param({"shift": DAY}, START + 90 * MINUTE, id="by day"),
        pytest.param(
            {"shift": NIGHT},
            START + 10.5 * HOUR,
            id="at night: the morning",
        ),
        pytest.param(
            {"shift": NIGHT, "waiting": (JOB,)},
            START + 3 * HOUR,
            id="at night while a job waits",
        ),
        pytest.param(
            {"shift": replace(DAY, begin=START + 80 * MINUTE)},
            START + 110 * MINUTE,
            id="hours begin within the grace: they hold all of it",
        ),
        pytest.param(
            {"shift": replace(DAY, begin=START + 80 * MINUTE), "waiting": (JOB,)},
            START + 110 * MINUTE,
            id="hours begin within the longer grace for which a job waits",
        ),
        pytest.param(
            {"shift": replace(DAY, end=START + 80 * MINUTE)},
            START + 23.5 * HOUR,
            id="hours end within the grace",
        ),
        pytest.param(
            {"shift": NEVER, "hours_known": False},
            None,
            id="no directory tells the hours",
        ),
        pytest.param(
            {"shift": DAY, "presence": UNPROVEN},
            START + 3.5 * HOUR,
            id="the longer window ends later",
        ),
    ],
)
def test_a_final_notice_names_when_it_comes_true(
    given: dict[str, object], named: float | None
) -> None:
    assert release_at(after(60, policy=in_hours(), **given)) == named
