"""Both tables of reports are whole, and say the same things."""

import re
from datetime import UTC
from string import Formatter
from typing import get_args

import pytest

from reaper.domain.money.entries import LOOKS
from reaper.reports.languages.choice import TONGUES, tongue
from reaper.reports.languages.english import ENGLISH
from reaper.reports.languages.russian import RUSSIAN
from reaper.reports.settings import ReportSettings
from reaper.web.asks import ReportAsk
from reaper.web.languages import LANGUAGES
from tests.project import ROOT

SOURCES = [
    path.read_text("utf-8")
    for path in (ROOT / "reaper/reports").rglob("*.*")
    if path.suffix in (".py", ".html") and "languages" not in path.parts
]


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_a_language_has_every_text_and_form():
    assert RUSSIAN.texts.keys() == ENGLISH.texts.keys()
    assert RUSSIAN.forms.keys() == ENGLISH.forms.keys()


def test_what_stands_in_a_text_stands_in_its_translation():
    assert {key: places(text) for key, text in RUSSIAN.texts.items()} == {
        key: places(text) for key, text in ENGLISH.texts.items()
    }


def test_russian_is_written_in_russian():
    other = [key for key, text in RUSSIAN.texts.items() if not re.search("[а-яё]", text.lower())]

    assert set(other) == {
        *("worth", "t_gpus", "t_of", "waits", "moved", "from_to", "look", "look_of"),
    }


def test_every_text_is_used():
    said = "\n".join(SOURCES)
    named = {key for key in ENGLISH.texts if f'"{key}"' in said or f"'{key}'" in said}
    made = {"state_", "t_state_", "t_by_", "class_", "mark_", "moved_", "look_", "means_"}
    rest = [key for key in ENGLISH.texts.keys() - named if not key.startswith(tuple(made))]

    assert rest == []


@pytest.mark.parametrize("one", TONGUES.values(), ids=TONGUES)
def test_every_look_has_words(one):
    assert all(one.texts[f"look_{kind}"] for kind in LOOKS)


@pytest.mark.parametrize("one", TONGUES.values(), ids=TONGUES)
def test_every_number_has_a_form(one):
    assert all(one.counted(key, number) for key in one.forms for number in range(130))


def test_pages_and_reports_speak_the_same_languages():
    known = set(get_args(ReportSettings.model_fields["language"].annotation))

    assert LANGUAGES.keys() == TONGUES.keys() == known
    assert set(get_args(ReportAsk.model_fields["language"].annotation)) == {"", *known}


def test_who_reads_another_language_gets_english():
    assert tongue("xx") is ENGLISH


@pytest.mark.parametrize(
    ("seconds", "said"), [(90, "2 мин"), (3 * 3600 + 300, "3 ч 05 мин"), (0, "0 мин")]
)
def test_a_span_is_said_in_russian(seconds, said):
    assert RUSSIAN.lasting(seconds) == said


def test_a_day_has_its_russian_name():
    assert RUSSIAN.stamp(1773144720.0, UTC) == "вт 2026-03-10 12:12 UTC"
