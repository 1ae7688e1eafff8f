"""Recorded usage adds up; what was not recorded is unknown."""

import pytest

from reaper.domain.audit.usage import Usage, grouped, total
from tests.books import HOUR


def usage(rate: float | None, *, gpus: int = 1, owner: str = "mira", **given: object) -> Usage:
    return Usage(gpus=gpus, seconds=HOUR, utilisation=rate, owner=owner, **given)


def test_usage_is_gpus_times_seconds_times_utilisation():
    found = total([usage(0.25, gpus=4), usage(0.5)])

    assert (found.held, found.used, found.unused) == (5 * HOUR, 1.5 * HOUR, 3.5 * HOUR)
    assert found.mean == pytest.approx(0.3)


def test_a_record_without_utilisation_is_unknown_and_never_zero():
    found = total([usage(None), usage(0.0)])

    assert (found.unknown, found.zero, found.unused) == (HOUR, HOUR, HOUR)
    assert found.mean == 0


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (0.0, (1, 1, 1, 1)),
        (0.009, (0, 1, 1, 1)),
        (0.01, (0, 0, 1, 1)),
        (0.05, (0, 0, 0, 1)),
        (0.1, (0, 0, 0, 0)),
    ],
)
def test_a_bound_leaves_out_what_reaches_it(rate: float, expected: tuple[int, ...]):
    found = total([usage(rate)])
    below = (found.zero, found.below_1, found.below_5, found.below_10)

    assert tuple(value / HOUR for value in below) == expected


def test_memory_that_is_held_for_nothing_is_told():
    found = total([usage(0.0, memory_held=True), usage(0.0), usage(0.5, memory_held=True)])

    assert found.zero_with_memory == HOUR


def test_groups_add_up_to_the_total():
    records = [usage(0.0), usage(0.3, owner="otto"), usage(None, owner="otto")]
    groups = grouped(records, lambda record: record.owner)

    assert list(groups) == ["mira", "otto"]
    assert groups["mira"] + groups["otto"] == total(records)


def test_nothing_seen_has_no_mean():
    assert total([usage(None)]).mean is None
