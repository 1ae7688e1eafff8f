"""Job records: one meaning in both shapes of JSON, and a fault that stays in its record."""

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.platforms.slurm.records.jobs import read_jobs
from reaper.platforms.slurm.records.record import Job
from reaper.platforms.slurm.records.scalars import ShapeError, number
from tests.reaper.platforms.slurm.drawn import job, raw

SHAPES = pytest.mark.parametrize("shape", ["plain", "structured"])
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)

MORE = re.findall(
    r"\S+",
    """
    user_id group_id account partition qos command current_working_directory submit_line resv_name
    state_reason dependency eligible_time suspend_time pre_sus_time sluid het_job_offset
    array_task_string tres_alloc_str tres_per_job tres_per_node tres_per_socket tres_per_task
    tres_req_str node_count tasks sockets_per_node cpus
    """,
)


def read(shape: str, **more) -> Job:
    (found,) = read_jobs({"jobs": [raw(shape, **more)], "errors": []})
    return found


@SHAPES
def test_identity_and_gpus_mean_the_same_in_both_shapes(shape):
    found = read(shape)

    assert (found.key, found.address, found.at_work) == ("7.0.100", "7", True)
    assert [items[0].indices for items in found.gpus] == [(0, 1), (3,)]
    assert (found.limit, found.ends, found.requeue, found.batch) == (60, 3800, True, True)


@SHAPES
def test_no_limit_means_no_end(shape):
    found = read(shape, time_limit=None, end_time=31_536_200)

    assert (found.limit, found.ends) == (None, None)


@SHAPES
def test_a_job_that_ended_says_when_and_a_live_one_does_not(shape):
    over = read(shape, time_limit=None, job_state="FAILED", end_time=3_700)

    assert (over.over, read(shape).over) == (3_700, None)


@SHAPES
def test_task_zero_of_an_array_is_a_task(shape):
    assert read(shape, array_job_id=5, array_task_id=0).address == "5_0"


@SHAPES
def test_a_job_outside_arrays_has_no_task(shape):
    assert read(shape, array_job_id=0, array_task_id=0).address == "7"


@SHAPES
def test_the_waiting_rest_of_an_array_is_no_task(shape):
    found = read(shape, array_job_id=7, array_task_string="2-9%3", job_state="PENDING")

    assert (found.address, found.task, found.pending_tasks) == ("7", None, "2-9%3")


def test_a_sluid_is_the_identity_where_there_is_one():
    assert read("structured", sluid="s6XZMCEP8PZK00").key == "s6XZMCEP8PZK00"


def test_several_states_are_all_kept():
    record = raw("structured") | {"job_state": ["CANCELLED", "COMPLETING"]}

    (found,) = read_jobs({"jobs": [record]})
    assert found.completing
    assert found.ended


@pytest.mark.parametrize(
    ("state", "live", "waiting", "ended"),
    [
        ("RUNNING", True, False, False),
        ("RUNNING+CONFIGURING", True, False, False),
        ("SUSPENDED", True, False, False),
        ("STOPPED", True, False, False),
        ("A_STATE_OF_TOMORROW", True, False, False),
        ("RUNNING+A_FLAG_OF_TOMORROW", True, False, False),
        ("PENDING", False, True, False),
        ("PENDING+REQUEUED", False, True, False),
        ("REQUEUE_HOLD", False, True, False),
        ("COMPLETING", False, False, True),
        ("COMPLETED+COMPLETING", False, False, True),
        ("PREEMPTED", False, False, True),
    ],
)
def test_a_state_says_whether_a_job_holds_waits_or_is_over(state, live, waiting, ended):
    drawn = job(state=state)

    assert (drawn.live, drawn.waiting, drawn.ended) == (live, waiting, ended)


@pytest.mark.parametrize("state", ["SUSPENDED", "RUNNING+STOPPED", "RUNNING+RESIZING", "PENDING"])
def test_only_plain_running_is_at_work(state):
    assert not job(state=state).at_work


def test_gpus_that_fit_no_nodes_are_unclear_and_not_dropped_in_silence():
    found = read("plain", nodes="gpu01")

    assert found.gpus == ()
    assert "2 nodes for a job on 1" in found.unclear


@pytest.mark.parametrize("key", ["job_id", "submit_time", "restart_cnt"])
@pytest.mark.parametrize("value", [None, "x", -3, 1.5, [], {"number": 7}])
def test_a_record_that_does_not_say_which_run_it_is_fails_the_answer(key, value):
    missing = {name: item for name, item in raw("plain").items() if name != key}
    record = missing if value is None else missing | {key: value}

    with pytest.raises(ShapeError, match=key):
        read_jobs({"jobs": [record]})


@pytest.mark.parametrize("key", ["job_state", "requeue", "gres_detail", "end_time", "batch_flag"])
def test_what_a_record_lacks_beside_its_identity_is_its_own_doubt(key):
    record = {name: value for name, value in raw("plain").items() if name != key}

    odd, whole = read_jobs({"jobs": [record, raw("plain", job_id=8)]})

    assert key in odd.doubt or "state" in odd.doubt
    assert odd.live
    assert (whole.id, whole.doubt) == (8, "")


@SHAPES
def test_null_in_a_list_of_gpus_means_none_on_that_node(shape):
    found = read(shape, gres_detail=["gpu:2(IDX:0-1)", None])

    assert found.doubt == ""
    assert [sum(item.count for item in items) for items in found.gpus] == [2, 0]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("gres_detail", ["gpu:a100:2(IDX:0-1)", 5]),
        ("gres_detail", ["gpu:a100:two", "gpu:1"]),
        ("gres_detail", 7),
        ("nodes", "gpu[01-"),
        ("nodes", ["gpu01"]),
        ("start_time", -5),
        ("start_time", 1e300),
        ("start_time", 0),
        ("end_time", {"set": "yes", "number": 4}),
        ("time_limit", "60"),
        ("time_limit", -1),
        ("requeue", "no"),
        ("user_id", 1.5),
        ("name", 5),
        ("job_state", "A_STATE_OF_TOMORROW"),
        ("job_state", []),
        ("tres_per_node", "gres/gpu:a100:x:y"),
        ("array_task_id", "x"),
        ("het_job_id", -1),
        ("sluid", 12),
    ],
)
def test_an_odd_value_makes_one_job_unclear_and_no_other(key, value):
    odd, whole = read_jobs({"jobs": [raw("plain", **{key: value}), raw("plain", job_id=8)]})

    assert odd.doubt
    assert (whole.address, whole.doubt, len(whole.gpus)) == ("8", "", 2)


def test_with_a_sluid_the_submit_time_is_a_value_like_others():
    found = read("plain", sluid="s6XZMCEP8PZK00", submit_time="x")

    assert (found.key, found.nameless) == ("s6XZMCEP8PZK00", "")
    assert "submit_time" in found.doubt


def test_half_a_character_in_a_name_is_replaced():
    assert read("plain", name="a\ud800").name == "a\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize("body", [None, [], "x", {}, {"jobs": {}}, {"jobs": [1]}, {"errors": 5}])
def test_a_body_without_jobs_is_no_empty_cluster(body):
    with pytest.raises(ShapeError):
        read_jobs(body)


def test_an_error_beside_jobs_fails_the_answer():
    errors = [{"error_number": 2018, "description": "slurmctld is busy"}]

    with pytest.raises(ShapeError, match="slurmctld is busy"):
        read_jobs({"jobs": [raw("plain")], "errors": errors})


@given(JSON)
def test_any_json_is_read_or_refused_by_name(body):
    try:
        read_jobs(body)
        read_jobs({"jobs": [body]})
    except ShapeError:
        return


IDENTITY = {"job_id", "submit_time", "restart_cnt"}
OPTIONAL = sorted({*raw("plain"), *MORE} - IDENTITY)


@SHAPES
@given(st.sampled_from(OPTIONAL), JSON)
def test_junk_in_any_optional_field_never_blinds_another_job(shape, key, value):
    odd, whole = read_jobs({"jobs": [raw(shape) | {key: value}, raw(shape, job_id=8)]})

    assert (odd.id, whole.id) == (7, 8)
    assert whole.doubt == ""
    assert odd.started <= 253_402_300_799


@given(st.sampled_from(sorted(IDENTITY)), JSON)
def test_any_value_in_an_identity_is_read_or_refused_by_name(key, value):
    try:
        read_jobs({"jobs": [raw("plain") | {key: value}]})
    except ShapeError:
        return


@given(st.text())
def test_a_name_never_changes_what_a_job_is(name):
    record = raw("plain", name=name, command=name, comment=name)

    (found,) = read_jobs(json.loads(json.dumps({"jobs": [record]})))
    assert (found.key, found.user, found.name) == ("7.0.100", "mira", name)


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (5, 5),
        (None, None),
        (4294967294, None),
        (4294967295, math.inf),
        ({"set": True, "infinite": False, "number": 5}, 5),
        ({"set": False, "infinite": True, "number": 0}, math.inf),
        ({"set": False, "infinite": False, "number": 0}, None),
    ],
)
def test_a_number_means_the_same_in_every_version(value, meant):
    assert number({"n": value}, "n") == meant
