"""How full a stated capacity was, over the time for which it stands."""

import pytest

from reaper.domain.audit.filling import Stated, at, filled
from reaper.domain.audit.jobs import RecordedJob

HOUR = 3600.0


def job(begin: float, hours: float, cards: float = 1.0, model: str = "A100") -> RecordedJob:
    return RecordedJob(
        id="1", began=begin * HOUR, seconds=hours * HOUR, devices=1, cards=cards, model=model
    )


TWO = (job(0, 4, 2), job(6, 4, 1))


def figures(*stated: Stated, jobs=TWO):
    return [
        (one.model, one.capacity / HOUR, one.held / HOUR, one.over / HOUR)
        for one in filled(jobs, stated)
    ]


def test_a_number_stands_for_the_span_of_the_jobs():
    assert figures(Stated(gpus=4)) == [("", 40.0, 12.0, 0.0)]


def test_time_for_which_nothing_is_stated_is_in_no_figure():
    assert figures(Stated(gpus=4, end=5 * HOUR)) == [("", 20.0, 8.0, 0.0)]
    assert figures(Stated(gpus=4, begin=2 * HOUR, end=3 * HOUR)) == [("", 4.0, 2.0, 0.0)]


def test_what_is_stated_adds_up_and_may_change():
    assert figures(Stated(gpus=1, end=5 * HOUR), Stated(gpus=2, begin=5 * HOUR)) == [
        ("", 15.0, 12.0, 4.0)
    ]


def test_each_model_is_told_by_itself():
    jobs = (job(0, 4, 2), job(0, 4, 1, "NVIDIA H100 80GB"))

    assert figures(Stated(gpus=4, model="a100"), Stated(gpus=2, model="h100"), jobs=jobs) == [
        ("", 24.0, 12.0, 0.0),
        ("a100", 16.0, 8.0, 0.0),
        ("h100", 8.0, 4.0, 0.0),
    ]


def test_without_jobs_or_without_overlap_there_is_nothing_to_tell():
    assert figures(Stated(gpus=4), jobs=()) == []
    assert figures(Stated(gpus=4, begin=90 * HOUR)) == []


@pytest.mark.parametrize(("model", "gpus"), [("NVIDIA A100-SXM4", 4), ("H100", 8), ("", 8)])
def test_at_an_instant_a_models_own_number_goes_before_that_for_all(model, gpus):
    stated = (Stated(gpus=4, model="a100"), Stated(gpus=8))

    assert at(stated, model, 0.0) == gpus
    assert at((), model, 0.0) is None
