"""Acting releases exactly what idles, after a delivered warning and its grace, and verifies."""

from collections import Counter

import pytest

from reaper.domain.escalation.decision import Phase
from tests.real.e2e.evidence import Acted
from tests.real.e2e.reaper_process import PACE
from tests.real.e2e.site import GRACE
from tests.real.slurm_cluster import MIRA

pytestmark = pytest.mark.timeout(900)

#: Slurm's accounting knows whole seconds.
WHOLE = 1.0


def acting(acted: Acted, job: str):
    """Return the cases of a job under the acting policy, oldest first."""
    return [case for case in acted.seen.cases_of(job) if case.mode == "act"]


def released(acted: Acted):
    """Yield each released job with the case that released it."""
    for job in sorted(acted.jobs.released):
        yield job, acting(acted, job)[-1]


# ------------------------------------------------------------------ what is released


def test_exactly_what_idled_to_the_end_is_released_and_verified(acted: Acted):
    assert acted.seen.ids("verified") == sorted(acted.jobs.released)
    assert {case.outcome for _, case in released(acted)} == {"released"}


def test_only_these_jobs_were_ever_touched(acted: Acted):
    assert {call.job for call in acted.calls} == acted.jobs.released


def test_what_works_ends_by_itself(acted: Acted):
    for job in acted.jobs.never:
        assert acted.states(job) == ["COMPLETED"], job


def test_one_busy_gpu_of_eight_protects_them_all(acted: Acted):
    assert acted.seen.cases_of(acted.jobs.wide) == []


def test_a_limit_is_shrunk_where_it_may_be_and_the_job_meets_it(acted: Acted):
    for job in (acted.jobs.quiet, f"{acted.jobs.array}_0"):
        assert acted.states(job) == ["TIMEOUT"], job
        assert {call.program for call in acted.calls_to(job)} == {"scontrol"}, job


def test_what_forbids_a_shorter_limit_is_cancelled_by_its_own_id(acted: Acted):
    for job in (acted.jobs.shell, acted.jobs.empty, acted.jobs.again):
        assert acted.states(job)[-1] == "CANCELLED", job
        assert ("scancel", (job,)) in {(call.program, call.words) for call in acted.calls}


# ------------------------------------------------------------------ in which order


def test_no_act_comes_before_a_delivered_final_warning_and_its_grace(acted: Acted):
    for job, case in released(acted):
        final = acted.seen.notice(case, "final")
        first = min(call.at for call in acted.calls_to(job))

        assert final.counts, job
        assert final.delivered_at + GRACE <= first, job


def test_the_workspace_took_the_warnings_when_the_store_says_so(acted: Acted):
    for job, case in released(acted):
        for kind in ("warning", "final"):
            notice = acted.seen.notice(case, kind)
            post = [post for post in acted.posts_about(job) if post.kind == kind][-1]

            assert notice.created <= post.at <= notice.delivered_at, (job, kind)


def test_a_release_is_verified_after_the_job_was_gone_for_a_while(acted: Acted):
    at = {event.run_key: event.at for event in acted.seen.events if event.kind == "verified"}
    for job, case in released(acted):
        gone = [item.end for item in acted.accounts if item.job == job][-1]

        assert at[case.run.key] >= gone + PACE.verify - WHOLE, job


# ------------------------------------------------------------------ who is told


def test_every_owner_is_told_each_thing_once(acted: Acted):
    for job, case in released(acted):
        runs = len(acting(acted, job))
        told = Counter(post.kind for post in acted.posts_about(job))

        # Only an outage of more than ten steps brings another round.
        assert told == {"warning": runs, "final": runs + case.round, "released": 1}, job


def test_people_are_told_directly(acted: Acted):
    channels = {MIRA: "U0MIRA", "gr-otto": "U0OTTO"}
    for case in acted.seen.cases:
        for post in acted.posts_about(case.run.id):
            assert post.channel == channels[case.owner]


def test_nobody_who_works_is_told_anything(acted: Acted):
    jobs = acted.jobs
    for job in (jobs.worker, jobs.wide, f"{jobs.array}_1"):
        assert acted.posts_about(job) == []


# ------------------------------------------------------------------ who comes back


def test_a_person_who_types_again_after_the_final_warning_keeps_the_shell(acted: Acted):
    case = acting(acted, acted.jobs.returns)[0]

    assert acted.seen.notice(case, "final").counts
    assert case.outcome == "its person came back"
    assert acted.states(acted.jobs.returns) == ["COMPLETED"]


def test_a_job_that_works_again_after_the_final_warning_goes_on(acted: Acted):
    (case,) = acting(acted, acted.jobs.back)

    assert acted.seen.notice(case, "final").counts
    assert case.outcome == "activity returned"


def test_an_owner_keeps_a_job_from_the_command_line(acted: Acted):
    (case,) = acting(acted, acted.jobs.kept)
    (keep,) = acted.seen.keeps

    assert (keep.run_key, keep.by, keep.reason) == (case.run.key, MIRA, "lunch")
    assert case.kept


def test_a_requeued_job_is_warned_anew(acted: Acted):
    first, second = acting(acted, acted.jobs.again)

    assert (first.outcome, second.outcome) == ("ended by itself", "released")
    assert first.run.key != second.run.key
    for case in (first, second):
        assert acted.seen.notice(case, "final").counts


# ------------------------------------------------------------------ what is left


def test_the_report_counts_the_releases(acted: Acted):
    assert acted.report["conduct"]["released"] == len(acted.jobs.released)
    assert acted.report["conduct"]["kept"] == 1


def test_the_change_of_mode_closed_what_was_only_observed(acted: Acted):
    observed = [case for case in acted.seen.cases if case.mode == "observe"]

    assert {case.outcome for case in observed} == {"policy changed"}
    assert len(observed) == len(acted.jobs.idle)


def test_nothing_is_stuck(acted: Acted):
    assert list(acted.seen.holds) == []
    assert list(acted.seen.outbox) == []
    phases = {intent.phase for intent in acted.seen.intents}
    assert phases <= {Phase.PLANNED, Phase.VERIFIED, Phase.DROPPED}
    assert acted.status == 0
