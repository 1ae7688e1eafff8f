"""What the verdict saw, in Russian."""

import pytest

from reaper.domain.reasons_in_russian import outcome, reason


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
