"""The load profile: durations, sizes, waits, outcomes, and how much ran at once."""

import pytest

from reaper.domain.audit.jobs import Outcome
from reaper.domain.audit.profile import Share, parallel, profile
from reaper.domain.audit.spread import spread
from reaper.domain.facts.allocation import Purpose
from tests.recorded_jobs import BEGAN, HOUR, recorded

MIX = (
    recorded(0.1, id="1", purpose=Purpose.INTERACTIVE),
    recorded(1.0, id="2", outcome=Outcome.FAILED),
    recorded(10.0, id="3", devices=4, outcome=Outcome.OUT_OF_MEMORY),
    recorded(100.0, id="4", devices=64),
)


def test_jobs_are_grouped_by_duration_in_its_order():
    found = profile(MIX).durations

    assert list(found) == ["under 10 min", "1 to 4 h", "4 to 12 h", "over 3 days"]
    assert found["4 to 12 h"] == Share(jobs=1, held=40 * HOUR)


def test_jobs_are_grouped_by_size():
    assert {name: one.jobs for name, one in profile(MIX).sizes.items()} == {
        "1 GPU": 2,
        "3 to 8 GPUs": 1,
        "over 32 GPUs": 1,
    }


def test_a_slice_is_part_of_a_gpu():
    assert list(profile([recorded(cards=1 / 7)]).sizes) == ["part of a GPU"]


def test_classes_and_outcomes_are_counted_with_their_hours():
    found = profile(MIX)

    assert found.classes["interactive"].jobs == 1
    assert found.outcomes["failed"] == Share(jobs=1, held=HOUR)
    assert found.outcomes["out of memory"].held == 40 * HOUR


def test_jobs_without_gpus_or_time_are_no_load():
    found = profile([recorded(devices=0), recorded(0.0)])

    assert found.total == Share()
    assert found.duration is None
    assert found.parallel is None


def test_waits_are_spread_by_size_and_together():
    jobs = [recorded(id=str(n), submitted=BEGAN - n * 60) for n in range(1, 11)]
    found = profile([*jobs, recorded(devices=2, submitted=None)]).waits

    assert list(found) == ["all", "1 GPU"]
    assert (found["all"].median, found["all"].p90, found["all"].most) == (300, 540, 600)


def test_memory_is_told_by_gpu_and_as_a_share():
    gib = 2.0**30
    job = recorded(devices=2, memory_asked=64 * gib, memory_used=16 * gib, gpu_memory=0.9)
    found = profile([job])

    assert found.memory_asked.median == 32 * gib
    assert found.memory_used.median == pytest.approx(0.25)
    assert found.gpu_memory.median == pytest.approx(0.9)


def test_a_spread_names_values_that_occurred():
    found = spread([1, 2, 3, 4])

    assert (found.least, found.median, found.p90, found.most, found.mean) == (1, 2, 4, 4, 2.5)


def test_what_overlaps_ran_at_once():
    jobs = [recorded(2), recorded(2, began=BEGAN + HOUR, ended=BEGAN + 3 * HOUR, devices=4)]
    found = parallel(jobs)

    assert (found.most_jobs, found.most_cards) == (2, 5)
    assert (found.mean_jobs, found.mean_cards) == (pytest.approx(4 / 3), pytest.approx(10 / 3))
    assert (found.begin, found.end) == (BEGAN, BEGAN + 3 * HOUR)


def test_what_follows_did_not_run_at_once():
    jobs = [recorded(1), recorded(1, began=BEGAN + HOUR, ended=BEGAN + 2 * HOUR)]

    assert parallel(jobs).most_jobs == 1


def test_jobs_of_unknown_begin_are_left_out_of_what_ran_at_once():
    assert parallel([recorded(began=None, ended=None)]) is None
