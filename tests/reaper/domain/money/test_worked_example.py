"""The worked example of the design, all its figures."""

from decimal import ROUND_HALF_UP, Decimal

import pytest

from reaper.domain.money.account import account
from reaper.domain.money.figures import ALLOCATED, FREE, Figures
from tests.books import HOUR, MIDNIGHT, TEN, worked_example, worked_terms

SIXTY = 60 * 60.0
FIVE_HOURS = 5 * HOUR
MONTH = 30 * 24 * HOUR


def this_week(wait: float) -> Figures:
    return account(worked_example(), begin=TEN, end=MIDNIGHT, terms=worked_terms(wait)).total


def the_job(wait: float) -> Figures:
    found = account(worked_example(), begin=TEN, end=MIDNIGHT, terms=worked_terms(wait))
    return found.by("owner")["mira",]


def hours(seconds: float) -> float:
    return round(seconds / HOUR, 3)


def euros(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


def test_the_calendar_is_allocated_plus_others_plus_unallocated():
    total, job = this_week(SIXTY), the_job(SIXTY)

    assert hours(total.calendar) == 112
    assert hours(job.allocated) == 80
    assert hours(total.allocated - job.allocated) == 12
    assert hours(total.unallocated) == 20
    assert total.states == pytest.approx(total.calendar)


def test_the_job_is_startup_active_unknown_and_idle():
    job = the_job(SIXTY)

    assert [hours(job.startup), hours(job.active), hours(job.unknown), hours(job.idle)] == [
        2.667,
        11.0,
        4.0,
        62.333,
    ]
    assert hours(job.allocated) == hours(sum(job.of(ALLOCATED)))
    assert sum(job.of(FREE)) == 0


def test_at_sixty_minutes_all_that_is_idle_is_wasted():
    job = the_job(SIXTY)

    assert hours(job.wasted) == 62.333
    assert hours(job.pause) == 0
    assert euros(job.costs.wasted.of("EUR")) == Decimal("155.83")
    assert euros(job.costs.high.of("EUR")) == Decimal("165.83")


def test_at_five_hours_the_gap_breaks_every_stretch():
    job = the_job(FIVE_HOURS)

    assert job.wasted == 0
    assert hours(job.pause) == 62.333
    assert job.costs.wasted.of("EUR") == 0
    assert euros(job.costs.high.of("EUR")) == Decimal("165.83")


def test_coverage_is_what_was_seen():
    assert the_job(SIXTY).coverage == pytest.approx(0.95)


def test_reclaimed_is_booked_in_the_week_in_which_it_falls():
    after = account(
        worked_example(), begin=MIDNIGHT, end=MIDNIGHT + 7 * 24 * HOUR, terms=worked_terms(SIXTY)
    )

    assert hours(this_week(SIXTY).reclaimed) == 32
    assert hours(after.total.reclaimed) == 80


def test_reused_is_the_work_of_others_on_the_released_devices():
    assert hours(this_week(SIXTY).reused) == 12
    assert euros(this_week(SIXTY).costs.reused.of("EUR")) == Decimal("30.00")


def test_owned_nodes_give_no_cash():
    assert this_week(SIXTY).cash == 0
    assert this_week(SIXTY).costs.cash.of("EUR") == 0
