"""What a reader is told in their language: a theme's sentences, spans, instants and numbers."""

from dataclasses import dataclass
from datetime import tzinfo
from functools import cache

from reaper.domain.reason import Value
from reaper.languages import units
from reaper.languages.catalogue import Catalogue, Theme, catalogue


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language with the messages of a theme; `code` is its tag in HTML."""

    code: str
    messages: Catalogue
    units: Catalogue

    def text(self, message: str, /, **values: Value) -> str:
        """Return a message of the theme with its values in it."""
        return self.messages.text(message, **values)

    def span(self, seconds: float) -> str:
        """Say a duration: "45 minutes", "1 h 30 min"."""
        return units.span(self.units.text, seconds)

    def moment(self, at: float, zone: tzinfo) -> str:
        """Say an instant with its weekday and zone: "Tue 1 Dec 14:05 CET"."""
        return units.moment(self.units.text, at, zone)

    def number(self, value: float, form: str) -> str:
        """Write a number in a format of ours, with the language's decimal mark."""
        return units.number(self.units.text, value, form)


@cache
def language(theme: Theme, code: str) -> Language:
    """Return a language with the messages of a theme; English where it is not known."""
    messages = catalogue(theme, code)
    return Language(code=messages.code, messages=messages, units=catalogue("units", messages.code))
