"""Sacct's JSON gives the same jobs as its text, in the shapes of every version."""

import json

import pytest

from reaper.domain.audit.jobs import Outcome, RecordedJob, Records
from reaper.domain.facts.allocation import Purpose
from reaper.platforms.slurm.accounting import Told, read_answer


def tres(**counts: int) -> list[dict[str, object]]:
    names = {"gpu": "gpu", "typed": "gpu:a100", "slices": "gpu:3g.20gb", "files": "gpfs"}
    return [
        {"type": "gres", "name": names[key], "count": count, "id": 1001}
        if key in names
        else {"type": key, "name": "", "count": count, "id": 1}
        for key, count in counts.items()
    ]


def job(**given: object) -> dict[str, object]:
    times = {
        "elapsed": 7200,
        "eligible": 1793610000,
        "submission": 1793606400,
        "start": 1793613600,
        "end": 1793620800,
        "suspended": 0,
        "limit": 1440,
        **given.pop("time", {}),
    }
    usual = {
        "job_id": 101,
        "user": "mira",
        "state": {"current": "COMPLETED"},
        "tres": {"allocated": tres(gpu=2)},
        "time": times,
        "steps": [],
    }
    return {**usual, **given}


def read(*jobs: object, **body: object) -> Records:
    return read_answer(json.dumps({"jobs": jobs, **body}), source="books.json", told=Told())


def only(**given: object) -> RecordedJob:
    found = read(job(**given))
    assert found.unread == ()
    return found.jobs[0]


def new(number: float | None) -> dict[str, object]:
    return {"set": number is not None, "infinite": False, "number": number or 0}


def test_an_old_record_and_a_new_one_say_the_same():
    old = only()
    fresh = only(
        job_id=101,
        state={"current": ["COMPLETED"], "reason": "None"},
        time={"limit": new(1440), "elapsed": new(7200), "start": new(1793613600)},
        array={"job_id": 0, "task_id": new(None)},
        het={"job_id": 0, "job_offset": new(None)},
    )

    assert old == fresh
    assert (old.held, old.limit, old.waited) == (4 * 3600, 86400, 3600)


@pytest.mark.parametrize(
    ("counts", "devices", "cards"),
    [
        ({"gpu": 2, "typed": 2, "files": 9}, 2, 2),
        ({"slices": 2, "gpu": 2}, 2, 6 / 7),
        ({"energy": -2, "cpu": 4}, 0, 0),
    ],
)
def test_gpus_count_once(counts, devices, cards):
    found = only(tres={"allocated": tres(**counts)})

    assert (found.devices, found.cards) == (devices, pytest.approx(cards))


@pytest.mark.parametrize(
    ("given", "ident"),
    [
        ({"array": {"job_id": 90, "task_id": 0}}, "90_0"),
        ({"array": {"job_id": 90, "task_id": new(7)}}, "90_7"),
        ({"array": {"job_id": 90, "task_id": new(None)}}, "101"),
        ({"het": {"job_id": 100, "job_offset": new(1)}}, "100+1"),
        ({}, "101"),
    ],
)
def test_a_job_is_called_what_people_call_it(given: dict[str, object], ident: str):
    assert only(**given).id == ident


def test_a_running_job_has_no_end():
    found = only(state={"current": ["RUNNING"]}, time={"end": 0})

    assert (found.outcome, found.ended, found.seconds) == (Outcome.RUNNING, None, 7200)


def test_steps_tell_the_batch_script_the_memory_and_why_it_failed():
    step = {
        "state": ["OUT_OF_MEMORY"],
        "step": {"id": "101.batch", "name": "batch"},
        "time": {"start": new(1793613600)},
        "tres": {"requested": {"max": [{"type": "mem", "count": 1024}]}},
    }
    found = only(steps=[step], state={"current": ["FAILED"]})

    assert (found.outcome, found.purpose) == (Outcome.OUT_OF_MEMORY, Purpose.TRAINING)
    assert found.memory_used == 1024


def test_one_record_that_makes_no_sense_does_not_cost_the_others():
    found = read(job(job_id=7, time={"elapsed": -3}), job(), job(job_id=8, state=5))

    assert [one.id for one in found.jobs] == ["101", "8"]
    assert [str(one) for one in found.unread] == [
        "books.json: job 7: time.elapsed: -3 is below zero"
    ]


@pytest.mark.parametrize(
    "odd",
    [
        None,
        "job 7",
        [7],
        job(job_id={"set": True, "infinite": True, "number": 0}),
        {"job_id": 7, "time": None},
        job(job_id=-7),
    ],
)
def test_a_record_of_any_odd_shape_is_the_only_one_not_read(odd: object):
    found = read(odd, job(job_id=8))

    assert ([one.id for one in found.jobs], len(found.unread)) == (["8"], 1)


def test_an_endless_signal_is_none():
    endless = {"set": True, "infinite": True, "number": 0}

    assert only(exit_code={"signal": {"id": endless}}).outcome is Outcome.COMPLETED


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ('{"jobs": [', "books.json:1: is no answer of `sacct --json`"),
        ("[1]", "the answer is no JSON object"),
        ('{"jobs": [], "errors": [{"error": "slurmdbd down"}]}', "slurmdbd down"),
        ('{"nodes": []}', "the answer has no list of jobs"),
    ],
)
def test_what_is_no_answer_is_named(body: str, why: str):
    found = read_answer(body, source="books.json", told=Told())

    assert found.jobs == ()
    assert why in str(found.unread[0])


def test_an_answer_of_squeue_is_no_accounting():
    found = read({"job_id": 5, "start_time": 7})

    assert "no time.elapsed: this is no answer of accounting" in str(found.unread[0])
