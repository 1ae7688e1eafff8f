"""Public recordings give the answers that their index names, to 0.1 GPU-hours."""

import csv
import json
from functools import cache
from typing import Any

import pytest

from reaper.domain.audit.usage import Used
from reaper.reports.traces import TraceError, TraceReport, replay
from tests.public_traces import trace

CLOSE = 0.1
"""GPU-hours within which an answer is right."""

ALEX = "alex-gpu-jobs-2023-02.csv"
ML8 = "baremetal-ml8-process-samples-41h.csv"
ML123 = "baremetal-ml123-node-gpu-hourly-week.csv"

NAMES = {
    "allocated_gpu_hours": "held",
    "gpu_hours_util_eq_0": "zero",
    "gpu_hours_util_lt_1": "below_1",
    "gpu_hours_util_lt_5": "below_5",
    "gpu_hours_util_lt_10": "below_10",
    "used_gpu_hours": "used",
    "unused_gpu_hours": "unused",
}


@cache
def replayed(name: str) -> TraceReport:
    return replay(trace(name))


@cache
def truth() -> dict[str, Any]:
    return json.loads(trace("TRUTH.json").read_text(encoding="utf-8"))


def hours(seconds: float) -> float:
    return seconds / 3600


def answers(used: Used) -> dict[str, float]:
    return {name: hours(getattr(used, ours)) for name, ours in NAMES.items()}


def agrees(used: Used, expected: dict[str, Any]) -> None:
    wanted = {name: expected[name] for name in NAMES}

    assert answers(used) == pytest.approx(wanted, abs=CLOSE)


def test_all_jobs_of_alex():
    report = replayed(ALEX)

    assert report.runs == 303
    agrees(report.total, truth()["alex"]["all"])
    assert answers(report.total) == pytest.approx(
        {
            "allocated_gpu_hours": 3980.04,
            "gpu_hours_util_eq_0": 57.62,
            "gpu_hours_util_lt_1": 58.42,
            "gpu_hours_util_lt_5": 78.81,
            "gpu_hours_util_lt_10": 96.52,
            "used_gpu_hours": 2859.88,
            "unused_gpu_hours": 1120.16,
        },
        abs=CLOSE,
    )


def test_interactive_jobs_of_alex_hold_most_of_what_is_at_zero():
    report = replayed(ALEX)
    interactive = report.by_class["interactive"]

    assert interactive.records == 27
    agrees(interactive, truth()["alex"]["interactive(name in interactive,bash,sh,zsh)"])
    assert report.interactive_share == pytest.approx(0.87, abs=0.005)


def test_all_other_jobs_of_alex():
    agrees(replayed(ALEX).by_class["other"], truth()["alex"]["batch"])


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("top_users_by_allocated_gpu_hours", "held"),
        ("top_users_by_unused_gpu_hours", "unused"),
        ("top_users_by_gpu_hours_util_lt_1", "below_1"),
    ],
)
def test_users_of_alex(answer: str, name: str):
    report = replayed(ALEX)
    wanted = truth()["alex"][answer]
    ours = {user: hours(getattr(report.by_user[user], name)) for user in wanted}

    assert len(report.by_user) == truth()["alex"]["users"]
    assert ours == pytest.approx(wanted, abs=CLOSE)


def test_held_and_idle_hours_of_ml8():
    total = replayed(ML8).total

    assert hours(total.held) == pytest.approx(104.67, abs=CLOSE)
    assert hours(total.zero) == pytest.approx(21.83, abs=CLOSE)
    assert hours(total.below_5) == pytest.approx(truth()["ml8"]["idle_lt_5"], abs=CLOSE)


def test_every_job_of_ml8():
    report = replayed(ML8)
    with trace("baremetal-ml8-truth-per-job.csv").open(encoding="utf-8") as lines:
        wanted = {row["job"]: row for row in csv.DictReader(lines)}

    assert report.by_run.keys() == wanted.keys()
    for job, row in wanted.items():
        used = report.by_run[job]
        assert used.records == int(row["samples"]), job
        assert hours(used.held) == pytest.approx(float(row["gpu_hours"]), abs=0.001), job
        assert hours(used.zero) == pytest.approx(float(row["idle_gpu_hours_eq0"]), abs=0.001), job


def test_the_squatter_of_ml8_holds_memory_and_never_works():
    squatter = replayed(ML8).by_run["2447150"]

    assert squatter.records == 248
    assert hours(squatter.held) == pytest.approx(20.67, abs=CLOSE)
    assert squatter.zero_with_memory == squatter.zero == squatter.held


def test_users_of_ml8_add_up_to_the_whole():
    report = replayed(ML8)

    assert sum(used.held for used in report.by_user.values()) == report.total.held


@pytest.mark.parametrize(
    ("host", "mean", "zero", "kept"),
    [("ml1", 12.36, 71, 10), ("ml2", 88.25, 7, 0), ("ml3", 2.13, 124, 36)],
)
def test_servers_of_ml123(host: str, mean: float, zero: int, kept: int):
    used = replayed(ML123).by_node[host]

    assert used.records == 169
    assert used.mean == pytest.approx(mean / 100, abs=0.0001)
    assert (hours(used.zero_seconds), hours(used.zero_with_memory_seconds)) == (zero, kept)


def test_hours_with_a_gpu_down_are_named():
    assert len(replayed(ML123).findings) == 2


def test_a_file_of_quantiles_is_nothing_to_replay():
    with pytest.raises(TraceError, match="fit no known form"):
        replay(trace("acme-philly-gpu-util-quantiles.csv"))
