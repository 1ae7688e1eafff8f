"""Phrases in Russian: forms of counted words, and what the verdict saw."""

from zoneinfo import ZoneInfo

import pytest

from reaper.domain.reasons_in_russian import outcome, reason
from reaper.domain.spoken import counted
from reaper.domain.spoken import russian as lasting
from reaper.notifiers.russian.phrases import moment


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "0 часов"),
        (1, "1 час"),
        (2, "2 часа"),
        (4, "4 часа"),
        (5, "5 часов"),
        (11, "11 часов"),
        (12, "12 часов"),
        (14, "14 часов"),
        (21, "21 час"),
        (22, "22 часа"),
        (111, "111 часов"),
        (121, "121 час"),
    ],
)
def test_a_counted_word_has_its_form(number: int, expected: str):
    assert counted(number, "час", "часа", "часов") == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (59, "59 секунд"),
        (60, "1 минуту"),
        (2520, "42 минуты"),
        (2700, "45 минут"),
        (3600, "1 час"),
        (5400, "1 ч 30 мин"),
        (14400, "4 часа"),
        (86400, "24 часа"),
        (2 * 86400, "2 дня"),
        (5 * 86400 + 7200, "5 дней 2 ч"),
    ],
)
def test_a_duration_is_said_as_people_do(seconds: float, expected: str):
    assert lasting(seconds) == expected


def test_an_instant_has_its_weekday_and_its_month_in_the_genitive():
    assert moment(1_796_036_400.0, ZoneInfo("Europe/Berlin")) == "пн 30 ноября, 12:00 CET"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "no work on 8 GPUs for 3 h 05 min by profiling and power; memory or a context held",
            (
                "нет работы на 8 GPU: 3 ч 05 мин (по данным: профилирование, мощность); "
                "занята память или контекст"
            ),
        ),
        (
            (
                "little or no work on GPU for 90 s; no process, no memory held; "
                "its host worked 43% of that time"
            ),
            (
                "почти нет работы на GPU: 90 с; нет процессов, память свободна; "
                "процессор работал 43 % этого времени"
            ),
        ),
        (
            "no request for 42 min, no work by utilisation and context",
            "нет запросов: 42 мин, нет работы (по данным: загрузка, процессы)",
        ),
    ],
)
def test_what_the_verdict_saw_is_said_with_its_numbers(text: str, expected: str):
    assert reason(text) == expected


@pytest.mark.parametrize("text", ["", "a platform's own words", "no work on 2 GPUs for 5 min; ?"])
def test_what_is_not_known_is_shown_as_it_came(text: str):
    assert reason(text) == text


def test_a_platforms_words_stay_in_an_outcome():
    assert outcome("slurm/1: release failed: scontrol: denied") == (
        "slurm/1: освобождение не удалось: scontrol: denied"
    )
    assert outcome("gone at 13:02") == "gone at 13:02"
