"""Where only nodes can tell which devices the members of a run have."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.facts.allocation import Claim, Inventory, Place, unite
from reaper.domain.facts.placing import placed
from reaper.domain.facts.share import Share
from tests.builders import START, claim, device

GPUS = [f"GPU-gpu01-{index}" for index in range(4)]


def held(ident: str, *members: str, gpus: int = 1, **more: Any) -> Claim:
    """Return a run whose members have so many GPUs each on one node."""
    places = [Place(node="gpu01", node_id=member) for member in members for _ in range(gpus)]
    return claim(ident, places=tuple(places), node_ids=members, **more)


def seen(member: str, gpu: str, *, proof: bool = True) -> Share:
    return Share(node="gpu01", gpu=gpu, platform="slurm", id=member, start=START, proof=proof)


def told(claims: list[Claim], *shares: Share) -> list[tuple[list[str], bool]]:
    found = placed(claims, shares, {}, {})
    return [([place.gpu for place in one.places], bool(one.doubt)) for one in found]


def test_a_members_devices_are_those_that_its_node_proves():
    claims = [held("a", "p", "q", gpus=2)]
    shares = [seen("p", GPUS[1]), seen("p", GPUS[3]), seen("q", GPUS[0]), seen("q", GPUS[2])]

    assert told(claims, *shares) == [([GPUS[1], GPUS[3], GPUS[0], GPUS[2]], False)]


def test_fewer_devices_than_given_are_a_doubt_that_says_what_to_do():
    (found,) = placed([held("a", "p", gpus=2)], [seen("p", GPUS[0])], {}, {})

    assert [place.gpu for place in found.places] == ["", ""]
    assert found.doubt.startswith("1 of 2 devices known on gpu01")
    assert "--kubelet-socket" in found.doubt


def test_more_devices_than_given_are_a_doubt():
    """Its processes reach further than its claim: which are its own nobody says."""
    assert told([held("a", "p")], seen("p", GPUS[0]), seen("p", GPUS[1])) == [([""], True)]


def test_a_hint_names_no_device():
    assert told([held("a", "p")], seen("p", GPUS[0], proof=False)) == [([""], True)]


def test_a_doubt_of_the_holder_stays_the_first():
    (found,) = placed([held("a", "p", doubt="its owner is gone")], [seen("p", GPUS[0])], {}, {})

    assert ([place.gpu for place in found.places], found.doubt) == ([GPUS[0]], "its owner is gone")


def test_devices_of_one_member_are_known_though_those_of_another_are_not():
    assert told([held("a", "p", "q")], seen("q", GPUS[2])) == [(["", GPUS[2]], True)]


def test_runs_that_share_a_device_by_time_are_both_on_it():
    both = [held("a", "p", exclusive=False), held("b", "q", exclusive=False)]

    assert told(both, seen("p", GPUS[0]), seen("q", GPUS[0])) == [([GPUS[0]], False)] * 2


def test_a_device_that_a_holder_names_is_nobody_elses():
    named = claim("b", places=(Place(node="gpu01", gpu=GPUS[0], node_id="q"),), node_ids=("q",))

    assert told([held("a", "p"), named], seen("p", GPUS[0])) == [([""], True), ([GPUS[0]], False)]


def test_a_run_whose_devices_are_told_is_an_allocation_without_a_doubt():
    claims = placed([held("a", "p")], [seen("p", GPUS[1])], {}, {})
    there = {"gpu01": tuple(device(index, gres_index=None) for index in range(4))}
    (found,) = unite(claims, (), Inventory(devices=there)).allocations

    assert (found.gpus, found.doubt) == ((GPUS[1],), "")


SHARES = st.lists(st.tuples(st.sampled_from("pqrs"), st.sampled_from(GPUS)), max_size=8)


@given(shares=SHARES, gpus=st.integers(1, 2), order=st.randoms(use_true_random=False))
def test_no_device_is_given_to_two_runs_and_the_order_never_matters(
    shares: list[tuple[str, str]], gpus: int, order: Any
):
    claims = [held("a", "p", "q", gpus=gpus), held("b", "r", gpus=gpus), held("c", "s")]
    words = [seen(*share) for share in shares]
    found = placed(claims, words, {}, {})
    order.shuffle(words)
    order.shuffle(claims)
    again = placed(claims, words, {}, {})

    assert sorted(again, key=str) == sorted(found, key=str)
    proven: dict[str, set[str]] = {}
    by_member = {member: one.run.key for one in found for member in one.node_ids}
    for member, gpu in shares:
        proven.setdefault(gpu, set()).add(by_member[member])
    for one in found:
        for place in one.places:
            assert not place.gpu or proven[place.gpu] == {one.run.key}
        assert one.doubt or all(place.gpu for place in one.places)
