"""Local times in the hour that a clock repeats: the reading that the record itself supports."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.audit.wall_time import Written, readings, repeated, settled

NEW_YORK = ZoneInfo("America/New_York")
#: 2025-11-02 01:00 in New York, for the first time; an hour later it is 01:00 again.
FIRST = 1762059600.0
HOUR = 3600.0


def at(clock: str) -> tuple[float, ...]:
    return readings(datetime.fromisoformat(f"2025-11-02T{clock}"), NEW_YORK)


@pytest.mark.parametrize(
    ("clock", "found"),
    [
        ("00:30:00", (FIRST - 1800,)),
        ("01:00:00", (FIRST, FIRST + HOUR)),
        ("01:59:59", (FIRST + 3599, FIRST + HOUR + 3599)),
        ("02:00:00", (FIRST + 2 * HOUR,)),
        ("01:30:00-04:00", (FIRST + 1800,)),
        ("01:30:00-05:00", (FIRST + 1800 + HOUR,)),
    ],
)
def test_only_an_hour_that_repeats_has_two_readings(clock, found):
    assert at(clock) == found


def test_an_hour_that_is_left_out_has_one():
    assert len(readings(datetime(2025, 3, 9, 2, 30), NEW_YORK)) == 1  # noqa: DTZ001


def test_what_ends_before_it_begins_ended_after_the_change():
    found = settled(Written(began=at("01:50:00"), ended=at("01:10:00")))

    assert (found.began, found.ended) == (FIRST + 50 * 60, FIRST + HOUR + 10 * 60)
    assert not found.open


def test_a_duration_tells_in_which_pass_it_began():
    found = settled(Written(began=at("01:30:00"), ended=at("02:00:00"), elapsed=1800))

    assert (found.began, found.open) == (FIRST + HOUR + 1800, False)


def test_a_suspension_counts_to_the_duration():
    found = settled(
        Written(began=at("01:30:00"), ended=at("02:00:00"), elapsed=1800, suspended=HOUR)
    )

    assert found.began in {FIRST + 1800, FIRST + HOUR + 1800}
    assert found.open


def test_what_was_submitted_later_began_in_the_second_pass():
    found = settled(
        Written(submitted=(FIRST + 50 * 60,), began=at("01:20:00"), ended=at("03:00:00"))
    )

    assert (found.began, found.open) == (FIRST + HOUR + 20 * 60, False)


def test_where_all_fit_the_first_is_taken_and_it_is_said():
    found = settled(Written(began=at("01:10:00"), ended=at("01:50:00")))

    assert (found.began, found.ended, found.open) == (FIRST + 600, FIRST + 3000, True)
    assert repeated([3, 8]).endswith("the first is taken (lines 3, 8)")


@given(
    st.integers(-5 * 3600, 5 * 3600),
    st.integers(0, 4 * 3600),
    st.integers(0, 4 * 3600),
    st.integers(0, 4 * 3600),
)
def test_a_record_with_its_duration_is_read_back_as_it_was(begin, lasted, queued, held):
    """What is open has the right length all the same; what is not is the truth."""
    began = FIRST + begin
    truth = (began - held - queued, began - held, began, began + lasted)
    shown = [
        readings(
            datetime.fromtimestamp(one, UTC).astimezone(NEW_YORK).replace(tzinfo=None), NEW_YORK
        )
        for one in truth
    ]
    found = settled(
        Written(
            submitted=shown[0], eligible=shown[1], began=shown[2], ended=shown[3], elapsed=lasted
        )
    )

    assert found.ended - found.began == pytest.approx(lasted, abs=2)
    assert found.open or (found.submitted, found.eligible, found.began, found.ended) == truth
