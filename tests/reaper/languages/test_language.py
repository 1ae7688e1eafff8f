"""Spans, instants and numbers, as each language says them."""

import re
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.languages.catalogue import catalogue
from reaper.languages.language import language

ENGLISH, RUSSIAN = language("notices", "en"), language("notices", "ru")


@pytest.mark.parametrize(
    ("seconds", "english", "russian"),
    [
        (-3, "0 seconds", "0 секунд"),
        (1, "1 second", "1 секунду"),
        (59, "59 seconds", "59 секунд"),
        (60, "1 minute", "1 минуту"),
        (2520, "42 minutes", "42 минуты"),
        (2700, "45 minutes", "45 минут"),
        (3600, "1 hour", "1 час"),
        (3900, "65 minutes", "65 минут"),
        (5399, "89 minutes", "89 минут"),
        (5400, "1 h 30 min", "1 ч 30 мин"),
        (7200, "2 hours", "2 часа"),
        (11 * 3600, "11 hours", "11 часов"),
        (21 * 3600, "21 hours", "21 час"),
        (22 * 3600, "22 hours", "22 часа"),
        (86400, "24 hours", "24 часа"),
        (2 * 86400, "2 days", "2 дня"),
        (3 * 86400 + 7200, "3 days 2 h", "3 дня 2 ч"),
        (5 * 86400 + 7200, "5 days 2 h", "5 дней 2 ч"),
        (111 * 86400, "111 days", "111 дней"),
        (121 * 86400, "121 days", "121 день"),
    ],
)
def test_a_duration_is_said_as_people_do(seconds, english, russian):
    assert (ENGLISH.span(seconds), RUSSIAN.span(seconds)) == (english, russian)


def test_an_instant_has_its_weekday_and_zone():
    zone = ZoneInfo("Europe/Berlin")

    assert ENGLISH.moment(1_796_036_400.0, zone) == "Mon 30 Nov 12:00 CET"
    assert RUSSIAN.moment(1_796_036_400.0, zone) == "пн 30 ноября, 12:00 CET"


@pytest.mark.parametrize(
    ("at", "expected"),
    [(1792889940.0, "Sun 25 Oct 02:59 CEST"), (1792890000.0, "Sun 25 Oct 02:00 CET")],
)
def test_an_hour_that_happens_twice_is_told_apart(at, expected):
    assert ENGLISH.moment(at, ZoneInfo("Europe/Berlin")) == expected


def test_a_number_has_the_mark_of_its_language():
    assert (ENGLISH.number(1234.5, ".2f"), RUSSIAN.number(1234.5, ".2f")) == ("1234.50", "1234,50")


SECONDS = st.floats(0, 4e6, allow_nan=False)

#: Forms of a Russian noun by what a number ends on, as a grammar lists them.
ONE, FEW = re.compile(r"(?<!1)1$"), re.compile(r"(?<!1)[234]$")

RUSSIAN_FORMS = {
    ONE: {"секунду", "минуту", "час", "день"},
    FEW: {"секунды", "минуты", "часа", "дня"},
}
MANY = {"секунд", "минут", "часов", "дней"}
UNITS = {
    "second": 1, "minute": 60, "min": 60, "hour": 3600, "h": 3600, "day": 86400,
    "сек": 1, "мин": 60, "час": 3600, "ч": 3600, "д": 86400,
}  # fmt: skip


def pairs(said: str) -> list[tuple[str, str]]:
    """Return the numbers of a duration with their words; nothing else stands in it."""
    found = re.findall(r"(\d+) ([a-zа-я]+)", said)
    assert " ".join(f"{number} {word}" for number, word in found) == said
    return found


def length(said: str) -> int:
    """Return the seconds that a duration says."""
    return sum(
        int(number) * max((len(u), size) for u, size in UNITS.items() if word.startswith(u))[1]
        for number, word in pairs(said)
    )


@given(SECONDS)
def test_english_has_an_s_exactly_where_a_number_is_not_one(seconds: float) -> None:
    for number, word in pairs(ENGLISH.span(seconds)):
        if word not in ("h", "min"):
            assert word.endswith("s") == (number != "1"), f"{number} {word}"


@given(SECONDS)
def test_russian_has_the_form_that_its_number_asks_for(seconds: float) -> None:
    for number, word in pairs(RUSSIAN.span(seconds)):
        if word not in ("ч", "мин"):
            wanted = next((w for ends, w in RUSSIAN_FORMS.items() if ends.search(number)), MANY)
            assert word in wanted, f"{number} {word}"


@given(SECONDS)
def test_both_languages_say_the_same_length_and_never_more_than_is_so(seconds: float) -> None:
    assert length(ENGLISH.span(seconds)) == length(RUSSIAN.span(seconds))
    smallest = 1 if seconds < 60 else 60 if seconds < 172800 else 3600
    assert seconds - smallest < length(ENGLISH.span(seconds)) <= seconds


@pytest.mark.parametrize(("theme", "message"), [("notices", "each-answers"), ("pages", "so_far")])
def test_a_message_without_values_is_said_by_its_name(theme, message):
    one = language(theme, "en")

    assert one.text(message) == catalogue(theme, "en").text(message) == one.plain[message]
    assert one.text(message) != message


def test_a_message_that_is_missing_is_shown_by_its_name():
    assert ENGLISH.text("never-written") == "never-written"
