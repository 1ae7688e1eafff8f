"""Every device-second is given out once."""

from dataclasses import replace

import pytest

from reaper.domain.money.entries import Tenure
from reaper.domain.money.findings import Finding
from reaper.domain.money.holding import Holding, holdings
from tests.books import HOUR, TEN, run_of, tenure_of


def held(*tenures: Tenure, as_of: float = TEN + 24 * HOUR) -> list[Holding]:
    return list(holdings(tenures, as_of=as_of)[0])


def spans(found: list[Holding]) -> list[tuple[float, float]]:
    return [((one.begin - TEN) / HOUR, (one.end - TEN) / HOUR) for one in found]


def total(found: list[Holding]) -> float:
    parts = [part for one in found for part in one.parts]
    return sum((part.end - part.begin) * part.weight for part in parts) / HOUR


def tenure(begin: float, end: float | None, job: str = "1", **fields: object) -> Tenure:
    until = None if end is None else TEN + end * HOUR
    return tenure_of(job, "GPU-0", TEN + begin * HOUR, until, **fields)


def test_an_open_tenure_lasts_until_now():
    found = held(tenure(0, None), as_of=TEN + 3 * HOUR)

    assert spans(found) == [(0, 3)]
    assert found[0].tenure.end is None


def test_a_tenure_that_begins_later_is_not_known_yet():
    assert held(tenure(5, None), as_of=TEN + 3 * HOUR) == []


def test_a_record_written_twice_counts_once():
    assert spans(held(tenure(0, 2), tenure(0, 2))) == [(0, 2)]


def test_a_later_record_of_the_same_hold_ends_the_open_one():
    assert spans(held(tenure(0, None), tenure(0, 2))) == [(0, 2)]


def test_overlapping_records_of_one_run_are_one_hold():
    run = run_of("1", started=TEN)

    assert spans(held(tenure(0, 3, run=run), tenure(2, 5, run=run))) == [(0, 5)]


def test_doubt_in_one_record_is_not_lost_in_another():
    run = run_of("1", started=TEN)
    found = held(tenure(0, 2, run=run, doubt="no index"), tenure(2, 5, run=run))

    assert sorted((one.begin, bool(one.blind)) for one in found) == [
        (TEN, True),
        (TEN + 2 * HOUR, False),
    ]


def test_a_newer_record_stands_where_it_overlaps_one_that_says_otherwise():
    run = run_of("1", started=TEN)
    found, findings = holdings(
        [tenure(0, 4, run=run, doubt="no index"), tenure(2, 5, run=run)], as_of=TEN + 24 * HOUR
    )

    assert findings == ()
    assert sorted(spans(list(found))) == [(0, 2), (2, 5)]


def test_a_requeued_run_is_counted_once():
    first = tenure(0, None, run=run_of("1", started=TEN))
    second = replace(tenure(2, 5, run=run_of("1", started=TEN + 2 * HOUR, restarts=1)), gpu="GPU-1")

    assert spans(held(first, second)) == [(0, 2), (2, 5)]


def test_two_jobs_on_one_device_are_capped_at_one_device():
    found = held(tenure(0, 4), tenure(1, 2, job="2"))

    assert total(found) == pytest.approx(4)
    assert [(one.blind) for one in found] == [
        ((TEN + HOUR, TEN + 2 * HOUR),),
        ((TEN + HOUR, TEN + 2 * HOUR),),
    ]


def test_a_device_claimed_twice_is_a_finding():
    _, findings = holdings([tenure(0, 4), tenure(1, 2, job="2")], as_of=TEN + 24 * HOUR)

    assert findings == (
        Finding(
            kind="overlap",
            subject="GPU-0",
            seconds=HOUR,
            text="claimed by slurm/1, slurm/2 together: counted once, as unknown",
        ),
    )


def test_shares_that_fit_on_a_device_are_no_contradiction():
    found, findings = holdings(
        [tenure(0, 4, share=0.5), tenure(1, 2, job="2", share=0.5)], as_of=TEN + 24 * HOUR
    )

    assert findings == ()
    assert total(list(found)) == pytest.approx(2.5)


def test_two_exclusive_holders_of_a_mig_instance_get_one_instance():
    cut = {"share": 3 / 7, "size": 3 / 7}

    assert total(held(tenure(0, 4, **cut), tenure(0, 4, job="2", **cut))) == pytest.approx(12 / 7)


def test_devices_without_a_name_stand_alone():
    found, findings = holdings(
        [
            replace(tenure(0, 4, doubt="no index"), gpu=""),
            replace(tenure(0, 4, job="2", doubt="no index"), gpu=""),
        ],
        as_of=TEN + 24 * HOUR,
    )

    assert findings == ()
    assert total(list(found)) == 8


def test_the_order_of_records_does_not_matter():
    records = [tenure(0, None), tenure(0, 3), tenure(1, 2, job="2"), tenure(2.5, 4, job="3")]

    assert held(*records) == held(*reversed(records))


@pytest.mark.parametrize("times", [1, 2])
def test_a_run_that_held_nothing_still_ends_the_one_before(times: int):
    before = tenure(0, None, run=run_of("1", started=TEN))
    nothing = tenure(2, 2, run=run_of("1", started=TEN + 2 * HOUR, restarts=1))

    assert spans(held(*[before, nothing] * times)) == [(0, 2)]
