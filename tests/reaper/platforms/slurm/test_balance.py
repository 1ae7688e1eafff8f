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
