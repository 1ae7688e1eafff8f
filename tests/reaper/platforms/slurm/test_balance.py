"""The sum rule: what is hidden from us is noticed, what is only on its way is not."""

from reaper.platforms.slurm.balance import held, mismatches
from tests.reaper.platforms.slurm.drawn import job, node

TWO = "gpu:a100:2(IDX:0-1)"


def test_sums_that_agree_leave_no_doubt():
    assert mismatches([job(7, TWO)], [node(used=2), node("gpu02", used=0)]) == {}


def test_a_hidden_job_puts_its_node_in_doubt_with_the_cure():
    found = mismatches([job(7, TWO)], [node(used=3), node("gpu02", used=0)])

    assert list(found) == ["gpu01"]
    assert "hold 2 GPUs, but Slurm has given out 3" in found["gpu01"]
    assert "AdminLevel=Operator" in found["gpu01"]
    assert "PrivateData" in found["gpu01"]


def test_more_than_slurm_gave_out_is_doubtful_too():
    assert mismatches([job(7, TWO)], [node(used=1)])


def test_a_node_that_does_not_say_is_in_doubt():
    assert "does not say" in mismatches([], [node(used=None)])["gpu01"]


def test_a_job_on_a_node_that_cannot_be_seen_is_in_doubt():
    assert "cannot see the node" in mismatches([job(7, TWO, nodes="gpu09")], [node()])["gpu09"]


def test_suspended_and_completing_jobs_may_count_or_not():
    suspended = job(7, TWO, state="SUSPENDED")
    completing = job(8, nodes="gpu01", state="COMPLETING", allocated="cpu=1,gres/gpu=1")

    assert [bool(mismatches([suspended, completing], [node(used=n)])) for n in range(5)] == [
        False,
        False,
        False,
        False,
        True,
    ]


def test_typed_entries_do_not_count_twice():
    typed = job(8, nodes="gpu01", state="COMPLETING", allocated="gres/gpu=1,gres/gpu:a100=1")

    assert mismatches([typed], [node(used=2)])


def test_gpus_are_summed_by_node():
    jobs = [job(7, TWO, "gpu:1(IDX:0)", nodes="gpu[01-02]"), job(8, "gpu:1(IDX:3)")]

    assert held(jobs) == {"gpu01": 3, "gpu02": 1}


def test_a_node_whose_text_cannot_be_read_is_quoted_and_rights_are_not_blamed():
    said = "GresUsed: 'gpu:(x):4' cannot be read"
    found = mismatches([job(7, TWO)], [node(used=None, unclear=said)])

    assert said in found["gpu01"]
    assert "AdminLevel" not in found["gpu01"]


def test_a_job_that_cannot_be_read_is_named_as_the_cause():
    unclear = job(8, nodes="gpu01", unclear="gres_detail: 'gpu:x:y:z' cannot be read")

    found = mismatches([job(7, TWO), unclear], [node(used=3), node("gpu02", used=0)])

    assert list(found) == ["gpu01"]
    assert "job 8 cannot be read: gres_detail: 'gpu:x:y:z'" in found["gpu01"]
    assert "AdminLevel" not in found["gpu01"]


def test_where_the_others_hold_everything_a_job_that_cannot_be_read_holds_nothing():
    unclear = job(8, nodes="gpu01", unclear="gres_detail is 5, no list of texts")

    assert mismatches([job(7, TWO), unclear], [node(used=2)]) == {}


def test_beside_a_suspended_job_one_that_cannot_be_read_leaves_a_doubt():
    unclear = job(8, nodes="gpu01", unclear="gres_detail is 5, no list of texts")
    suspended = job(9, TWO, state="SUSPENDED")

    assert mismatches([suspended, unclear], [node(used=2)])


def test_a_job_whose_nodes_cannot_be_read_may_be_on_any_node_with_more_than_we_see():
    lost = job(8, unclear="nodes: 'gpu[' is no list of nodes")

    found = mismatches([job(7, TWO), lost], [node(used=2), node("gpu02", used=1)])

    assert list(found) == ["gpu02"]
    assert "job 8" in found["gpu02"]


def test_a_job_that_holds_no_gpu_on_a_node_needs_not_see_it():
    assert mismatches([job(7, "gpu:0", nodes="cn01")], [node()]) == {}
