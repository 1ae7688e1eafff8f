"""Both tables are whole, and say the same things."""

import re
from string import Formatter

import pytest

from reaper.domain.judgement.verdict import Kind
from reaper.web.languages.choice import LANGUAGES, chosen
from reaper.web.languages.english import ENGLISH
from reaper.web.languages.russian import RUSSIAN
from tests.builders_picture import HOUR, MINUTE, NOW
from tests.project import ROOT

DAY = 24 * HOUR
SOURCES = [
    path.read_text("utf-8")
    for path in (ROOT / "reaper/web").rglob("*.*")
    if path.suffix in (".py", ".html")
]
TEMPLATES = [path.read_text("utf-8") for path in (ROOT / "reaper/web/templates").glob("*.html")]


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_a_language_has_every_text_and_form(language):
    assert language.texts.keys() == ENGLISH.texts.keys()
    assert language.forms.keys() == ENGLISH.forms.keys()


def test_every_text_that_english_has_says_something_in_russian():
    empty = [key for key, text in RUSSIAN.texts.items() if not text and ENGLISH.texts[key]]

    assert empty == ["does"]


def test_what_stands_in_a_text_stands_in_its_translation():
    said = {key: text for key, text in ENGLISH.texts.items() if text}

    assert {key: places(RUSSIAN.texts[key]) for key in said} == {
        key: places(text) for key, text in said.items()
    }


def test_russian_is_written_in_russian():
    other = [key for key, text in RUSSIAN.texts.items() if not re.search("[а-яё]", text.lower())]

    assert other == ["does", "lasts", "spoken", "stop_for", "gpu_numbers", "count_of"]


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_every_number_has_a_form(language):
    for key in language.forms:
        for number in range(130):
            assert language.counted(key, number, 1)


@pytest.mark.parametrize("kind", Kind)
def test_every_verdict_has_words(kind):
    assert RUSSIAN.texts[f"verdict_{kind}"] != kind


def test_every_word_of_a_template_is_in_the_table():
    named = {name for text in TEMPLATES for name in re.findall(r"\bsay\.(\w+)", text)}

    assert named - ENGLISH.texts.keys() == set()


def test_every_form_is_used():
    counted = {name for text in SOURCES for name in re.findall(r"""counted\(['"](\w+)['"]""", text)}

    assert counted == ENGLISH.forms.keys()


# ------------------------------------------------------------------ how Russian counts


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1, "1 секунду"),
        (MINUTE, "1 минуту"),
        (22 * MINUTE, "22 минуты"),
        (40 * MINUTE, "40 минут"),
        (HOUR, "1 час"),
        (2 * HOUR, "2 часа"),
        (5 * HOUR, "5 часов"),
        (11 * HOUR, "11 часов"),
        (21 * HOUR, "21 час"),
        (3 * HOUR + 12 * MINUTE, "3 ч 12 мин"),
        (3 * DAY, "3 дня"),
        (5 * DAY + 2 * HOUR, "5 дней 2 ч"),
        (-5, "0 секунд"),
    ],
)
def test_a_span_has_the_form_of_its_number(seconds, said):
    assert RUSSIAN.duration(seconds) == said


@pytest.mark.parametrize(
    ("gpus", "idle", "said"),
    [
        (1, 1, "Ваш GPU простаивает."),
        (8, 1, "1 из ваших 8 GPU простаивает."),
        (8, 2, "2 из ваших 8 GPU простаивают."),
        (32, 11, "11 из ваших 32 GPU простаивают."),
        (32, 21, "21 из ваших 32 GPU простаивает."),
    ],
)
def test_idle_gpus_agree_with_their_number(gpus, idle, said):
    text = f"{RUSSIAN.counted('yours_idle', gpus, idle)} {RUSSIAN.counted('are_idle', idle)}"

    assert text == said


@pytest.mark.parametrize(
    ("at", "said"),
    [(NOW - HOUR, "13:32"), (NOW - DAY, "пн 14:32"), (NOW - 8 * DAY, "02.03.2026 14:32")],
)
def test_a_day_has_its_russian_name(at, said):
    assert RUSSIAN.instant(at, NOW) == said


# ------------------------------------------------------------------ whose language


@pytest.mark.parametrize(
    ("known", "accepted", "code"),
    [
        ("ru", "en", "ru"),
        ("en", "ru", "en"),
        ("", "ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("", "en-GB,en;q=0.9,ru;q=0.8", "en"),
        ("", "de;q=1,ru;q=0.5,en;q=0.2", "ru"),
        ("", "ru;q=0,de", "en"),
        ("", "ru;q=x", "en"),
        ("", "*", "en"),
        ("", "", "en"),
        ("xx", "ru", "en"),
    ],
)
def test_the_directory_says_it_and_else_the_browser(known, accepted, code):
    assert chosen(known, accepted).code == code
