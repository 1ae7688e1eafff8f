"""Several tenants on one device: each by its own seconds, or unseen."""

from dataclasses import replace

import pytest

from reaper.domain.facts.evidence import UTILISATION
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.minute import Minute, letter, of_tenant
from reaper.domain.facts.reading import Reading, between
from reaper.domain.facts.share import Share
from reaper.domain.facts.tenant import Tenant, is_own, own_name, own_track, tenants
from reaper.domain.facts.thresholds import DEFAULT
from reaper.domain.facts.track import Track
from tests.builders import MINUTE, START, allocation, reading, run

GPU = "GPU-gpu01-0"
MINE, OTHERS = "slurm/101@1", "slurm/102@1"


def at(minute: float, busy: float, told: float, **seconds: float) -> Reading:
    """Return a reading with the seconds of two tenants, told apart for `told` seconds."""
    plain = reading(START + minute * MINUTE, busy=busy)
    own = {MINE: seconds["mine"], OTHERS: seconds["others"]} if seconds else {}
    return replace(plain, observed={**plain.observed, "tenant": told}, tenants=own)


def part(later: Reading) -> Minute:
    """Return the first tenant's part of the minute after START's first one."""
    earlier = at(1, 0.0, 60.0, mine=0.0, others=0.0)
    delta = between(earlier, later)
    assert delta is not None
    whole = letter(delta, thresholds=DEFAULT, pace=NORMAL)
    return of_tenant(whole, delta, MINE, thresholds=DEFAULT, pace=NORMAL)


def test_a_tenant_at_rest_beside_a_busy_one_holds_by_one_witness():
    found = part(at(2, 50.0, 120.0, mine=0.0, others=50.0))

    assert found.letter == "H"
    assert found.evidence.testified == (UTILISATION,)


def test_a_tenant_that_works_shares_the_letter_of_its_device():
    found = part(at(2, 50.0, 120.0, mine=3.0, others=47.0))

    assert (found.letter, found.evidence.testified) == ("A", ())
    assert found.evidence.active == {"engine": 3.0}


@pytest.mark.parametrize(
    "later",
    [
        at(2, 50.0, 120.0),
        at(2, 50.0, 100.0, mine=0.0, others=50.0),
    ],
    ids=["no counter", "told apart for too short"],
)
def test_a_tenant_that_nobody_tells_apart_is_unseen_while_its_device_works(later: Reading):
    found = part(later)

    assert (found.letter, found.evidence.testified) == ("?", ())


def test_work_that_the_counter_of_no_tenant_shows_may_be_anybodys():
    found = part(at(2, 50.0, 120.0, mine=0.0, others=0.0))

    assert (found.letter, found.evidence.testified) == ("?", ())


def test_a_device_at_rest_is_at_rest_for_every_tenant():
    found = part(at(2, 0.0, 60.0))

    assert found.letter == "H"
    assert len(found.evidence.testified) == 2


def test_a_tenant_that_left_and_came_back_begins_anew():
    earlier = at(1, 0.0, 60.0, mine=40.0, others=5.0)
    delta = between(earlier, at(2, 0.0, 120.0, mine=1.0, others=6.0))

    assert delta is not None
    assert delta.tenants == {OTHERS: 1.0}


# ------------------------------------------------------------------ who shares


def share(ident: str, platform: str = "slurm", **given: object) -> Share:
    base = Share(node="gpu01", gpu=GPU, platform=platform, id=ident, start=START)
    return replace(base, **given)


def names(found: dict[str, tuple[Tenant, ...]]) -> list[tuple[str, str, bool]]:
    return [(one.run_key, one.key, one.alone) for one in found.get(GPU, ())]


FIRST, SECOND = run("101").key, run("102").key


def test_a_device_of_one_run_has_no_tenants():
    assert tenants([allocation("101")], [share("101")], ()) == {}


def test_two_runs_on_a_device_are_tenants_by_their_counters():
    both = [allocation("101", exclusive=False), allocation("102", exclusive=False)]

    assert names(tenants(both, [share("101"), share("102")], ())) == [
        (FIRST, f"slurm/101@{START:.0f}", False),
        (SECOND, f"slurm/102@{START:.0f}", False),
    ]


def test_a_process_without_a_claim_shares_a_device_too():
    found = tenants([allocation("101")], [share("101"), share("7", "host")], ())

    assert names(found) == [(FIRST, f"slurm/101@{START:.0f}", False)]


def test_a_stranger_alone_on_a_claimed_device_is_not_its_holder():
    found = tenants([allocation("101")], [share("7", "host")], ())

    assert names(found) == [(FIRST, "", False)]


def test_a_run_that_a_node_sees_under_two_names_is_known_by_neither():
    twice = [share("101"), share("101", start=START + 5), share("7", "host")]

    assert names(tenants([allocation("101")], twice, ())) == [(FIRST, "", False)]


def test_letters_of_a_run_that_is_over_make_nobody_else_a_tenant():
    over = own_name(GPU, "99.0.1799989200")

    assert tenants([allocation("101", exclusive=True)], [share("101")], (over,)) == {}


def test_a_hint_makes_nobody_a_tenant():
    assert tenants([allocation("101")], [share("101"), share("9", proof=False)], ()) == {}


@pytest.mark.parametrize("exclusive", [True, False])
def test_who_has_letters_of_its_own_keeps_them_when_it_is_alone(exclusive: bool):
    kept = (own_name(GPU, FIRST),) if exclusive else ()
    found = tenants([allocation("101", exclusive=exclusive)], [share("101")], kept)

    assert names(found) == [(FIRST, f"slurm/101@{START:.0f}", True)]


# ------------------------------------------------------------------ whose letters


def test_an_exclusive_holder_has_the_devices_letters_before_its_own():
    found = own_track(Track(start=5, letters="AAAAA"), Track(start=8, letters="H?"), exclusive=True)

    assert found == Track(start=5, letters="AAAH?")


def test_an_exclusive_holder_without_letters_of_its_own_has_the_devices():
    assert own_track(Track(start=5, letters="AA"), None, exclusive=True) == Track(
        start=5, letters="AA"
    )


def test_who_was_given_a_part_never_has_the_devices_letters():
    device = Track(start=5, letters="AAAAA")

    assert own_track(device, Track(start=8, letters="H?"), exclusive=False) == Track(
        start=8, letters="H?"
    )
    assert own_track(device, None, exclusive=False) is None


def test_a_name_of_its_own_is_told_from_a_devices():
    assert (is_own(own_name(GPU, FIRST)), is_own(GPU)) == (True, False)
