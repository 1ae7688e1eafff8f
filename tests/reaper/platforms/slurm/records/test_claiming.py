"""Claims: exact GPUs on every node, one claim a run, doubt where Slurm does not say enough."""

from dataclasses import replace

from reaper.domain.facts.allocation import Claim, Place, Purpose
from reaper.platforms.slurm.records.claiming import Ground, claims
from reaper.platforms.slurm.records.purpose import Rule
from reaper.platforms.slurm.records.record import Job
from tests.reaper.platforms.slurm.drawn import NOON, job

TWO = "gpu:a100:2(IDX:0-1)"
GROUND = Ground(cluster="grove", as_of=NOON)


def claimed(*jobs: Job, ground: Ground = GROUND, before: dict[int, Claim] | None = None):
    return claims(jobs, ground, before or {})


def the_claim(*jobs: Job, ground: Ground = GROUND) -> Claim:
    (claim,) = claimed(*jobs, ground=ground).values()
    return claim


def test_every_gpu_has_its_place():
    claim = the_claim(job(7, "gpu:a100:2(IDX:0,2)", "gpu:h100:1(IDX:5)", nodes="gpu[01-02]"))

    assert claim.places == (
        Place(node="gpu01", index=0),
        Place(node="gpu01", index=2),
        Place(node="gpu02", index=5),
    )


def test_mig_types_share_the_indices_of_their_node():
    claim = the_claim(job(7, "gpu:1g.5gb:2(IDX:3-4),gpu:a100:1(IDX:0)"))

    assert [place.index for place in claim.places] == [3, 4, 0]


def test_what_is_no_gpu_is_no_claim():
    assert claimed(job(7, "gpfs:scratch:1,nvme:2(IDX:0-1)"), job(8)) == {}


def test_an_allocation_needs_no_process_to_be_a_claim():
    claim = the_claim(job(7, "gpu:1(IDX:0)", batch=False, name="no-shell", command=""))

    assert claim.purpose is Purpose.INTERACTIVE
    assert not claim.requeueable


def test_identity_is_job_restarts_and_submit():
    claim = the_claim(job(7, "gpu:1(IDX:0)", restarts=2, submitted=100.0))

    assert (claim.run.key, claim.run.id, claim.restarts) == ("7.2.100", "7", 2)


def test_a_task_of_an_array_is_shown_as_such_and_found_by_its_own_id():
    claim = the_claim(job(9, "gpu:1(IDX:0)", array=5, task=1))

    assert (claim.run.id, claim.node_ids, claim.members) == ("5_1", ("9",), ("9",))


def test_components_of_a_het_job_are_one_claim():
    first = job(10, "gpu:h100:1(IDX:0)", nodes="gpu03", het=10, ends=NOON + 60)
    second = job(11, "gpu:1(IDX:1)", nodes="gpu04", het=10, offset=1, requeue=False)

    claim = the_claim(second, first)

    assert claim.run.key == first.key
    assert [place.node for place in claim.places] == ["gpu03", "gpu04"]
    assert claim.node_ids == claim.members == ("10", "11")
    assert claim.limit == NOON + 60
    assert not claim.requeueable
    assert claim.doubt == ""


def test_a_het_job_may_hold_gpus_in_a_later_component_only():
    claim = the_claim(job(10, het=10), job(11, "gpu:1(IDX:1)", het=10, offset=1))

    assert (claim.run.id, len(claim.places)) == ("10", 1)


def test_a_het_job_whose_first_component_is_hidden_is_in_doubt():
    claim = the_claim(job(11, "gpu:1(IDX:1)", het=10, offset=1))

    assert "component 0 of het job 10" in claim.doubt


def test_a_suspended_job_holds_what_it_has():
    assert the_claim(job(7, "gpu:1(IDX:0)", state="SUSPENDED")).places


def test_a_completing_job_keeps_the_claim_it_had():
    before = claimed(job(7, "gpu:1(IDX:0)"))
    later = Ground(cluster="grove", as_of=NOON + 60)

    # A requeued job counts its restart before its old run is gone.
    after = claims([job(7, state="COMPLETING", restarts=1)], later, before)

    assert after[7] is before[7]


def test_what_is_said_again_is_the_same_claim():
    jobs = [job(7, "gpu:1(IDX:0)"), job(8, "gpu:1(IDX:1)")]
    before = claims(jobs, GROUND, {})
    later = replace(GROUND, as_of=NOON + 60)

    after = claims([jobs[0], replace(jobs[1], user="noor")], later, before)

    assert after[7] is before[7]
    assert after[8].user == "noor"


def test_a_completing_job_that_was_never_seen_claims_nothing():
    assert claimed(job(7, state="COMPLETING")) == {}


def test_unnamed_gpus_are_places_without_index_and_in_doubt():
    claim = the_claim(job(7, "gpu:a100:2(IDX:N/A)"))

    assert claim.places == (Place(node="gpu01"), Place(node="gpu01"))
    assert "does not say which GPUs" in claim.doubt


def test_a_doubtful_node_makes_every_claim_on_it_doubtful():
    ground = Ground(cluster="grove", as_of=NOON, doubts={"gpu02": "gpu02: sums differ"})

    both = job(7, "gpu:1(IDX:0)", "gpu:1(IDX:0)", nodes="gpu[01-02]")
    found = claimed(both, job(8, "gpu:1(IDX:1)"), ground=ground)

    assert (found[7].doubt, found[8].doubt) == ("gpu02: sums differ", "")


def test_a_job_whose_gpus_are_unclear_stays_visible():
    claim = the_claim(job(7, nodes="gpu01", unclear="Slurm lists GPUs of 2 nodes"))

    assert (claim.places, claim.doubt) == ((), "Slurm lists GPUs of 2 nodes")


def test_the_owner_and_his_words_are_carried():
    claim = the_claim(
        job(7, "gpu:1(IDX:0)", account="ml", qos="high", partition="batch", reservation="fair")
    )

    assert (claim.user, claim.account, claim.qos) == ("mira", "ml", "high")
    assert (claim.partition, claim.reserved, claim.limit) == ("batch", "fair", NOON + 7200)


def test_rules_of_the_configuration_decide_the_purpose():
    ground = Ground(
        cluster="grove", as_of=NOON, rules=(Rule(purpose=Purpose.INFERENCE, name=("serve*",)),)
    )

    assert the_claim(job(7, "gpu:1(IDX:0)", name="serve-llm"), ground=ground).purpose == "inference"


def test_a_job_with_an_odd_value_is_in_doubt_alone():
    found = claimed(job(7, TWO, odd="name is 5, no text"), job(8, "gpu:a100:1(IDX:2)"))

    assert found[7].doubt == "name is 5, no text"
    assert found[8].doubt == ""


def test_a_record_that_may_be_of_another_run_keeps_the_claim_it_had():
    before = claimed(job(7, TWO))
    strange = job(7, TWO, submitted=NOON, nameless="sluid is 5, no text")

    found = claims([strange], replace(GROUND, as_of=NOON + 60), before)

    assert (found[7].run, found[7].places) == (before[7].run, before[7].places)
    assert found[7].doubt == "sluid is 5, no text"
    assert claims([strange], GROUND, {}) == {}


def test_a_het_job_is_in_doubt_while_a_job_of_its_owner_may_be_its_component():
    het = job(7, TWO, het=7)
    stray = job(8, "gpu:a100:1(IDX:2)", nameless="het_job_id is -1, no whole number from 0 on")
    other = job(9, "gpu:a100:1(IDX:3)", het=9, user="noor")

    found = claimed(het, stray, other)

    assert "job 8 may belong to it" in found[7].doubt
    assert found[9].doubt == ""


def test_a_job_that_is_suspended_is_in_doubt_and_its_idleness_begins_when_it_goes_on():
    stopped = job(7, "gpu:1(IDX:0)", state="SUSPENDED", paused=NOON - 600)
    on = job(7, "gpu:1(IDX:0)", paused=NOON - 60)

    assert the_claim(stopped).doubt == "Slurm has suspended job 7"
    assert (the_claim(on).doubt, the_claim(on).resumed) == ("", NOON - 60)
    assert the_claim(job(7, "gpu:1(IDX:0)")).resumed is None
