"""What the pages say of a state: rows by family."""

import math
from dataclasses import replace

import pytest

from exporter.contract import catalog
from exporter.sampling.snapshot import (
    Absent,
    Activity,
    Attribution,
    CaughtSignal,
    Device,
    Health,
    Measured,
    Memory,
    MemoryUse,
    Round,
    Session,
    Share,
    TenantUse,
    Turn,
)
from exporter.sampling.state import NodeState, Periods
from exporter.serving import exposition
from exporter.serving.exposition import Moment

CARD = Device(uuid="GPU-0", index=0, minor=0, model="H100", generation="g")
MOMENT = Moment(
    now=100.0,
    wall_offset=1000.0,
    version="1.2.3",
    node="gpu01",
    boot="b",
    started=900.0,
    cpu_seconds=1.0,
    resident_bytes=2.0,
)


def activity(at, **signals):
    values = {
        name: value if isinstance(value, Absent) else Measured(value=value, source="gpm")
        for name, value in signals.items()
    }
    return Activity(gpu="GPU-0", at=at, signals=values, links={})


def state_of(*findings, at=100.0, devices=(CARD,)):
    state = NodeState(Periods())
    turns = tuple(
        Turn(collector=f"c{number}", duration=0.1, finding=finding)
        for number, finding in enumerate(findings)
    )
    state.take(Round(at=at, wall=at, driver="nvml", devices=devices, turns=turns))
    return state


def rows(state, family, moment=MOMENT):
    return exposition.metrics(state, moment).get(family.name, [])


def signal(state, name, moment=MOMENT):
    return next(
        labels[2:] for labels, _ in rows(state, catalog.SIGNAL_INFO, moment) if labels[1] == name
    )


def test_every_row_has_the_labels_of_its_family():
    state = state_of(
        (activity(99, sm=0.5),),
        (Health(gpu="GPU-0", at=99, lost=False, temperature=30, xids=((79, 1.0),)),),
        Attribution(shares=(Share(gpu="GPU-0", platform="slurm", allocation="1@2"),)),
    )
    labels = {family.name: len(family.labels) for family in catalog.FAMILIES}
    found = exposition.metrics(state, replace(MOMENT, stuck=("nvmlInit", 3.0)))

    assert {name for name, items in found.items() if len(items[0][0]) != labels[name]} == set()


def test_an_empty_state_says_that_there_is_no_driver():
    state = NodeState(Periods())

    assert rows(state, catalog.DRIVER_UP) == [((), 0)]
    assert rows(state, catalog.BUILD_INFO) == [(("1.2.3", str(catalog.VERSION), "none"), 1)]


def test_a_measured_signal_is_ok():
    assert signal(state_of((activity(99, sm=0.5),)), "sm") == ("gpm", "ok", "")


def test_an_absent_signal_says_why_and_has_no_counter():
    state = state_of((activity(99, sm=Absent(state="unsupported", reason="too old")),))

    assert signal(state, "sm") == ("none", "unsupported", "too old")
    assert rows(state, catalog.SM_ACTIVE) == []


def test_an_upper_bound_is_ok_and_says_so():
    bound = Measured(value=0.5, source="dcgm", note="an upper bound")
    state = state_of((Activity(gpu="GPU-0", at=99, signals={"sm": bound}, links={}),))

    assert signal(state, "sm") == ("dcgm", "ok", "an upper bound")


def test_the_tenants_of_a_shared_device_have_their_seconds():
    state = state_of(*((TenantUse(gpu="GPU-0", at=at, tenants={("slurm", "1@2"): 0.5}),)
                       for at in (98, 99)))  # fmt: skip

    assert rows(state, catalog.ALLOCATION_ENGINE) == [(("GPU-0", "slurm", "1@2"), 0.5)]
    assert signal(state, "tenant") == ("nvml", "ok", "")


def test_a_device_that_is_no_longer_shared_has_no_tenants():
    state = state_of((TenantUse(gpu="GPU-0", at=90, tenants={("slurm", "1@2"): 0.5}),))

    assert rows(state, catalog.ALLOCATION_ENGINE) == []
    assert all(labels[1] != "tenant" for labels, _ in rows(state, catalog.SIGNAL_INFO))


def test_a_signal_not_read_for_three_periods_is_stale():
    state = state_of((activity(96, sm=0.5),), at=96)

    assert signal(state, "sm")[:2] == ("none", "stale")
    assert rows(state, catalog.DRIVER_UP) == [((), 0)]


def test_a_stuck_call_is_the_reason_of_silence():
    moment = replace(MOMENT, stuck=("nvmlDeviceGetPowerUsage gpu 0", 4.2))
    state = state_of((activity(90, sm=0.5),), at=90)

    assert "nvmlDeviceGetPowerUsage gpu 0" in signal(state, "sm", moment)[2]
    assert rows(state, catalog.DRIVER_STUCK, moment) == [(("nvmlDeviceGetPowerUsage gpu 0",), 4.2)]


def test_a_reason_never_holds_an_age():
    old, older = (state_of((activity(at, sm=0.5),), at=at) for at in (90, 50))

    assert signal(old, "sm") == signal(older, "sm")


def test_counters_stay_on_the_page_while_their_signal_is_stale():
    state = state_of((activity(90, sm=0.5),), at=90)

    assert rows(state, catalog.SM_ACTIVE) == [(("GPU-0",), 0.0)]


def test_a_gauge_that_is_too_old_leaves_the_page():
    use = (MemoryUse(gpu="GPU-0", at=80, memory=Memory(used=1, total=2)),)

    assert rows(state_of(use), catalog.MEMORY_USED) == []


def test_the_stamp_of_a_sample_is_the_wall_time_of_the_reading():
    assert rows(state_of((activity(99, sm=0.5),)), catalog.SAMPLE_TIMESTAMP) == [
        (("GPU-0",), 1099.0)
    ]


def test_identity_carries_generation_and_epoch():
    (row,) = rows(state_of(), catalog.INFO)

    assert row == (("GPU-0", "0", "0", "", "", "", "H100", "", "", "", "g.0"), 1)


def test_a_card_that_went_away_is_lost():
    state = state_of((activity(99, sm=0.5),))
    state.take(Round(at=100, wall=100, driver="nvml", devices=(), turns=()))

    assert rows(state, catalog.DEVICE_LOST) == [(("GPU-0",), 1)]
    assert signal(state, "sm")[1] == "lost"


def test_a_collector_that_failed_is_not_a_success():
    state = NodeState(Periods())
    turn = Turn(collector="session", duration=0.25, finding=None, error="KeyError")
    state.take(Round(at=1, wall=1, driver="nvml", devices=(), turns=(turn,)))

    assert rows(state, catalog.COLLECTOR_SUCCESS) == [(("session",), 0)]
    assert rows(state, catalog.COLLECTOR_DURATION) == [(("session",), 0.25)]


def test_caught_signals_are_one_or_zero():
    caught = Attribution(
        caught=tuple(
            CaughtSignal(
                platform="slurm",
                allocation="1@2",
                target="batch",
                signal=name,
                caught=name == "USR1",
            )
            for name in ("USR1", "TERM")
        )
    )

    assert rows(state_of(caught), catalog.CATCHES_SIGNAL) == [
        (("slurm", "1@2", "batch", "USR1"), 1),
        (("slurm", "1@2", "batch", "TERM"), 0),
    ]


@pytest.mark.parametrize(("seen", "shown"), [(1200.0, 1200), (1259.9, 1200), (1260.0, 1260)])
def test_human_activity_is_cut_to_the_minute(seen, shown):
    session = Session(
        platform="slurm", allocation="1@2", kind="shell", uid=1000, last_activity=seen
    )
    found = exposition.people(state_of(Attribution(sessions=(session,))), 100)

    assert found[catalog.SESSION_ACTIVITY.name] == [(("slurm", "1@2", "shell", "1000"), shown)]


def test_what_nothing_can_prove_is_no_number():
    session = Session(platform="slurm", allocation="1@2", kind="vscode", uid=None)
    ((labels, value),) = exposition.people(state_of(Attribution(sessions=(session,))), 100)[
        catalog.SESSION_ACTIVITY.name
    ]

    assert (labels, math.isnan(value)) == (("slurm", "1@2", "vscode", ""), True)


def test_nothing_about_people_is_on_the_first_page():
    session = Session(platform="slurm", allocation="1@2", kind="shell", uid=1000)
    found = exposition.metrics(state_of(Attribution(sessions=(session,))), MOMENT)

    assert {catalog.SESSIONS.name, catalog.SESSION_ACTIVITY.name} & set(found) == set()


def test_what_is_known_of_holders_is_forgotten_when_it_is_old():
    session = Session(platform="slurm", allocation="1@2", kind="shell", uid=1000)
    share = Share(gpu="GPU-0", platform="slurm", allocation="1@2")
    state = state_of(Attribution(shares=(share,), sessions=(session,)))
    young, old = replace(MOMENT, now=145.0), replace(MOMENT, now=145.1)

    assert rows(state, catalog.ALLOCATION_SHARE, young)
    assert exposition.people(state, young.now)
    assert not rows(state, catalog.ALLOCATION_SHARE, old)
    assert not exposition.people(state, old.now)


def test_a_collector_that_fell_silent_is_no_success():
    state = state_of((activity(99, sm=0.5),))

    assert rows(state, catalog.COLLECTOR_SUCCESS, replace(MOMENT, now=200.0)) == [(("c0",), 0)]
