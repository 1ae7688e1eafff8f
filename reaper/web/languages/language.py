"""A language of the pages: its words, how it counts, and how it says times; pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from reaper.web import words


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """
    A language; `code` is its tag in HTML.

    `texts` are its sentences by key, `forms` what depends on a number, chosen by `form`;
    `phrases` are lines of ours that come in English, `line` says those with numbers in them and
    returns others as they came; `days` begin on Monday, `date` is a format of days that are
    further away.
    """

    code: str
    texts: Mapping[str, str]
    forms: Mapping[str, tuple[str, ...]]
    form: Callable[[int], int]
    phrases: Mapping[str, str]
    duration: Callable[[float], str]
    days: tuple[str, ...]
    date: str
    line: Callable[[str], str] = str

    @property
    def native(self) -> bool:
        """Tell whether it is the language that everything else is written in."""
        return self.code == "en"

    def counted(self, key: str, number: int, *others: object) -> str:
        """Return the form that goes with a number, the number and what else is in it."""
        return self.forms[key][self.form(number)].format(number, *others)

    def phrase(self, text: str) -> str:
        """Return a line of ours in this language; as it came where it has none."""
        return self.phrases.get(text) or self.line(text)

    def ago(self, at: float | None, now: float) -> str:
        """Return how long ago an instant was."""
        if at is None:
            return self.texts["never"]
        if now - at < -words.AHEAD:
            return self.texts["ahead"].format(self.duration(at - now))
        return self.texts["ago"].format(self.duration(now - at))

    def countdown(self, due: float, now: float) -> str:
        """Return how long until an instant."""
        if due <= now:
            return self.texts["now"]
        return self.texts["in"].format(self.duration(due - now))

    def instant(self, at: float, now: float, zone: tzinfo = UTC) -> str:
        """Return the hour of an instant, with the day where it is not today's."""
        moment, today = (datetime.fromtimestamp(one, tz=UTC).astimezone(zone) for one in (at, now))
        away = abs((moment.date() - today.date()).days)
        day = self.days[moment.weekday()] if away < 7 else f"{moment:{self.date}}"
        return f"{day} {moment:%H:%M}" if away else f"{moment:%H:%M}"

    def nodes(self, names: tuple[str, ...]) -> str:
        """Return nodes by name; of many the first and how many more."""
        shown = ", ".join(words.plain(name) for name in names[:2])
        more = len(names) - 2
        return shown if more <= 0 else f"{shown} {self.counted('more_nodes', more)}"
