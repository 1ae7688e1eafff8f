"""The messages of reports are used, and said as each language does."""

import re
from datetime import UTC
from typing import get_args

import pytest

from reaper.domain.money.entries import LOOKS
from reaper.languages.quick import messages
from reaper.reports.languages import ENGLISH, TONGUES, Marking, tongue
from reaper.reports.settings import ReportSettings
from reaper.web.json_api.asks import ReportAsk
from reaper.web.languages import LANGUAGES
from tests.project import ROOT

RUSSIAN = TONGUES["ru"]
SOURCES = [
    path.read_text("utf-8")
    for path in (ROOT / "reaper/reports").rglob("*.*")
    if path.suffix in (".py", ".html")
]


def written(folder):
    return messages((ROOT / "reaper/languages" / folder / "reports.ftl").read_text("utf-8"))


def test_russian_is_written_in_russian():
    other = [key for key, text in written("russian").items() if not re.search("[а-яё]", text)]

    assert set(other) == {
        *("worth", "t_gpus", "t_of", "waits", "moved", "from_to", "look", "look_of", "gpus"),
    }


def test_every_message_is_used():
    said = "\n".join(SOURCES)
    keys = written("english").keys()
    named = {key for key in keys if f'"{key}"' in said or f"'{key}'" in said}
    made = ("state_", "t_state_", "t_by_", "class_", "mark_", "moved_", "look_", "means_", "word_")

    assert [key for key in keys - named if not key.startswith(made)] == []


@pytest.mark.parametrize("one", TONGUES.values(), ids=TONGUES)
def test_every_look_has_words(one):
    assert all(one.text(f"look_{kind}") != f"look_{kind}" for kind in LOOKS)


def test_what_is_told_on_a_page_is_escaped_and_cannot_take_anothers_place():
    page = Marking.of(ENGLISH)

    assert page.text("finding", subject="<b>\ue001", finding="\ue000", hours="1") == (
        "&lt;b&gt;\ue001: \ue000 (1 GPU-h)."
    )


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
    assert RUSSIAN.clocked(seconds) == said


def test_a_day_has_its_russian_name():
    assert RUSSIAN.stamp(1773144720.0, UTC) == "вт 2026-03-10 12:12 UTC"
