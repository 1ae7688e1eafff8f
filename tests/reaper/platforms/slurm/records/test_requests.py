"""Demand: how many GPUs wait, and whether room alone would start them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.platforms.slurm.records.record import Wish
from reaper.platforms.slurm.records.requests import MOST_TASKS, requests, tasks, wanted
from tests.reaper.platforms.slurm.drawn import NOON, job


def pending(**more):
    usual = {"wish": Wish(per_job="gres/gpu:2"), "reason": "Priority", "state": "PENDING"}
    return job(7, **(usual | more))


def asked(**more):
    return requests([pending(**more)], now=NOON)


@pytest.mark.parametrize(
    ("wish", "gpus", "model"),
    [
        (Wish(per_job="gres/gpu:4"), 4, ""),
        (Wish(per_node="gres/gpu:h100:2", nodes=3), 6, "h100"),
        (Wish(per_node="gres:gpu:a100:1", nodes=2), 2, "a100"),
        (Wish(per_task="gres/gpu=2", tasks=4), 8, ""),
        (Wish(per_socket="gres/gpu:1", sockets=2, nodes=2, cpus=8), 4, ""),
        (Wish(per_job="gres/gpu:a100:1,gres/gpu:h100:2"), 3, ""),
        (Wish(per_job="gres/gpu:8", per_node="gres/gpu:4", nodes=2), 8, ""),
        (Wish(total="cpu=2,mem=1G,node=1,gres/gpu=2,gres/gpu:a100=2"), 2, "a100"),
        (Wish(total="cpu=2,gres/gpfs=1", per_node="gres/nvme:1"), 0, ""),
    ],
)
def test_every_way_to_ask_is_counted(wish, gpus, model):
    assert wanted(pending(wish=wish)) == (gpus, model)


def test_a_request_says_who_waits_where_and_since_when():
    (request,) = asked(partition="batch,dev", submitted=NOON - 60)

    assert (request.id, request.gpus, request.user) == ("7", 2, "mira")
    assert (request.partitions, request.since) == (("batch", "dev"), NOON - 60)


@pytest.mark.parametrize("reason", ["Priority", "Resources"])
def test_a_job_that_only_waits_for_room_is_startable(reason):
    assert asked(reason=reason)[0].startable


@pytest.mark.parametrize(
    "words",
    [
        {"reason": "Dependency"},
        {"reason": "JobHeldUser"},
        {"reason": "BeginTime"},
        {"reason": "QOSMaxGRESPerUser"},
        {"reason": "AssocGrpGRES"},
        {"reason": "ReqNodeNotAvail"},
        {"reason": "JobArrayTaskLimit"},
        {"reason": "None"},
        {"reason": ""},
        {"dependency": "afterok:3(unfulfilled)"},
        {"eligible": NOON + 3600},
    ],
)
def test_a_job_that_something_else_blocks_is_not(words):
    assert not asked(**words)[0].startable


def test_jobs_that_run_or_want_no_gpu_do_not_wait_for_one():
    assert requests([job(7, "gpu:1(IDX:0)"), pending(wish=Wish())], now=NOON) == ()


def test_every_waiting_task_of_an_array_is_a_request():
    found = asked(array=7, pending_tasks="2-5,9%2")

    assert [request.id for request in found] == ["7_2", "7_3"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("4", (4,)),
        ("0-3", (0, 1, 2, 3)),
        ("0-6:3,10", (0, 3, 6, 10)),
        ("1,3,5-6%2", (1, 3)),
        ("7-8%0", (7, 8)),
        ("1-2,40...", (1, 2)),
    ],
)
def test_tasks_are_counted_up_to_the_throttle(text, meant):
    assert tasks(text) == meant


def test_a_huge_array_stays_bounded():
    assert len(tasks("0-999999999")) == MOST_TASKS


@given(st.text(alphabet="0123456789,-:%. ", max_size=40) | st.text())
def test_any_text_of_tasks_is_counted_without_an_error(text):
    assert len(tasks(text)) <= MOST_TASKS


def test_a_request_says_on_which_nodes_and_in_which_reservation_it_may_start():
    wish = Wish(per_node="gres/gpu:a100:4", nodes=2)
    (request,) = asked(wish=wish, named=("a1",), avoids=("b1",), reservation="course")

    assert (request.gpus, request.on_each, request.spread) == (8, 4, 2)
    assert (request.nodes, request.avoids, request.reserved) == (("a1",), ("b1",), "course")
