"""What a reader is told in their language: a theme's sentences, spans, instants and numbers."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from functools import cache, cached_property
from typing import Self

from reaper.domain.reason import Reason, Value
from reaper.languages import units as times
from reaper.languages.catalogue import CODES, Catalogue, Theme, catalogue


def named(text: str) -> str:
    """Return a text, such as a kind of verdict, as a part of a message's name."""
    return re.sub(r"\W+", "_", text)


class Plain(dict[str, str]):
    """
    The messages that take no values, by their names; each is said once.

    Templates have no other way to write a name than with underscores.
    """

    def __init__(self, messages: Catalogue) -> None:
        super().__init__()
        self._messages = messages

    def __missing__(self, name: str) -> str:
        """Say a message; raise KeyError where there is none of that name."""
        message = name if self._messages.knows(name) else named(name)
        if not self._messages.knows(message):
            raise KeyError(name)
        self[name] = said = self._messages.text(message)
        return said


class Language:
    """
    A language with the messages of a theme, read when they are first needed.

    `code` is its tag in HTML.
    """

    def __init__(
        self, code: str, messages: Callable[[], Catalogue], units: Callable[[], Catalogue]
    ) -> None:
        self.code = code
        self._read, self._read_units = messages, units

    @classmethod
    def speaking(cls, theme: Theme, code: str) -> Self:
        """Return a language with the messages of a theme; English where it is not known."""
        known = code if code in CODES else "en"
        return cls(known, lambda: catalogue(theme, known), lambda: catalogue("units", known))

    @property
    def native(self) -> bool:
        """Tell whether it is the language that everything else is written in."""
        return self.code == "en"

    @cached_property
    def plain(self) -> Plain:
        """Return the messages that take no values."""
        return Plain(self.messages)

    @cached_property
    def messages(self) -> Catalogue:
        """Return the messages of the theme."""
        return self._read()

    @cached_property
    def units(self) -> Catalogue:
        """Return the messages of spans, instants and numbers."""
        return self._read_units()

    @cached_property
    def _unit(self) -> Callable[..., str]:
        return self.units.text

    @cached_property
    def _symbols(self) -> tuple[str, ...] | None:
        """Return what brief spans are written with; None where spans are said in full."""
        full = self._unit("spans") == "full"
        return None if full else tuple(self._unit("symbols").split())

    def text(self, message: str, /, **values: Value) -> str:
        """Return a message of the theme with its values in it."""
        if values:
            return self.messages.text(message, **values)
        try:
            return self.plain[message]
        except KeyError:
            return self.messages.text(message)

    def say(self, *reasons: Reason) -> str:
        """Say reasons beside each other."""
        return self.messages.say(*reasons)

    def span(self, seconds: float) -> str:
        """Say a duration as in a sentence: "45 minutes", "1 h 30 min"."""
        return times.span(self._unit, seconds)

    def duration(self, seconds: float) -> str:
        """Write a duration as on a page: "3 h 12 min", or as in a sentence."""
        if self._symbols is None:
            return times.span(self._unit, seconds)
        return times.brief(self._symbols, seconds)

    def clocked(self, seconds: float) -> str:
        """Write a duration in hours and minutes: "3 h 05 min"."""
        return times.clocked(self._unit, seconds)

    def ago(self, at: float | None, now: float) -> str:
        """Say how long ago an instant was; never for None, and what is ahead is said to be."""
        if at is None:
            return self._unit("never")
        if now - at < -times.AHEAD:
            return self._unit("ahead", span=self.duration(at - now))
        return self._unit("ago", span=self.duration(now - at))

    def countdown(self, due: float, now: float) -> str:
        """Say how long until an instant."""
        return self._unit("now") if due <= now else self._unit("in", span=self.duration(due - now))

    def instant(self, at: float, now: float, zone: tzinfo = UTC) -> str:
        """Say the hour of an instant, with the day where it is not today's."""
        return times.instant(self._unit, at, now, zone)

    def moment(self, at: float, zone: tzinfo) -> str:
        """Say an instant with its weekday and zone: "Tue 1 Dec 14:05 CET"."""
        return times.moment(self._unit, at, zone)

    def stamp(self, at: float, zone: tzinfo) -> str:
        """Write a day and an hour with the zone's short name: "Tue 2026-12-01 14:05 CET"."""
        when = datetime.fromtimestamp(at, zone)
        return f"{times.weekday(self._unit, when)} {when:%Y-%m-%d %H:%M %Z}"

    def short_stamp(self, at: float, zone: tzinfo) -> str:
        """Write a day and an hour, without year and zone."""
        when = datetime.fromtimestamp(at, zone)
        return f"{times.weekday(self._unit, when)} {when:%m-%d %H:%M}"

    def number(self, value: float, form: str) -> str:
        """Write a number in a format of ours, with the language's decimal mark."""
        return times.number(self._unit, value, form)


@cache
def language(theme: Theme, code: str) -> Language:
    """Return a language with the messages of a theme; English where it is not known."""
    return Language.speaking(theme, code)


def languages(theme: Theme) -> dict[str, Language]:
    """Return every language with the messages of a theme, by its code."""
    return {code: language(theme, code) for code in CODES}
