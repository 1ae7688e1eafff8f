"""Interlocks trip on signs of our own error, once."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.decision import Phase, Verb
from reaper.domain.escalation.interlock import Bounds, Vitals, trips
from tests.builders import START, intent

HEALTHY = Vitals(
    now=START, allocated=100, covered=100, supported=100, idle=30, idle_before=20, exporters=20
)


def test_a_healthy_system_trips_nothing() -> None:
    """Ten more idle devices in a quarter of an hour are life."""
    assert trips(HEALTHY, (), (), Bounds()) == ()


@pytest.mark.parametrize(
    ("sick", "name"),
    [
        pytest.param({"covered": 89}, "coverage", id="eleven of a hundred unseen"),
        pytest.param({"idle": 41}, "jump", id="21 points more idle"),
        pytest.param({"restarted": 5}, "restarts", id="a quarter of the exporters"),
        pytest.param({"clock_step": -31.0}, "clock", id="the clock went back"),
    ],
)
def test_a_sick_system_trips_by_name(sick: dict[str, float], name: str) -> None:
    """Each latches under its own name."""
    tripped = trips(replace(HEALTHY, **sick), (), (), Bounds())

    assert [hold.id for hold in tripped] == [f"interlock:{name}"]


def test_two_failed_verifications_in_a_row_trip() -> None:
    """One success between them does not."""
    failed = intent(phase=Phase.FAILED)
    fine = replace(intent(phase=Phase.VERIFIED), changed=START + 1)
    later = replace(failed, changed=START + 2)

    assert trips(HEALTHY, (failed, later), (), Bounds())[0].id == "interlock:verification"
    assert trips(HEALTHY, (failed, fine, later), (), Bounds()) == ()


def test_a_latched_interlock_does_not_trip_again() -> None:
    """An operator clears it."""
    sick = replace(HEALTHY, covered=10)
    latched = trips(sick, (), (), Bounds())

    assert trips(sick, (), latched, Bounds()) == ()


def test_a_small_cluster_may_fall_idle_at_once() -> None:
    """Sixteen devices at least."""
    small = replace(HEALTHY, allocated=10, idle=10, idle_before=0, covered=10, supported=10)

    assert trips(small, (), (), Bounds()) == ()


def test_saves_without_proof_trip_nothing() -> None:
    """That jobs do not save themselves is no error of ours."""
    failed = intent(phase=Phase.FAILED)
    unsaved = replace(failed, effect=replace(failed.effect, verb=Verb.SAVE))

    assert trips(HEALTHY, (unsaved, unsaved, unsaved), (), Bounds()) == ()
