"""Which language a person reads: the directory's word first, then what the browser asks for."""

from collections.abc import Mapping
from typing import Final

from reaper.web.languages.english import ENGLISH
from reaper.web.languages.language import Language
from reaper.web.languages.russian import RUSSIAN

LANGUAGES: Final[Mapping[str, Language]] = {one.code: one for one in (ENGLISH, RUSSIAN)}

#: Parts of a header that are read; no browser sends more.
_MOST: Final = 20


def chosen(known: str, accepted: str, languages: Mapping[str, Language] = LANGUAGES) -> Language:
    """Return the language of a person; `accepted` is a header ``Accept-Language``."""
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
