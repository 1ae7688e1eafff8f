"""The languages of reports, with lines of ours that come in English; pure."""

import re
from collections.abc import Iterable
from typing import Final

from markupsafe import Markup, escape

from reaper.domain.reason import QUOTED, Reason, Value, Words
from reaper.languages.catalogue import CODES, said
from reaper.languages.language import Language, named
from reaper.reports.russian_lines import line
from reaper.reports.words import clean


class Tongue(Language):
    """A language of reports."""

    def phrase(self, text: Words) -> str:
        """Return a line of ours in this language; as it came where it has no words for it."""
        if isinstance(text, Reason):
            return clean(said(text, self.code))
        text = clean(text)
        word = f"word_{named(text)}"
        if self.messages.knows(word):
            return super().text(word)
        return line(text) if self.code == "ru" else text

    def join(self, between: str, parts: Iterable[str]) -> str:
        """Return parts one after the other."""
        return between.join(parts)


class Marking(Tongue):
    """
    A language on a page of HTML, where a line that it has no words for is marked as English.

    What it says is markup already; what is told in it is escaped.
    """

    @classmethod
    def of(cls, tongue: Tongue) -> "Marking":
        """Return a language as pages speak it."""
        return cls(tongue.code, lambda: tongue.messages, lambda: tongue.units)

    def text(self, message: str, /, **values: Value) -> str:
        """Return a message as markup; texts are told in places that no escape can touch."""
        told = {name: value for name, value in values.items() if isinstance(value, str)}
        places = {name: chr(_PLACES + at) for at, name in enumerate(told)}
        said = escape(super().text(message, **{**values, **places}))
        filled = {place: escape(told[name]) for name, place in places.items()}
        return Markup(_PLACE.sub(lambda found: filled.get(found[0], found[0]), said))  # noqa: S704 - all of it is escaped

    def phrase(self, text: Words) -> str:
        """Return a line of ours, marked where it stays English."""
        line = super().phrase(text)
        ours = text.code != QUOTED if isinstance(text, Reason) else line != clean(text)
        if self.native or ours or not line:
            return line
        return Markup('<span lang="en">{}</span>').format(line)

    def join(self, between: str, parts: Iterable[str]) -> str:
        """Return parts one after the other as markup."""
        return escape(between).join(parts)


#: Letters for private use, of which no message is made.
_PLACES: Final = 0xE000
_PLACE: Final = re.compile("[\ue000-\uf8ff]")

TONGUES: Final = {code: Tongue.speaking("reports", code) for code in CODES}
ENGLISH: Final = TONGUES["en"]


def tongue(code: str) -> Tongue:
    """Return a language by its code; English for one that has no words here."""
    return TONGUES.get(code, ENGLISH)
