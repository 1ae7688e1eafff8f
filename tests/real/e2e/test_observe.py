"""Observing writes down what it would do, and touches nobody."""

import json
import re
from collections import Counter

import pytest

from reaper.domain.escalation.decision import Phase
from reaper.domain.escalation.notice import Delivery
from tests.real.e2e.evidence import Observed
from tests.real.e2e.story import OBSERVED_GRACE

pytestmark = pytest.mark.timeout(900)


def test_exactly_the_idle_allocations_would_be_released(observed: Observed):
    assert observed.seen.ids("would release") == sorted(observed.jobs.idle)


def test_owners_are_told_by_the_jobs_own_processes_in_their_real_cgroups(observed: Observed):
    proven = Counter(item.node for item in observed.seen.proven)

    # On gpu01 an allocation without any process holds the one index that nothing proves.
    assert proven == {"gpu01": 3, "gpu02": 4, "gpu03": 8, "gpu04": 2}


def test_a_planned_release_follows_its_assumed_warnings_and_their_grace(observed: Observed):
    for job in observed.jobs.idle:
        (case,), (intent,) = observed.seen.cases_of(job), observed.seen.intents_of(job)
        final = observed.seen.notice(case, "final")

        assert observed.seen.notice(case, "warning").created < final.created, job
        assert final.created + OBSERVED_GRACE <= intent.created, job


def test_nothing_was_sent_to_anybody(observed: Observed):
    assert observed.posts == ()
    assert {notice.delivery for notice in observed.seen.notices} == {Delivery.ASSUMED}


def test_no_job_was_touched(observed: Observed):
    assert list(observed.calls) == []
    assert {intent.phase for intent in observed.seen.intents} == {Phase.PLANNED}
    assert set(observed.states.values()) == {"RUNNING"}


def test_it_ended_well_when_it_was_asked_to(observed: Observed):
    assert observed.status == 0


def test_the_doctor_finds_nothing_wrong(observed: Observed):
    said = observed.answers["doctor"]

    assert said.returncode == 0, said.stdout + said.stderr
    assert "4 of 4 answer, with 18 GPUs" in said.stdout
    assert re.search(r"^ *ok +slurm: jobs and nodes agree", said.stdout, re.MULTILINE)


def test_status_lists_what_idles_and_that_it_is_only_observed(observed: Observed):
    said, jobs = observed.answers["status"].stdout, observed.jobs

    assert "15 of 18 GPUs are held and idle" in said
    assert said.count("it would have been") == len(jobs.idle)
    assert f"slurm/{jobs.wide}" in said
    assert "7 of 8" in said


def test_explain_draws_the_track_and_says_why(observed: Observed):
    said = observed.answers["explain"].stdout
    rows = re.findall(r"^\d\d:\d\d:\d\d +([A-Z?!]+) *$", said, re.MULTILINE)

    assert re.fullmatch(r"\??A+H{6,}", "".join(rows)), said
    assert "witnesses: profiling, utilisation" in said
    assert "case     planned since" in said
    assert "final warning to gr-otto, assumed" in said


def test_the_report_adds_up_and_says_that_its_pace_is_none_of_a_cluster(observed: Observed):
    told = json.loads(observed.answers["report"].stdout)

    assert told["cluster"] == "grove"
    assert told["identity"]["sum"] == pytest.approx(told["identity"]["calendar"], abs=1e-4)
    assert told["identity"]["idle"] > told["identity"]["active"] > 0
    assert told["normal_pace"] is False
