"""One full cluster, every kind of job on it: each GPU has its owner, nothing is left over."""

from collections.abc import Iterator, Mapping

import pytest

from reaper.domain.facts.allocation import Claim, Purpose
from tests.real.slurm.reaping import Reaper
from tests.real.slurm_cluster import MIRA, NODES, OTTO, SlurmCluster

TELL = "echo $SLURM_JOB_GPUS >gpus.$SLURM_JOB_ID; sleep 600"


@pytest.fixture(scope="module")
def jobs(running_slurm: SlurmCluster) -> Iterator[Mapping[str, str]]:
    """Fill the cluster: 18 GPUs held by two users in every way, and four kinds of waiting."""
    slurm = running_slurm
    found = {
        "batch": slurm.submit(MIRA, "-wgpu01", "--gres=gpu:a100:2", script=TELL),
        "array": slurm.submit(MIRA, "--array=0-2", "-wgpu02", "--gres=gpu:a100:1", script=TELL),
        "eight": slurm.submit(OTTO, "-N1", "--gpus=h100:8", "--qos=normal", script=TELL),
        "two nodes": slurm.submit(OTTO, "-N2", "-wgpu[01-02]", "--gres=gpu:1", script=TELL),
        "bare": slurm.allocate(OTTO, "-pinteractive", "-wgpu04", "--gres=gpu:1"),
    }
    _, found["shell"] = slurm.shell(
        MIRA, "srun", "-pinteractive", "-wgpu01", "--gres=gpu:1", "--pty", "bash", "--norc"
    )
    _, found["salloc"] = slurm.shell(OTTO, "salloc", "-pinteractive", "-wgpu04", "--gres=gpu:1")
    for name in ("batch", "eight", "two nodes", "bare", "shell", "salloc"):
        slurm.await_state(found[name], "RUNNING")
    for task in range(3):
        slurm.await_state(f"{found['array']}_{task}", "RUNNING")
    h100 = "--gres=gpu:h100:4"
    found["waits"] = slurm.submit(MIRA, h100, "--array=1-5%2")
    found["depends"] = slurm.submit(MIRA, h100, f"--dependency=afterok:{found['eight']}")
    found["held"] = slurm.submit(MIRA, h100, "--hold")
    found["later"] = slurm.submit(MIRA, h100, "--begin=now+1hour")
    slurm.await_true(
        lambda: slurm.reason(found["waits"]) in ("Resources", "Priority"),
        lambda: f"waits for {slurm.reason(found['waits'])}",
    )
    yield found
    slurm.cancel_all()


@pytest.fixture
async def claims(jobs, running_slurm) -> dict[str, Claim]:
    return await Reaper(slurm=running_slurm).claims()


def indices(claim: Claim, node: str) -> set[int | None]:
    return {place.index for place in claim.places if place.node == node}


async def test_every_gpu_of_the_cluster_has_exactly_one_owner(claims):
    places = [(place.node, place.index) for claim in claims.values() for place in claim.places]

    everything = {(node.name, index) for node in NODES for index in range(node.gpus)}
    assert len(places) == len(set(places))
    assert set(places) == everything
    assert [claim.doubt for claim in claims.values() if claim.doubt] == []


async def test_the_owner_is_the_user_who_submitted(claims, jobs):
    owners = {name: claims[jobs[name]].user for name in ("batch", "shell", "eight", "bare")}

    assert owners == {"batch": MIRA, "shell": MIRA, "eight": OTTO, "bare": OTTO}


@pytest.mark.parametrize(("name", "node"), [("batch", "gpu01"), ("eight", "gpu03")])
async def test_the_indices_are_those_the_job_was_told(claims, jobs, running_slurm, name, node):
    told = running_slurm.work / f"gpus.{jobs[name]}"
    running_slurm.await_true(lambda: told.exists() and told.read_text().strip() != "", name)

    given = {int(index) for index in told.read_text().split(",")}
    assert indices(claims[jobs[name]], node) == given


async def test_a_task_of_an_array_is_a_run_of_its_own(claims, jobs):
    tasks = [claims[f"{jobs['array']}_{task}"] for task in range(3)]

    assert len({claim.run.key for claim in tasks}) == 3
    assert [len(claim.places) for claim in tasks] == [1, 1, 1]
    assert jobs["array"] in tasks[2].node_ids


async def test_a_job_on_two_nodes_is_one_run(claims, jobs):
    claim = claims[jobs["two nodes"]]

    assert sorted(place.node for place in claim.places) == ["gpu01", "gpu02"]


@pytest.mark.parametrize("name", ["shell", "salloc", "bare"])
async def test_an_allocation_of_a_person_is_interactive(claims, jobs, name):
    claim = claims[jobs[name]]

    assert (claim.purpose, claim.batch) == (Purpose.INTERACTIVE, False)
    assert not claim.requeueable


@pytest.mark.parametrize("name", ["batch", "eight"])
async def test_a_batch_job_is_training_and_may_be_requeued(claims, jobs, name):
    claim = claims[jobs[name]]

    assert (claim.purpose, claim.batch, claim.requeueable) == (Purpose.TRAINING, True, True)


async def test_an_allocation_without_any_process_holds_its_gpu(claims, jobs, running_slurm):
    assert running_slurm.pids(jobs["bare"]) == ()
    assert len(claims[jobs["bare"]].places) == 1


async def test_the_words_of_the_scheduler_are_carried(claims, jobs):
    claim = claims[jobs["eight"]]

    assert (claim.partition, claim.account, claim.qos) == ("batch", "ml", "normal")
    assert claim.limit == claim.run.started + 3600


async def test_the_processes_of_a_job_lie_under_its_id(claims, jobs, running_slurm):
    pids = running_slurm.pids(jobs["shell"])

    (ident,) = claims[jobs["shell"]].node_ids
    paths = [path for pid in pids for path in running_slurm.cgroups(pid)]
    assert any(f"/job_{ident}/" in path for path in paths)


async def test_capacity_says_what_there_is_and_what_is_given_out(jobs, running_slurm):
    answer = await Reaper(slurm=running_slurm).answer()

    found = {item.node: (item.gpus, item.allocated, item.model) for item in answer.capacities}
    assert found == {node.name: (node.gpus, node.gpus, node.model) for node in NODES}
    assert {item.state for item in answer.capacities} == {"up"}


async def test_what_waits_for_room_is_told_from_what_is_blocked(jobs, running_slurm):
    waiting = await Reaper(slurm=running_slurm).waiting()

    by_job = {request.id.partition("_")[0]: request for request in waiting.requests}
    startable = {name for name in jobs if (r := by_job.get(jobs[name])) and r.startable}
    assert startable == {"waits"}
    assert {jobs[name] for name in ("depends", "held", "later")} <= set(by_job)


async def test_a_waiting_array_counts_as_many_tasks_as_may_run(jobs, running_slurm):
    waiting = await Reaper(slurm=running_slurm).waiting()

    tasks = [item for item in waiting.requests if item.id.startswith(f"{jobs['waits']}_")]
    assert [(item.gpus, item.model, item.user) for item in tasks] == [(4, "h100", MIRA)] * 2


async def test_an_ordinary_account_notices_the_jobs_it_cannot_see(jobs, running_slurm):
    reaper = Reaper(slurm=running_slurm, user=OTTO)

    claims, findings = await reaper.claims(), await reaper.findings()

    assert {claim.user for claim in claims.values()} == {OTTO}
    assert "PrivateData" in claims[jobs["two nodes"]].doubt
    assert claims[jobs["eight"]].doubt == ""
    assert claims[jobs["bare"]].doubt == ""
    assert findings["PrivateData"].ok is False
    assert "AdminLevel=Operator" in findings["rights"].cure
    assert findings["jobs and nodes agree"].ok is False


async def test_an_operator_has_nothing_to_cure(jobs, running_slurm):
    findings = await Reaper(slurm=running_slurm).findings()

    assert [item.what for item in findings.values() if item.ok is not True] == []
