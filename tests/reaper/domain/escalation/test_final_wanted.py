"""A final notice, and jobs that wait for what a release would give back."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.final import release_at
from reaper.domain.escalation.ladder import advance
from tests.builders import MINUTE, START, policy
from tests.reaper.domain.escalation.test_final import (
    FINAL,
    JOB,
    NIGHT,
    UNPROVEN,
    WARNED,
    after,
    in_hours,
    told_twice,
)


@pytest.mark.parametrize(
    ("wanted", "acts"),
    [
        pytest.param(START, True, id="since before the notice"),
        pytest.param(START + 30 * MINUTE, True, id="since the notice"),
        pytest.param(START + 31 * MINUTE, False, id="since after it"),
    ],
)
@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"policy": policy(demand="waiting")}, id="a policy for jobs that wait"),
        pytest.param({"policy": in_hours(), "shift": NIGHT}, id="at night"),
    ],
)
def test_jobs_have_waited_without_a_break_since_the_notice_that_a_release_follows(
    given: dict[str, object], wanted: float, *, acts: bool
) -> None:
    minutes = 60.0 if "shift" not in given else 150.0

    turn = advance(told_twice(), after(minutes, waiting=(JOB,), wanted=wanted, **given))

    assert (turn.act is not None) is acts
    assert (turn.warn is not None) is not acts


def test_jobs_that_begin_to_wait_as_a_notice_arrives_bring_nothing_forward_that_it_named() -> None:
    morning = NIGHT.begin + 30 * MINUTE
    told = replace(FINAL, story=replace(FINAL.story, release_at=morning))

    night = after(150, policy=in_hours(), shift=NIGHT, waiting=(JOB,), wanted=START)

    assert advance(told_twice(), night).act is not None
    assert advance(told_twice(), replace(night, notices=(WARNED, told))).act is None


def test_a_case_knows_since_when_jobs_wait() -> None:
    waits = advance(told_twice(), after(40, waiting=(JOB,), wanted=START))
    gone = advance(waits.case, after(41))

    assert (waits.case.wanted, gone.case.wanted) == (START, None)


def test_nothing_proves_its_person_away_so_no_waiting_job_brings_its_release_forward() -> None:
    night = after(150, policy=in_hours(), shift=NIGHT, waiting=(JOB,), presence=UNPROVEN)

    assert advance(told_twice(), night).act is None
    assert release_at(night) == NIGHT.begin + 30 * MINUTE
