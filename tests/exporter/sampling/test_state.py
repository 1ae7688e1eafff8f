"""The state joins rounds: identities, resets, attributions, and cards that fall off the bus."""

from dataclasses import replace

import pytest

from exporter.sampling.snapshot import (
    Activity,
    Attribution,
    Device,
    GresIndex,
    Health,
    Measured,
    PowerUse,
    Pressure,
    Round,
    Turn,
)
from exporter.sampling.state import NodeState, Periods

CARD = Device(uuid="GPU-0", index=0, generation="g1")
SLICE = Device(uuid="MIG-0", index=0, parent="GPU-0", generation="g1")


def activity(at, value=1.0, source="gpm"):
    signal = Measured(value=value, source=source)
    return (Activity(gpu="GPU-0", at=at, signals={"sm": signal}, links={}),)


def answer(at, *findings, devices=(CARD,)):
    turns = tuple(Turn(collector=name, duration=0.1, finding=finding) for name, finding in findings)
    return Round(at=at, wall=at, driver="nvml", devices=devices, turns=turns)


def state_after(*rounds):
    state = NodeState(Periods())
    for item in rounds:
        state.take(item)
    return state


def observed(state):
    return state.devices["GPU-0"].tally.observed.get("sm", 0.0)


def test_a_round_without_driver_changes_no_counter():
    state = state_after(
        answer(10, ("activity", activity(10))), answer(11, ("activity", activity(11)))
    )
    state.take(Round(at=12, wall=12, driver="", devices=(), turns=(), trouble="no driver"))

    assert observed(state) == pytest.approx(1)
    assert "GPU-0" in state.devices


@pytest.mark.parametrize(
    "second",
    [
        answer(11, ("activity", activity(11)), devices=(replace(CARD, generation="g2"),)),
        answer(11, ("activity", activity(11, source="nvml"))),
    ],
    ids=["another generation", "another source"],
)
def test_a_reset_is_joint(second):
    power = tuple(PowerUse(gpu="GPU-0", at=at, power=100.0) for at in (5, 10))
    state = state_after(
        answer(9, ("activity", activity(9)), ("power", power[:1])),
        answer(10, ("activity", activity(10)), ("power", power[1:])),
        second,
    )
    tally = state.devices["GPU-0"].tally

    assert (tally.observed, tally.energy) == ({"sm": 0.0}, None)


def test_a_reset_shows_in_the_epoch():
    state = state_after(
        answer(9, ("activity", activity(9))), answer(10, ("activity", activity(10, source="nvml")))
    )

    assert state.devices["GPU-0"].epoch == 1


def test_an_energy_meter_that_fell_resets_every_counter():
    rounds = [
        answer(
            at,
            ("activity", activity(at)),
            ("power", (PowerUse(gpu="GPU-0", at=at, power=1.0, energy=joules),)),
        )
        for at, joules in ((9, 500), (10, 600), (11, 2))
    ]

    assert observed(state_after(*rounds)) == 0


def test_a_card_that_is_no_longer_listed_is_lost_and_keeps_its_counters():
    state = state_after(
        answer(9, ("activity", activity(9))),
        answer(10, ("activity", activity(10))),
        answer(11, devices=()),
    )

    assert state.devices["GPU-0"].lost
    assert observed(state) == pytest.approx(1)


def test_an_instance_that_is_no_longer_listed_is_forgotten():
    state = state_after(answer(9, devices=(CARD, SLICE)), answer(10, devices=(CARD,)))

    assert set(state.devices) == {"GPU-0"}


def test_an_instance_that_comes_back_by_the_same_name_is_of_another_epoch():
    state = state_after(*(answer(at, devices=(CARD, SLICE)[: 1 + at % 2]) for at in range(1, 6)))

    assert state.devices["MIG-0"].epoch == 2


def test_an_xid_of_before_a_reset_is_still_known():
    state = state_after(answer(9, ("health", (xid(9),))))
    state.take(answer(10, devices=(replace(CARD, generation="g2"),)))

    assert state.devices["GPU-0"].tally.xids == {79: (0, 5.0)}


def xid(at):
    return Health(gpu="GPU-0", at=at, lost=False, xids=((79, 5.0),))


def test_a_failed_turn_leaves_the_finding_before():
    shares = Attribution(pressures=(cpu("1@1", 1),))
    state = state_after(answer(9, ("pressure", shares)), answer(10, ("pressure", None)))

    assert list(state.attributions(now=10)) == [shares]


def cpu(key, seconds, platform="slurm"):
    return Pressure(platform=platform, allocation=key, resource="cpu", seconds=seconds)


def test_a_job_and_a_process_of_one_number_are_counted_apart():
    both = [
        Attribution(pressures=(cpu("1@1", ours), cpu("1@1", theirs, "host")))
        for ours, theirs in ((100, 5), (103, 6))
    ]
    state = state_after(*(answer(at, ("pressure", one)) for at, one in enumerate(both)))

    assert {key[0]: count.total for key, count in state.pressure.items()} == {"slurm": 3, "host": 1}


def pressures(*seconds):
    return [
        answer(
            number,
            ("pressure", Attribution(pressures=(cpu("1@1", value),))),
        )
        for number, value in enumerate(seconds)
    ]


def test_pressure_adds_the_growth_since_it_was_first_seen():
    assert state_after(*pressures(100, 103, 104)).pressure["slurm", "1@1", "cpu"].total == 4


def test_pressure_that_fell_begins_anew_without_falling():
    assert state_after(*pressures(100, 103, 1, 2)).pressure["slurm", "1@1", "cpu"].total == 4


def test_the_pressure_of_an_allocation_that_ended_is_forgotten():
    state = state_after(*pressures(100, 103))
    other = Attribution(pressures=(cpu("2@1", 1),))
    state.take(answer(9, ("pressure", other)))

    assert set(state.pressure) == {("slurm", "2@1", "cpu")}


def test_the_last_allocation_leaves_no_pressure_behind():
    state = state_after(*pressures(100, 103), answer(9, ("pressure", Attribution())))

    assert state.pressure == {}


def test_a_finding_without_pressure_takes_none_away():
    state = state_after(*pressures(100, 103), answer(9, ("session", Attribution())))

    assert set(state.pressure) == {("slurm", "1@1", "cpu")}


def test_a_collector_may_name_the_scheduler_index():
    gres = Attribution(gres=(GresIndex(gpu="GPU-0", index="3", source="prolog"),))
    state = state_after(answer(9, ("allocation", gres)))

    assert state.gres(now=9)[CARD.uuid].index == "3"


@pytest.mark.parametrize(
    ("activity", "expected"), [(1, (1, 5, 15, 30)), (0.2, (0.2, 1, 3, 6)), (5, (5, 5, 15, 30))]
)
def test_periods_shrink_together_and_never_undercut_activity(activity, expected):
    periods = Periods.of(activity)

    assert (
        periods.activity,
        periods.memory,
        periods.proc,
        periods.health,
    ) == pytest.approx(expected)
