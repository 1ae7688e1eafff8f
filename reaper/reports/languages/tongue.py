"""A language of reports: its words, how it counts, how it says times; pure."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, tzinfo
from typing import Self

from markupsafe import Markup, escape


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """
    A language; `code` is its tag in HTML.

    `texts` are its sentences by key, `forms` what depends on a number, chosen by `form`; `line`
    says lines of ours that come in English and returns others as they came; `days` begin on
    Monday, `span` is how hours and minutes are written together, and minutes alone.
    """

    code: str
    texts: Mapping[str, str]
    forms: Mapping[str, tuple[str, ...]]
    form: Callable[[int], int]
    line: Callable[[str], str]
    days: tuple[str, ...]
    span: tuple[str, str]

    @property
    def native(self) -> bool:
        """Tell whether it is the language that everything else is written in."""
        return self.code == "en"

    def say(self, key: str, *given: object) -> str:
        """Return a sentence with what is told in it."""
        return self.texts[key].format(*given)

    def counted(self, key: str, number: int, *given: object) -> str:
        """Return the form that goes with a number, the number and what else is in it."""
        return self.forms[key][self.form(number)].format(number, *given)

    def phrase(self, text: str) -> str:
        """Return a line of ours in this language; as it came where it has no words for it."""
        return self.line(text)

    def join(self, between: str, parts: Iterable[str]) -> str:
        """Return parts one after the other."""
        return between.join(parts)

    def stamp(self, at: float, zone: tzinfo) -> str:
        """Return a day and an hour with its zone's short name."""
        moment = datetime.fromtimestamp(at, zone)
        return f"{self.days[moment.weekday()]} {moment:%Y-%m-%d %H:%M %Z}"

    def short_stamp(self, at: float, zone: tzinfo) -> str:
        """Return a day and an hour, without year and zone."""
        moment = datetime.fromtimestamp(at, zone)
        return f"{self.days[moment.weekday()]} {moment:%m-%d %H:%M}"

    def lasting(self, seconds: float) -> str:
        """Return a duration in hours and minutes: "3 h 05 min"."""
        minutes = round(seconds / 60)
        whole, short = self.span
        if minutes < 60:
            return short.format(minutes)
        return whole.format(minutes // 60, f"{minutes % 60:02}")


class Marking(Tongue):
    """
    A language on a page of HTML, where a line that it has no words for is marked as English.

    What it says is markup already; what is told in it is escaped.
    """

    __slots__ = ()

    @classmethod
    def of(cls, tongue: Tongue) -> Self:
        """Return a language as pages speak it."""
        return cls(**{one.name: getattr(tongue, one.name) for one in fields(tongue)})

    def say(self, key: str, *given: object) -> str:
        """Return a sentence as markup."""
        return escape(self.texts[key]).format(*given)

    def counted(self, key: str, number: int, *given: object) -> str:
        """Return the form that goes with a number as markup."""
        return escape(self.forms[key][self.form(number)]).format(number, *given)

    def phrase(self, text: str) -> str:
        """Return a line of ours, marked where it stays English."""
        said = self.line(text)
        if self.native or said != text or not text:
            return said
        return Markup('<span lang="en">{}</span>').format(text)

    def join(self, between: str, parts: Iterable[str]) -> str:
        """Return parts one after the other as markup."""
        return escape(between).join(parts)
