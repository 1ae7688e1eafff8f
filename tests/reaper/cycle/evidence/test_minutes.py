"""Every minute is closed by its own last reading, however many come at once."""

from dataclasses import replace

import pytest

from reaper.cycle.evidence.minutes import Closed, close
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.tenant import Tenant, own_name
from reaper.domain.facts.thresholds import DEFAULT
from tests.builders import MINUTE, START, device, reading

GPU = device().gpu


def at(minute: float, busy: float, epoch: str = "one") -> Reading:
    return replace(reading(START + minute * MINUTE, busy=busy), epoch=epoch)


def closed(
    last: Reading | None,
    *found: Reading,
    contested: bool = False,
    jumped: int | None = None,
) -> Closed:
    known = {GPU: DeviceRecord(device=device(), reading=last)} if last else {}
    return close(
        known,
        {GPU: device()},
        {GPU: found},
        pace=NORMAL,
        thresholds=DEFAULT,
        contested=frozenset([GPU]) if contested else frozenset(),
        jumped=jumped,
    )


def letters(found: Closed) -> str:
    return found.letters[GPU].letters if GPU in found.letters else ""


def test_readings_of_several_minutes_are_a_letter_each():
    found = closed(at(1, 0.0), at(2, 50.0), at(3, 50.0), at(4, 90.0))

    assert letters(found) == "AHA"
    assert found.letters[GPU].start == NORMAL.minute(START + MINUTE) + 1


def test_of_one_minute_the_last_reading_counts():
    found = closed(at(1, 0.0), at(1.5, 0.0), at(2, 30.0))

    assert letters(found) == "A"
    assert found.records[GPU].reading == at(2, 30.0)


def test_a_minute_without_a_reading_shares_the_letter_of_the_next():
    assert letters(closed(at(1, 0.0), at(3, 100.0))) == "AA"


@pytest.mark.parametrize(
    ("looked", "expected"),
    [
        pytest.param(0, "L" * 30, id="a clock leapt over even minutes"),
        pytest.param(10, "?" * 28 + "AA", id="a silence that was there when it looked ends"),
    ],
)
def test_a_leaping_clock_takes_no_silence_for_its_own_leap(looked: int, expected: str):
    last = at(1, 0.0)

    found = closed(last, at(31, 60.0), jumped=NORMAL.minute(last.at) + looked)

    assert letters(found) == expected


def test_the_first_reading_of_all_closes_nothing_and_the_next_does():
    assert letters(closed(None, at(1, 0.0), at(2, 0.0))) == "H"


def test_counters_that_begin_anew_make_one_minute_unseen():
    assert letters(closed(at(1, 0.0), at(2, 0.0, "two"), at(3, 0.0, "two"))) == "?H"


def test_counters_that_begin_anew_at_the_end_of_a_closed_minute_cost_none():
    found = closed(at(2, 0.0), at(2, 0.0, "two"), at(3, 0.0, "two"))

    assert letters(found) == "H"
    assert found.records[GPU].reading == at(3, 0.0, "two")


@pytest.mark.parametrize("epoch", ["one", "two"])
def test_what_was_said_before_the_last_reading_changes_nothing(epoch: str):
    assert closed(at(3, 0.0), at(2, 0.0, epoch)).records == {}


def test_a_device_that_several_report_is_contradicted_minute_by_minute():
    assert letters(closed(at(1, 0.0), at(2, 50.0), at(3, 50.0), contested=True)) == "!!"


def test_evidence_is_of_the_stretch_that_goes_on():
    found = closed(at(1, 0.0), at(2, 50.0), at(3, 50.0), at(4, 50.0))

    assert found.records[GPU].evidence.seconds == 2 * MINUTE


# ------------------------------------------------------------------ several tenants

OWN = own_name(GPU, "101")


def shared(minute: float, busy: float, mine: float) -> Reading:
    plain = at(minute, busy)
    seen = {**plain.observed, "tenant": minute * MINUTE}
    tenants = {"slurm/101@0": mine, "slurm/102@0": busy - mine}
    return replace(plain, observed=seen, tenants=tenants)


def parted(*found: Reading, known: str = "", exclusive: bool = False) -> Closed:
    last = shared(1, 0.0, 0.0)
    tenant = Tenant(run_key="101", key="slurm/101@0", exclusive=exclusive)
    idle = Evidence(seconds=600.0) if known else Evidence()
    record = DeviceRecord(device=device(), reading=last, stretch=known, evidence=idle)
    return close(
        {GPU: record},
        {GPU: device()},
        {GPU: found},
        pace=NORMAL,
        thresholds=DEFAULT,
        tenants={GPU: (tenant,)},
    )


def test_a_tenant_has_letters_and_a_record_beside_the_devices():
    found = parted(shared(2, 50.0, 0.0), shared(3, 100.0, 20.0), shared(4, 100.0, 20.0))

    assert letters(found) == "AAH"
    assert found.letters[OWN].letters == "HAH"
    assert found.records[OWN].device.gpu == OWN
    assert found.records[OWN].stretch == "i"


@pytest.mark.parametrize(("exclusive", "seconds"), [(True, 660.0), (False, 60.0)])
def test_an_exclusive_holders_stretch_goes_on_when_somebody_joins(exclusive: bool, seconds: float):
    found = parted(shared(2, 50.0, 0.0), known="i", exclusive=exclusive)

    assert found.records[OWN].evidence.seconds == seconds


def test_a_reset_is_unseen_for_the_tenant_too():
    found = parted(replace(shared(2, 0.0, 0.0), epoch="two"))

    assert found.letters[OWN].letters == "?"
