"""What of the turn before still holds, and what must be looked at again."""

from dataclasses import replace

import pytest

from reaper.cycle.evidence.carrying import Carrying, working
from reaper.cycle.evidence.records import Records
from reaper.cycle.item import Item
from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.serving import Service
from reaper.domain.facts.sign import Sign
from reaper.domain.facts.tenant import own_name
from reaper.domain.facts.track import Track
from reaper.domain.judgement.verdict import Kind
from tests.builders import MINUTE, START, allocation, case, verdict

HELD = allocation("101", gpus=2, purpose=Purpose.TRAINING)
WORKED = Evidence(
    seconds=3600.0,
    seen={"sm": 3600.0, "tensor": 3600.0, "dram": 3600.0},
    active={"sm": 1800.0, "tensor": 0.0, "dram": 0.0},
)
END = NORMAL.closed(START) + 1


def again(
    given: Allocation = HELD,
    *,
    letters: str = "A" * 90,
    evidence: Evidence = WORKED,
    at_work: frozenset[str] = frozenset(HELD.gpus),
    services: dict[str, Service] | None = None,
    **found: object,
) -> Item | None:
    """Return what is carried over of a run that worked in the turn before."""
    then = START - MINUTE
    item = Item(
        allocation=HELD,
        verdict=verdict(Kind.BUSY, now=then),
        policy=None,
        situation=None,
        case=None,
        turn=None,
        until=START + 1,
    )
    carrying = Carrying(
        items={HELD.run.key: replace(item, **found)},
        working=at_work,
        records=Records(DeviceRecord(device=one, evidence=evidence) for one in HELD.devices),
        tracks={gpu: Track(start=END - len(letters), letters=letters) for gpu in HELD.gpus},
        services=services or {},
        now=START,
    )
    return carrying.again(given)


def test_of_what_goes_on_it_is_told_anew_how_much_was_seen() -> None:
    found = again(letters="??" + "A" * 98)

    assert found is not None
    assert found.carried
    assert found.verdict.at == START - MINUTE
    assert found.verdict.coverage == pytest.approx(0.98)


def test_where_nothing_at_all_is_new_the_item_is_the_same_one() -> None:
    before = again()

    assert before is not None
    assert again(verdict=before.verdict, carried=True, allocation=HELD) == before


def test_when_people_typed_makes_no_difference_and_is_told() -> None:
    typed, typing = (
        replace(HELD, signs=(Sign(kind="shell", last_seen=at, as_of=at),))
        for at in (START - MINUTE, START)
    )
    found = again(typing, allocation=typed)

    assert found is not None
    assert found.allocation == typing


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(replace(HELD, claim=replace(HELD.claim, user="noor")), id="its owner"),
        pytest.param(replace(HELD, devices=HELD.devices[:1]), id="its devices"),
        pytest.param(replace(HELD, doubt="not confirmed"), id="a doubt"),
        pytest.param(replace(HELD, contested=True), id="a contest"),
        pytest.param(
            replace(HELD, signs=(Sign(kind="jupyter", last_seen=START, as_of=START),)),
            id="a session",
        ),
    ],
)
def test_what_has_changed_is_judged_again(given: Allocation) -> None:
    assert again(given) is None


def test_a_device_that_did_not_only_work_is_judged_again() -> None:
    assert again(at_work=frozenset(HELD.gpus[:1])) is None


def test_a_verdict_that_has_come_to_its_end_is_judged_again() -> None:
    assert again(until=START) is None


def test_a_run_with_a_case_is_judged_again() -> None:
    assert again(case=case()) is None


def test_a_server_whose_requests_are_counted_is_judged_again() -> None:
    serving = replace(HELD, claim=replace(HELD.claim, purpose=Purpose.INFERENCE))
    services = {HELD.run.key: Service(last={}, track=Track(start=END))}

    assert again(serving, allocation=serving) is not None
    assert again(serving, allocation=serving, services=services) is None


def test_work_that_has_shrunk_to_a_trickle_is_judged_again() -> None:
    little = replace(WORKED, active={"sm": 36.0, "tensor": 0.0, "dram": 0.0})

    assert again(letters="A" * 300, evidence=little) is None


@pytest.mark.parametrize(
    ("before", "fresh", "at_work"),
    [
        pytest.param("A" * 9, "A", True, id="work goes on"),
        pytest.param("A" * 9, "AAA", True, id="for some minutes"),
        pytest.param("A" * 9, "AL", False, id="hardly any work"),
        pytest.param("A" * 9 + "?", "A", False, id="after a gap"),
        pytest.param("A" * 9 + "H", "A", False, id="after a rest"),
        pytest.param("", "A", False, id="for the first time"),
    ],
)
def test_a_device_works_on_while_its_letters_say_so(
    before: str, fresh: str, *, at_work: bool
) -> None:
    new = Track(start=END - len(fresh), letters=fresh)
    track = Track(start=new.start - len(before), letters=before + fresh)

    found = working({"g": new}, {"g": track}, now=START, pace=NORMAL)

    assert found == (frozenset("g") if at_work else frozenset())


def test_a_device_that_was_last_seen_long_ago_is_not_known_to_work() -> None:
    new = Track(start=END - 5, letters="A")
    track = Track(start=END - 9, letters="AAAAA")

    assert not working({"g": new}, {"g": track}, now=START, pace=NORMAL)


def test_a_device_with_several_tenants_speaks_for_no_one_run() -> None:
    track = Track(start=END - 9, letters="A" * 9)
    tracks = {"g": track, own_name("g", "101"): track}

    assert not working({"g": track.since(END - 1)}, tracks, now=START, pace=NORMAL)
