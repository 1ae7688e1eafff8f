"""Who holds what, united from claims, fronts and signs."""

from dataclasses import replace

import pytest

from reaper.domain.facts.allocation import Allocation, Front, Inventory, Place, Purpose, unite
from reaper.domain.facts.sign import Sign
from tests.builders import START, allocation, claim, device


def united(*, gpus: int = 1, unproven: frozenset[tuple[str, int]] = frozenset()) -> Allocation:
    """Unite one claim with a node of four devices."""
    inventory = Inventory(
        devices={"gpu01": tuple(device(index) for index in range(4))}, unproven=unproven
    )
    return unite([claim(gpus=gpus)], [], inventory).allocations[0]


def test_devices_come_from_the_holder_by_index() -> None:
    """Index to UUID by the node's own map."""
    assert united(gpus=2).gpus == ("GPU-gpu01-0", "GPU-gpu01-1")


def test_an_unproven_index_is_doubt() -> None:
    """Nobody is named for a device that may not be theirs."""
    assert "not confirmed yet" in united(unproven=frozenset({("gpu01", 0)})).doubt


def test_a_missing_device_is_doubt() -> None:
    """Half an allocation is not judged."""
    assert "4 of 5 devices known" in united(gpus=5).doubt


def test_two_exclusive_claims_on_a_device_contest_it() -> None:
    """Neither is believed."""
    inventory = Inventory(devices={"gpu01": (device(0),)})

    both = unite([claim("1"), claim("2")], [], inventory)

    assert both.contested == {"GPU-gpu01-0"}
    assert all(item.contested and "claims" in item.doubt for item in both.allocations)


def test_the_order_of_claims_never_matters() -> None:
    """Same answer either way."""
    inventory = Inventory(devices={"gpu01": (device(0), device(1))})
    claims = [claim("1"), claim("2", gpus=2)]

    assert unite(claims, [], inventory) == unite(claims[::-1], [], inventory)


def test_a_front_gives_the_person_and_makes_it_interactive() -> None:
    """The outermost front knows who sits there."""
    front = Front(front="hub", id="mira/", alias="101", person="otto", as_of=START)
    inventory = Inventory(devices={"gpu01": (device(0),)})

    fronted = unite([claim(purpose=Purpose.TRAINING)], [front], inventory).allocations[0]

    assert fronted.owner == "otto"
    assert fronted.purpose is Purpose.INTERACTIVE


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("jupyter", "interactive"), ("vscode", "interactive"), ("keeper", "training")],
)
def test_a_workplace_in_a_batch_job_makes_it_interactive(kind: str, expected: str) -> None:
    """A notebook server in a batch script is somebody's session."""
    sign = Sign(kind=kind, last_seen=None, as_of=START)
    batch = replace(allocation(purpose=Purpose.TRAINING), signs=(sign,))

    assert batch.purpose == expected


def test_an_operators_rule_stands_against_all_evidence() -> None:
    """What is ruled is ruled."""
    sign = Sign(kind="jupyter", last_seen=None, as_of=START)
    ruled = allocation(purpose=Purpose.INFERENCE, purpose_ruled=True)

    assert replace(ruled, signs=(sign,)).purpose is Purpose.INFERENCE


def test_a_claim_without_indices_is_not_told_of_indices():
    without = tuple(replace(device(index), gres_index=None) for index in range(2))
    counted = replace(claim(), places=(Place(node="gpu01"), Place(node="gpu01")))
    united = unite([counted], [], Inventory(devices={"gpu01": without})).allocations[0]

    assert united.doubt
    assert "index" not in united.doubt
