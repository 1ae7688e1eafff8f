"""Samples of processes: their class, and the requests that they answered, beside their GPUs."""

from pathlib import Path

import pytest

from reaper.reports.traces import TraceError, replay
from reaper.reports.traces.drawing import scenario_of

HEAD = "time,host,user,job,gpus_bitmask,gpu_pct,gpumem_kib"


def samples(folder: Path, more: str, *rows: str) -> Path:
    """Write a sample a minute of job 7 on one GPU: idle, with memory; `rows` are what is added."""
    lines = [
        f"2026-03-02T10:{minute:02d}:00Z,ml1,svc,7,1,0,4000000{',' * bool(more)}{row}"
        for minute, row in enumerate(rows)
    ]
    path = folder / "samples.csv"
    path.write_text("\n".join((f"{HEAD}{',' * bool(more)}{more}", *lines, "")))
    return path


def test_a_class_and_requests_are_drawn_with_the_job(tmp_path):
    path = samples(
        tmp_path, "class,requests_per_s", *("inference,2", "inference,0.5", "inference,0") * 2
    )

    (job,) = scenario_of(path).allocations

    assert job.purpose == "inference"
    assert job.serves == ((0.0, 120.0), (180.0, 300.0))


def test_a_sample_in_which_nobody_counted_may_have_been_served(tmp_path):
    (job,) = scenario_of(samples(tmp_path, "requests_per_s", "0", "", "0", "0")).allocations

    assert job.serves == ((60.0, 120.0),)


@pytest.mark.parametrize("more", ["", "requests_per_s"])
def test_requests_that_nobody_ever_counted_are_no_silence(tmp_path, more):
    (job,) = scenario_of(samples(tmp_path, more, "", "", "")).allocations

    assert job.serves is None
    assert (job.purpose, job.host_works) == ("other", None)


def test_cores_that_work_are_drawn_where_they_were_sampled(tmp_path):
    (job,) = scenario_of(samples(tmp_path, "cpu_pct", "0", "90", "60", "3")).allocations

    assert job.host_works == ((60.0, 180.0),)


def test_the_class_is_the_one_of_the_figures(tmp_path):
    found = replay(samples(tmp_path, "class", "interactive", "interactive"))

    assert list(found.by_class) == ["interactive"]


def test_a_class_that_is_none_is_named_with_its_line(tmp_path):
    with pytest.raises(TraceError, match="line 2: class: 'fun' is no class"):
        scenario_of(samples(tmp_path, "class", "fun", "fun"))
