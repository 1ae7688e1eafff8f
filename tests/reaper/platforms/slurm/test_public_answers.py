"""Answers of real controllers that nobody here wrote, with what their index says they hold."""

import json
from pathlib import Path

import pytest

from reaper.platforms.slurm.records.gres import count
from reaper.platforms.slurm.records.jobs import read_jobs
from reaper.platforms.slurm.records.nodes import read_nodes
from reaper.platforms.slurm.records.requests import wanted
from reaper.platforms.slurm.records.scalars import ShapeError
from tests.public_traces import public

VERSIONS = ("24.05_0.0.41", "25.05_0.0.43", "25.11_0.0.41")
GPUS = {
    "gres": 4,
    "per-node": 2,
    "per-socket": 2,
    "per-task": 4,
    "type": 1,
    "running": 4,
    "multi-types": 1,
    "multi-nodes": 8,
}

pytestmark = pytest.mark.parametrize("version", VERSIONS)


def answer(version: str, name: str) -> object:
    path: Path = public("slurm", "slurmrestd", version, f"{name}.json")
    return json.loads(path.read_text())


def the_job(version: str, name: str):
    (job,) = read_jobs(answer(version, f"slurm-job-{name}"))
    return job


@pytest.mark.parametrize(("name", "gpus"), GPUS.items())
def test_a_running_job_holds_its_gpus(version, name, gpus):
    job = the_job(version, f"gpus-{name}")

    assert job.at_work
    assert sum(count(items) for items in job.gpus) == gpus
    assert len(job.gpus) == len(job.nodes)


@pytest.mark.parametrize(("name", "gpus"), GPUS.items())
def test_its_request_says_the_same_in_each_of_its_words(version, name, gpus):
    assert wanted(the_job(version, f"gpus-{name}"))[0] == gpus


def test_each_node_has_its_own_indices(version):
    job = the_job(version, "gpus-multi-nodes")

    held = {node: items[0].indices for node, items in zip(job.nodes, job.gpus, strict=True)}
    assert held == {"gpu1": (0, 1, 2, 3), "gpu2": (0, 1, 2, 3)}


def test_an_ended_job_holds_nothing(version):
    job = the_job(version, "gpus-completed")

    assert job.ended
    assert job.gpus == ()


def test_a_job_that_slurm_forgot_is_no_job(version):
    assert read_jobs(answer(version, "slurm-job-gpus-archived")) == ()


def test_a_forecast_is_no_start(version):
    job = the_job(version, "gpus-pending")

    assert job.waiting
    assert not job.live
    assert wanted(job) == (4, "")


@pytest.mark.parametrize("name", ["slurm-jwt-invalid-token", "slurm-node-unfound"])
def test_an_error_answer_is_no_empty_cluster(version, name):
    reader = read_nodes if "node" in name else read_jobs
    with pytest.raises(ShapeError):
        reader(answer(version, name))


def test_a_full_node_says_so(version):
    (node,) = read_nodes(answer(version, "slurm-node-with-gpus-model-allocated"))

    assert (count(node.gpus), node.gpus[0].model, node.used) == (4, "h100", 4)


def test_an_empty_node_says_so(version):
    (node,) = read_nodes(answer(version, "slurm-node-with-gpus-model-idle"))

    assert (count(node.gpus), node.used) == (4, 0)
    assert "IDLE" in node.states


@pytest.mark.parametrize(
    ("name", "states"),
    [("down", {"DOWN"}), ("drain", {"IDLE", "DRAIN"}), ("mixed", {"MIXED"})],
)
def test_node_states_are_read(version, name, states):
    (node,) = read_nodes(answer(version, f"slurm-node-{name}"))

    assert node.states == states
