"""Readings become counters: what adds, what does not, and what begins anew."""

import pytest

from exporter.sampling.snapshot import (
    Absent,
    Activity,
    Flow,
    Health,
    Measured,
    Memory,
    MemoryUse,
    PowerUse,
    TenantUse,
)
from exporter.sampling.tally import Tally

LOST = Absent(state="lost", reason="gone")


def reading(at, sm, *, source="gpm", clamped=(), **others):
    value = sm if isinstance(sm, Absent) else Measured(value=sm, source=source)
    signals = {"sm": value} | {
        name: Measured(value=other, source="nvml") for name, other in others.items()
    }
    return Activity(gpu="GPU-0", at=at, signals=signals, links={}, clamped=clamped)


def tally_of(*readings, period=1.0):
    tally = Tally()
    for item in readings:
        tally.add_activity(item, period)
    return tally


def power(at, watts, energy=None, throttled=()):
    return PowerUse(gpu="GPU-0", at=at, power=watts, energy=energy, throttled=throttled)


def test_the_first_reading_adds_nothing():
    assert tally_of(reading(10, 1.0)).observed == {"sm": 0.0}


def test_a_reading_counts_for_the_time_since_the_one_before():
    tally = tally_of(reading(10, 0.0), reading(11, 0.5), reading(13, 1.0))

    assert tally.observed["sm"] == pytest.approx(3)
    assert tally.active["sm"] == pytest.approx(2.5)


def test_an_interval_of_three_periods_counts():
    assert tally_of(reading(10, 0.5), reading(13, 0.5)).observed["sm"] == pytest.approx(3)


def test_an_interval_over_three_periods_adds_to_no_counter():
    tally = tally_of(reading(10, 1.0, engine=1), reading(13.1, 1.0, engine=1))

    assert (tally.observed, tally.active, tally.above) == (
        {"sm": 0, "engine": 0},
        {"sm": 0, "engine": 0},
        [0, 0, 0, 0],
    )


def test_an_absent_signal_breaks_its_interval():
    tally = tally_of(reading(10, 1.0), reading(11, LOST), reading(12, 1.0), reading(13, 1.0))

    assert tally.observed["sm"] == pytest.approx(1)


def test_an_absent_signal_is_not_counted_as_zero():
    assert tally_of(reading(10, LOST), reading(11, LOST)).observed == {}


def test_one_absent_signal_leaves_the_others_counting():
    tally = tally_of(reading(10, LOST, engine=1), reading(11, LOST, engine=1))

    assert tally.active == {"engine": pytest.approx(1)}


def test_seconds_above_an_edge_follow_the_busiest_signal():
    tally = tally_of(reading(10, 0, dram=0), reading(11, 0.01, dram=0.1), reading(12, 0.006))

    assert tally.above == [pytest.approx(2), pytest.approx(1), pytest.approx(1), 0]


def test_utilisation_without_work_is_above_no_edge():
    tally = tally_of(reading(10, 0.0, engine=1), reading(11, 0.0, engine=1))

    assert (tally.above, tally.active["engine"]) == ([0, 0, 0, 0], pytest.approx(1))


def test_utilisation_alone_still_advances_the_counters():
    assert tally_of(reading(10, LOST, engine=1), reading(11, LOST, engine=1)).advanced == 11


def test_a_value_on_the_edge_is_not_above_it():
    assert tally_of(reading(10, 0.2), reading(11, 0.2)).above[3] == 0


def test_the_stamp_is_the_last_reading_that_measured_anything():
    assert tally_of(reading(10, 0.5), reading(11, LOST)).advanced == 10


def test_bytes_are_rate_times_time():
    tally = Tally()
    for at in (10, 12):
        flow = Flow(sent=100, received=10, source="gpm")
        tally.add_activity(Activity(gpu="g", at=at, signals={}, links={"pcie": flow}), 1)

    assert tally.links["pcie"] == (pytest.approx(200), pytest.approx(20))


def test_another_source_contradicts_the_counters():
    assert tally_of(reading(10, 1.0)).contradicts(reading(11, 1.0, source="nvml"))


def test_a_signal_that_was_absent_comes_back_without_contradiction():
    assert not tally_of(reading(10, 1.0), reading(11, LOST)).contradicts(reading(12, 1.0))


def test_energy_follows_the_board_meter():
    tally = Tally()
    for at, joules in ((10, 1000), (15, 2500), (20, 2600)):
        tally.add_power(power(at, 300.0, joules), 5)

    assert tally.energy == pytest.approx(1600)


def test_energy_is_power_times_time_without_a_meter():
    tally = Tally()
    for at in (10, 15):
        tally.add_power(power(at, 300.0), 5)

    assert tally.energy == pytest.approx(1500)


def test_energy_over_a_gap_is_not_added():
    tally = Tally()
    for at, joules in ((10, 1000), (60, 9000)):
        tally.add_power(power(at, 300.0, joules), 5)

    assert tally.energy == 0


def test_a_meter_that_fell_was_rewound():
    tally = Tally()
    tally.add_power(power(10, 300.0, 1000), 5)

    assert tally.rewound(power(15, 300.0, 10))


def test_throttled_seconds_are_kept_by_reason():
    tally = Tally()
    tally.add_power(power(10, 300.0), 5)
    tally.add_power(power(15, 300.0, throttled=("thermal", "power_cap")), 5)

    assert tally.throttled == {"thermal": 5, "power_cap": 5}


def test_memory_that_was_read_is_observed():
    tally = Tally()
    for at in (10, 15):
        tally.add_memory(MemoryUse(gpu="g", at=at, memory=Memory(used=1, total=2)), 5)

    assert tally.observed == {"memory": 5}


def test_cut_values_are_counted_by_signal():
    tally = tally_of(reading(10, 1.0, clamped=("sm",)), reading(11, 1.0, clamped=("sm", "dram")))

    assert tally.clamped == {"sm": 2, "dram": 1}


def test_xids_are_counted_with_the_time_of_the_last():
    tally = Tally()
    tally.add_health(Health(gpu="g", at=1, lost=False, xids=((79, 100.0), (31, 101.0))))
    tally.add_health(Health(gpu="g", at=2, lost=False, xids=((79, 130.0),)))

    assert tally.xids == {79: (2, 130.0), 31: (1, 101.0)}


def ecc(tally, *counts):
    for number, errors in enumerate(counts):
        tally.add_ecc(Health(gpu="g", at=number, lost=False, ecc={"corrected": errors}))
    return tally.ecc


def test_ecc_errors_are_what_the_driver_counts():
    assert ecc(Tally(), 2, 2, 5) == {"corrected": 5}


def test_ecc_errors_never_fall_though_the_driver_begins_anew():
    assert ecc(Tally(), 2, 5, 1) == {"corrected": 6}


def test_a_successor_keeps_when_an_xid_was_seen_and_no_count():
    tally = tally_of(reading(10, 1.0), reading(11, 1.0))
    tally.add_xid(79, 100.0)

    assert tally.successor() == Tally(xids={79: (0, 100.0)})


def shared(at, **tenants):
    return TenantUse(gpu="g", at=at, tenants={("slurm", key): use for key, use in tenants.items()})


def test_tenants_are_integrated_apart():
    tally = Tally()
    for item in (shared(10, a=1.0, b=0.0), shared(11, a=0.5, b=0.25)):
        tally.add_tenants(item, 1)

    assert tally.tenants == {("slurm", "a"): 0.5, ("slurm", "b"): 0.25}
    assert tally.observed == {"tenant": 1}


def test_what_is_not_known_of_tenants_is_not_observed():
    tally = Tally()
    for item in (shared(10, a=1.0), TenantUse(gpu="g", at=11, tenants=LOST), shared(12, a=1.0)):
        tally.add_tenants(item, 1)

    assert (tally.observed, tally.tenants) == ({"tenant": 0}, {("slurm", "a"): 0})


def test_a_tenant_that_comes_back_goes_on_from_what_it_had_used():
    tally = Tally()
    used = []
    for item in (
        shared(10, a=1.0, b=1.0),
        shared(11, a=1.0, b=1.0),
        shared(12, b=1.0),
        shared(13, a=0.0, b=1.0),
    ):
        tally.add_tenants(item, 1)
        used.append(tally.tenants.get(("slurm", "a")))

    assert used == [0.0, 1.0, None, 1.0]


def test_only_so_many_tenants_that_left_are_remembered():
    tally = Tally()
    for number in range(200):
        tally.add_tenants(shared(10 + number, **{f"job{number}": 1.0}), 1)

    assert len(tally.tenants) == 1
    assert len(tally.left) < 100


def test_a_tenant_that_left_is_not_told_of():
    tally = Tally()
    for item in (shared(10, a=1.0, b=1.0), shared(11, a=1.0)):
        tally.add_tenants(item, 1)

    assert set(tally.tenants) == {("slurm", "a")}
