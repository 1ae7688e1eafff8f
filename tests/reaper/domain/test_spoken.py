"""Numbers with their words and durations, as English and Russian say them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reaper.web.languages.russian import RUSSIAN

from reaper.domain.spoken import count, english, form, russian
from tests.project import ROOT, name_of, python_files

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
    for number, word in pairs(english(seconds)):
        if word not in ("h", "min"):
            assert word.endswith("s") == (number != "1"), f"{number} {word}"


@given(SECONDS)
def test_russian_has_the_form_that_its_number_asks_for(seconds: float) -> None:
    for number, word in pairs(russian(seconds)):
        if word not in ("ч", "мин"):
            wanted = next((w for ends, w in RUSSIAN_FORMS.items() if ends.search(number)), MANY)
            assert word in wanted, f"{number} {word}"


@given(SECONDS)
def test_both_languages_say_the_same_length_and_never_more_than_is_so(seconds: float) -> None:
    assert length(english(seconds)) == length(russian(seconds))
    smallest = 1 if seconds < 60 else 60 if seconds < 172800 else 3600
    assert seconds - smallest < length(english(seconds)) <= seconds


@given(SECONDS)
def test_pages_say_it_as_messages_do(seconds: float) -> None:
    assert RUSSIAN.duration(seconds) == russian(seconds)


@pytest.mark.parametrize(
    ("seconds", "said", "said_ru"),
    [
        (0, "0 seconds", "0 секунд"),
        (1, "1 second", "1 секунду"),
        (21.9, "21 seconds", "21 секунду"),
        (60, "1 minute", "1 минуту"),
        (11 * 60, "11 minutes", "11 минут"),
        (3600, "1 hour", "1 час"),
        (7200, "2 hours", "2 часа"),
        (86400, "24 hours", "24 часа"),
        (5700, "1 h 35 min", "1 ч 35 мин"),
        (2 * 86400 + 3600, "2 days 1 h", "2 дня 1 ч"),
    ],
)
def test_it_is_said_as_people_say_it(seconds: float, said: str, said_ru: str) -> None:
    assert (english(seconds), russian(seconds)) == (said, said_ru)


@given(st.integers(0, 10**6))
def test_one_thing_is_one_thing(number: int) -> None:
    assert count(number, "GPU") == f"{number} GPU{'' if number == 1 else 's'}"
    assert count(number, "is", "are") == f"{number} {'is' if number == 1 else 'are'}"
    assert form(number, "узел", "узла", "узлов") == form(number + 1000, "узел", "узла", "узлов")


@pytest.mark.parametrize(
    "path", [*python_files("reaper"), *sorted((ROOT / "reaper").rglob("*.html"))], ids=name_of
)
def test_no_text_puts_a_word_into_its_plural_by_itself(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert path.name == "spoken.py" or not re.search(
        r"""(''|"") if [^\n]* == 1 else ['"]s['"]""", text
    )
