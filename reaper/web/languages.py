"""The languages of the pages: which one a person reads, and lines of ours that come in English."""

from collections.abc import Mapping
from typing import Final

from reaper.domain.escalation.decision import Refusal
from reaper.domain.reason import Reason, Words
from reaper.languages.catalogue import refused, said
from reaper.languages.language import Language, language, languages, named

LANGUAGES: Final = languages("pages")
ENGLISH: Final = language("pages", "en")

#: Parts of a header that are read; no browser sends more.
_MOST: Final = 20

UNDER_WAY: Final = {
    "given back: it ends within minutes, once it is checked": "освобождение по вашей просьбе: "
    "завершится в течение нескольких минут, после проверки",
} | {
    f"{step} under way ({state})": f"{doing} выполняется"
    for step, doing in (("release", "освобождение"), ("save", "сохранение"))
    for state in ("planned", "acting", "verifying")
}
"""What is next, in Russian, where it comes in English."""


def phrase(text: Words | Refusal, language: Language) -> str:
    """Return a line of ours in a language; as it came where it has none."""
    if isinstance(text, Refusal):
        return refused(text, language.code)
    if isinstance(text, Reason):
        return said(text, language.code)
    word = f"word_{named(text)}"
    if language.messages.knows(word):
        return language.text(word)
    return UNDER_WAY.get(text, text) if language.code == "ru" else text


def chosen(known: str, accepted: str, languages: Mapping[str, Language] = LANGUAGES) -> Language:
    """
    Return the language of a person: the directory's word, else what the browser asks for.

    `accepted` is a header ``Accept-Language``.
    """
    if known:
        return languages.get(known, ENGLISH)
    ranked = sorted(map(_ranked, accepted.split(",")[:_MOST]), key=lambda one: -one[1])
    wanted = (languages[code] for code, weight in ranked if code in languages and weight > 0)
    return next(wanted, ENGLISH)


def _ranked(part: str) -> tuple[str, float]:
    """Return a language and its weight: ``ru-RU;q=0.8`` is ru and 0.8."""
    name, _, rest = part.partition(";")
    code = name.strip().lower().partition("-")[0]
    try:
        return code, float(rest.strip().removeprefix("q=")) if rest.strip() else 1.0
    except ValueError:
        return code, 0.0
