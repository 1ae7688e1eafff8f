"""What a policy would have returned from jobs of which only averages are known."""

from datetime import UTC

import pytest

from reaper.domain.audit.proposal import Returned, returned
from reaper.domain.facts.allocation import Purpose
from reaper.domain.judgement.policy import Hours, Match, Rung
from tests.builders import policy
from tests.recorded_jobs import BEGAN, HOUR, recorded

DELAY = 1.5 * HOUR + 1200
"""Window and grace of the built policy, after the start-up."""


def of(job: object, **given: object) -> Returned:
    (found,) = returned([job], [policy(**given)], UTC)
    return found


def test_a_job_at_zero_is_released_after_window_and_grace():
    found = of(recorded(10, rates=(0.0,), devices=4))

    assert found.least == found.away == found.most == pytest.approx(4 * (10 * HOUR - DELAY))
    assert (found.released_least, found.released_most) == (1, 1)


def test_a_person_whom_nothing_proves_away_is_spared_longer():
    found = of(recorded(10, rates=(0.0,), purpose=Purpose.INTERACTIVE))

    assert found.least == pytest.approx(10 * HOUR - 1200 - 4.5 * HOUR)
    assert found.away == pytest.approx(10 * HOUR - DELAY)


def test_a_policy_that_holds_without_proof_surely_returns_nothing_of_a_person():
    job = recorded(10, rates=(0.0,), purpose=Purpose.INTERACTIVE)

    assert of(job, presence_unknown="hold").least == 0


def test_the_least_waits_for_working_hours():
    friday_evening = recorded(70, rates=(0.0,), began=BEGAN + 8 * HOUR)
    found = of(friday_evening, any_hour=False, hours=Hours())

    assert found.least == pytest.approx(7 * HOUR)
    assert found.away == pytest.approx(70 * HOUR - DELAY)


def test_a_job_at_a_rate_returns_nothing_for_sure():
    found = of(recorded(10, rates=(0.4,)))

    assert (found.least, found.away) == (0, 0)
    assert found.most == pytest.approx(6 * HOUR - 1.5 * HOUR)


def test_a_job_with_one_busy_gpu_is_never_released():
    found = of(recorded(10, rates=(0.0, 1.0), devices=2))

    assert (found.least, found.most) == (0, 0)


def test_an_unknown_use_returns_nothing_that_counts():
    found = of(recorded(10))

    assert (found.least, found.most) == (0, 0)
    assert found.perhaps == pytest.approx(10 * HOUR - DELAY)


def test_a_policy_that_only_warns_returns_nothing():
    found = returned([recorded(10, rates=(0.0,))], [policy(Rung(step="warn", after=60))], UTC)

    assert (found[0].acts, found[0].most, found[0].jobs) == (False, 0, 1)


def test_the_first_policy_that_fits_decides():
    first = policy(match=Match(partition=("debug",)), name="debug")
    second = policy(name="rest")
    found = returned([recorded(10, rates=(0.0,))], [first, second], UTC)

    assert [one.jobs for one in found] == [0, 1]


@pytest.mark.parametrize("fits", ["team", "account", "user", "model"])
def test_policies_see_whose_and_what_a_job_was(fits: str):
    job = recorded(10, rates=(0.0,), model="a100")
    pattern = {"user": "mira", "model": "a1*"}.get(fits, "vision")

    assert of(job, match=Match(**{fits: (pattern,)})).jobs == 1
    assert of(job, match=Match(**{fits: ("else",)})).jobs == 0


@pytest.mark.parametrize(
    ("match", "fits"),
    [
        (Match(partition=("long",)), {"partition": "long"}),
        (Match(user=("ana",)), {"owner": "ana"}),
        (Match(team=("lab",)), {"account": "lab"}),
        (Match(model=("h100",)), {"model": "h100"}),
        (Match(name=("sweep*",)), {"name": "sweep-7"}),
        (Match(qos=("low",)), {"qos": "low"}),
        (Match(cluster=("east",)), {"cluster": "east"}),
        (Match(purpose=(Purpose.DEFERRED,)), {"purpose": Purpose.DEFERRED}),
        (Match(devices_at_least=8), {"devices": 8}),
        (Match(older_than=20 * HOUR), {"seconds": 24 * HOUR}),
    ],
)
def test_of_jobs_that_differ_in_what_a_policy_matches_it_is_for_one(match, fits):
    usual = recorded(10, rates=(0.0,))
    jobs = [usual, usual._replace(**fits), usual]

    chosen, rest = returned(jobs, [policy(name="a", match=match), policy(name="b")], UTC)

    assert (chosen.jobs, rest.jobs) == (1, 2)
