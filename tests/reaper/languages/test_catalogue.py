"""The catalogue says reasons in every language, and loses nothing that it cannot say."""

from typing import get_args

import pytest

from reaper.domain.reason import Reason, because, quoted
from reaper.languages.catalogue import CODES, Theme, catalogue, prepare, said


@pytest.mark.parametrize(
    ("code", "sentence"),
    [("en", "idle for 45 minutes only"), ("ru", "простой пока только 45 минут")],
)
def test_a_reason_is_said_in_each_language(code, sentence):
    assert said(because("idle-only", seconds=2700), code) == sentence


def test_a_language_that_is_not_known_reads_english():
    assert said(because("idle-only", seconds=2700), "xx") == "idle for 45 minutes only"


@pytest.mark.parametrize("code", CODES)
def test_words_that_are_not_ours_stay_as_they_are(code):
    assert said(quoted("held by { $name } of slurm"), code) == "held by { $name } of slurm"


def test_reasons_beside_each_other_are_all_said():
    reasons = because("idle-only", seconds=60), quoted("drained by its admin")

    assert catalogue("reasons", "en").say(*reasons) == (
        "idle for 1 minute only; drained by its admin"
    )


def test_a_message_that_is_missing_is_shown_by_its_name_and_values():
    assert said(because("never-written", devices=1200)) == "never-written (devices=1200)"


def test_a_value_that_is_missing_is_not_hidden():
    assert said(Reason("idle-only")) == "idle-only"


@pytest.mark.parametrize("code", CODES)
def test_all_is_read_before_the_first_reader_comes(code):
    prepare()

    assert all("_bundle" in vars(catalogue(theme, code)) for theme in get_args(Theme))


def test_a_fraction_is_written_as_the_language_does():
    notices = [catalogue("notices", code) for code in CODES]

    assert [one.text("advice-line-hours", finding="f", spare=1.5, hours=36) for one in notices] == [
        "f. 1.5 × 24 h = 36 GPU-hours a day",
        "f. 1,5 × 24 ч = 36 GPU-часа в день",
    ]
