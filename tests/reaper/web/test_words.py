from zoneinfo import ZoneInfo

import pytest

from reaper.web import words
from tests.builders_picture import HOUR, MINUTE, NOW

DAY = 24 * HOUR


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 s"),
        (59.4, "59 s"),
        (60, "1 min"),
        (3599, "59 min"),
        (2 * HOUR, "2 h"),
        (3 * HOUR + 12 * MINUTE + 5, "3 h 12 min"),
        (47 * HOUR, "47 h"),
        (50 * HOUR, "2 d 2 h"),
        (-5, "0 s"),
    ],
)
def test_a_duration_has_its_two_largest_units(seconds, said):
    assert words.duration(seconds) == said


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (NOW - 2 * HOUR, "12:32"),
        (NOW - DAY, "Mon 14:32"),
        (NOW + 2 * DAY, "Thu 14:32"),
        (NOW - 8 * DAY, "2026-03-02 14:32"),
    ],
)
def test_an_instant_names_its_day_where_it_is_not_today(at, said):
    assert words.instant(at, NOW) == said


def test_an_instant_is_told_by_the_clock_on_that_wall():
    assert words.second(NOW, ZoneInfo("Europe/Berlin")) == "15:32:00 CET"


def test_a_moment_of_another_day_names_it():
    assert words.moment(NOW, NOW + HOUR) == "14:32:00 UTC"
    assert words.moment(NOW, NOW + DAY) == "2026-03-10 14:32:00 UTC"


def test_what_is_reached_happens_now():
    assert words.countdown(NOW, NOW) == "now"
    assert words.countdown(NOW + 90, NOW) == "in 1 min"


def test_an_answer_that_never_came_was_never():
    assert words.ago(None, NOW) == "never"


def test_what_is_ahead_of_the_clock_is_not_just_now():
    assert words.ago(NOW + 300, NOW) == "5 min ahead of the clock"


def test_no_price_is_no_zero():
    assert words.money(None, "EUR") == "–"
    assert words.money(0.0, "EUR") == "0.00 EUR"
    assert words.money(1234.5, "") == "1,234.50"


@pytest.mark.parametrize(
    ("ratio", "said"), [(1.0, "100 %"), (0.9999, "99.9 %"), (0.935, "94 %"), (0.0, "0 %")]
)
def test_all_is_said_only_of_all(ratio, said):
    assert words.share(ratio) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("jupyter", "jupyter"),
        ("a\nb\tc", "a b c"),
        ("\x1b[31mred", "\ufffd[31mred"),
        ("half \udcff", "half \ufffd"),
        ("\u202egnp.exe", "\ufffdgnp.exe"),
        ("größe 漢字", "größe 漢字"),
    ],
)
def test_a_foreign_text_fits_one_harmless_line(text, said):
    assert words.plain(text) == said


def test_many_nodes_are_the_first_two_and_a_number():
    assert words.nodes(("a", "b", "c", "d")) == "a, b and 2 more"
    assert words.nodes(("a", "b")) == "a, b"


def test_a_model_is_told_without_its_vendor():
    assert words.gpus(8, "NVIDIA H100 80GB HBM3") == "8 × H100 80GB HBM3"
    assert words.gpus(1, "") == "1 × GPU"
