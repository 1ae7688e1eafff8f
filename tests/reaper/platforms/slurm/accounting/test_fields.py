"""Single values of sacct's text: what is read by the hour means what the zone's clock says."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from reaper.domain.audit.wall_time import readings
from reaper.platforms.slurm.accounting.fields import FieldError, duration, instants

STEP = timedelta(minutes=7, seconds=29)


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("Europe/Berlin", "2026-10-24"),
        ("Europe/Berlin", "2026-03-28"),
        ("Australia/Lord_Howe", "2026-04-04"),
        ("Australia/Lord_Howe", "2026-10-03"),
        ("America/St_Johns", "2010-11-06"),
        ("America/St_Johns", "2010-03-13"),
        ("Pacific/Apia", "2011-12-29"),
        ("Asia/Kathmandu", "1985-12-31"),
        ("UTC", "2026-02-28"),
    ],
)
def test_a_written_time_means_what_the_clock_of_its_zone_showed(name, day):
    zone, first = ZoneInfo(name), datetime.fromisoformat(day)
    times = [first + STEP * number for number in range(500)]

    found = {at: instants(f"{at:%Y-%m-%dT%H:%M:%S}", zone) for at in times}

    assert found == {at: readings(at, zone) for at in times}


@pytest.mark.parametrize("text", ["2026-02-30T10:00:00", "2026-02-28T24:00:00", "so early:00:00"])
def test_a_time_that_no_clock_shows_is_no_time(text):
    with pytest.raises(FieldError, match="is no time"):
        instants(text, ZoneInfo("UTC"))


@pytest.mark.parametrize(
    ("text", "seconds"), [("7200", 7200.0), (" 7200 ", 7200.0), ("٣", None), ("3.5", 3.5)]
)
def test_a_plain_duration_is_seconds_in_ascii(text, seconds):
    if seconds is None:
        with pytest.raises(FieldError, match="is no duration"):
            duration(text)
    else:
        assert duration(text) == seconds
