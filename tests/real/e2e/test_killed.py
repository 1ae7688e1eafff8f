"""Killed where something hangs in the air: nothing twice, nothing too early, nothing lost."""

import pytest

from tests.real.e2e.evidence import LATER, Acted
from tests.real.e2e.reaper_process import PACE
from tests.real.e2e.site import GRACE

pytestmark = pytest.mark.timeout(900)

#: How late a release that is due may begin: after a start, hosts are watched for five steps first.
PROMPT = 10 * PACE.step


def hows(acted: Acted, job: str, program: str) -> list[str]:
    return [call.how for call in acted.calls_to(job) if call.program == program and call.ends]


def test_it_was_killed_at_every_point(acted: Acted):
    jobs = acted.jobs

    assert hows(acted, f"{jobs.array}_0", "scontrol") == ["before", "done"]
    assert hows(acted, jobs.quiet, "scontrol") == ["during"]
    assert hows(acted, jobs.shell, "scancel") == ["before", "done"]
    assert hows(acted, jobs.empty, "scancel") == ["during"]
    assert hows(acted, jobs.again, "scancel") == ["after"]
    assert acted.kills == 3
    assert len(acted.starts) == 1 + 3 + 5


def test_no_limit_is_shrunk_twice(acted: Acted):
    for job in (acted.jobs.quiet, f"{acted.jobs.array}_0"):
        assert sum(call.happened for call in acted.calls_to(job)) == 1, job


def test_nothing_is_cancelled_twice(acted: Acted):
    for job in (acted.jobs.shell, acted.jobs.empty, acted.jobs.again):
        cancels = [call for call in acted.calls_to(job) if call.program == "scancel"]

        assert sum(call.happened for call in cancels) == 1, job


def test_every_release_is_one_intent(acted: Acted):
    for job in acted.jobs.released:
        begun = [item for item in acted.seen.intents_of(job) if item.receipt]

        assert len(begun) == 1, job


def test_a_kill_between_warning_and_release_takes_no_grace_away_and_adds_none(acted: Acted):
    for job in (acted.jobs.shell, acted.jobs.empty, f"{acted.jobs.array}_0"):
        (case,) = [case for case in acted.seen.cases_of(job) if case.mode == "act"]
        final = acted.seen.notice(case, "final").delivered_at
        intent = acted.seen.intents_of(job)[-1]

        assert case.extension > 0, job
        assert final + GRACE <= intent.created, job
        assert intent.created <= final + GRACE + case.extension + PROMPT, job


def test_only_what_was_under_way_at_a_kill_says_that_it_may_be_a_repetition(acted: Acted):
    again = acted.starts[1:]

    for notice in acted.seen.notices:
        arrived = LATER if notice.delivered_at is None else notice.delivered_at
        struck = [start for start in again if notice.created - PACE.step <= start <= arrived]
        assert struck or not notice.repeats, notice.id
