"""The messages of the pages are used, and said as each language counts."""

import re

import pytest

from reaper.domain.judgement.verdict import Kind
from reaper.languages.quick import messages
from reaper.web.languages import LANGUAGES, chosen
from tests.builders_picture import HOUR, MINUTE, NOW
from tests.project import ROOT

DAY = 24 * HOUR
RUSSIAN = LANGUAGES["ru"]
SOURCES = [
    path.read_text("utf-8")
    for path in (ROOT / "reaper/web").rglob("*.*")
    if path.suffix in (".py", ".html")
]
TEMPLATES = [path.read_text("utf-8") for path in (ROOT / "reaper/web/templates").glob("*.html")]


MESSAGES = messages((ROOT / "reaper/languages/english/pages.ftl").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", Kind)
def test_every_verdict_has_words(kind):
    assert RUSSIAN.plain[f"verdict_{kind}"] != kind


def test_russian_is_written_in_russian():
    russian = messages((ROOT / "reaper/languages/russian/pages.ftl").read_text(encoding="utf-8"))
    other = [key for key, text in russian.items() if not re.search("[а-яё]", text.lower())]

    assert other == [
        *("does", "lasts", "spoken", "stop_for", "gpu_numbers", "count_of", "gpus", "word_slack")
    ]


def test_every_word_of_a_template_is_among_the_messages():
    named = re.compile(r"""\bsay\.(\w+)|language\.text\("(\w+)",""")
    said = {plain or filled for text in TEMPLATES for plain, filled in named.findall(text)}

    assert said - MESSAGES.keys() == set()


def test_every_message_with_values_is_used():
    named = {name for text in SOURCES for name in re.findall(r"[\"'](\w+)[\"']", text)}
    unused = {name for name, text in MESSAGES.items() if "$" in text} - named

    assert {name for name in unused if not name.startswith("state_")} == {
        "would_be_released_from",
        "released_from",
    }


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
    text = " ".join(
        (RUSSIAN.text("yours_idle", count=gpus, idle=idle), RUSSIAN.text("are_idle", count=idle))
    )

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
