"""Each execution counts once, however often and from whatever book it was read."""

import pytest

from reaper.domain.audit.jobs import Outcome, ended_as, single, usage_of
from tests.recorded_jobs import BEGAN, HOUR, recorded


def test_a_record_that_stands_twice_counts_once():
    found = single([recorded(), recorded()])

    assert (len(found.jobs), found.repeated, found.ids) == (1, 1, ("101",))


def test_of_two_records_the_one_in_which_it_ended_counts():
    running = recorded(2, outcome=Outcome.RUNNING, ended=None)
    ended = recorded(3)

    assert single([ended, running]).jobs == single([running, ended]).jobs == (ended,)


def test_each_run_of_a_requeued_job_counts():
    first = recorded(outcome=Outcome.REQUEUED)
    second = recorded(began=BEGAN + 20 * HOUR)

    assert single([first, second]).jobs == (first, second)


def test_jobs_of_two_clusters_are_two():
    assert len(single([recorded(cluster="alpha"), recorded(cluster="beta")]).jobs) == 2


def test_the_wait_begins_when_the_job_could_run():
    assert recorded(eligible=BEGAN - 60).waited == 60
    assert recorded().waited == HOUR


def test_a_begin_before_the_submission_is_no_wait():
    assert recorded(submitted=BEGAN + 1).waited is None


def test_a_running_job_has_held_its_gpus_until_its_record():
    job = recorded(2, outcome=Outcome.RUNNING, ended=None)

    assert job.until == BEGAN + 2 * HOUR


def test_use_by_device_adds_up_to_what_was_held():
    job = recorded(4, devices=2)
    found = usage_of(job, (0.0, 1.0))

    assert sum(one.held for one in found) == job.held
    assert [one.utilisation for one in found] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("COMPLETED", Outcome.COMPLETED),
        ("CANCELLED by 1000", Outcome.CANCELLED),
        ("OUT_OF_MEMORY", Outcome.OUT_OF_MEMORY),
        ("NODE_FAIL", Outcome.NODE_FAILED),
        ("timeout", Outcome.TIME_LIMIT),
        ("RUNNING+", Outcome.RUNNING),
        ("", Outcome.UNKNOWN),
        ("BRAND_NEW", Outcome.UNKNOWN),
    ],
)
def test_the_words_of_a_scheduler_are_known(state: str, expected: Outcome):
    assert ended_as(state) is expected
