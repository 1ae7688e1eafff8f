"""One theme's messages in one language, read once from its Fluent file when first needed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.types import fluent_number

from reaper.domain.reason import QUOTED, Reason, Value
from reaper.languages.units import span

Theme = Literal["notices", "reasons", "refusals", "units"]
"""A file of messages; a theme is read without the others."""

_FOLDERS: Final = {"en": "english", "ru": "russian"}

CODES: Final = tuple(_FOLDERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The messages of a theme in a language."""

    code: str
    bundle: FluentBundle

    def knows(self, message: str) -> bool:
        """Tell whether there is a message of this name."""
        return self.bundle.has_message(message)

    def text(self, message: str, /, **values: Value) -> str:
        """
        Return a message with its values in it.

        One that lacks a message or a value is shown by its name and values, so that a reader
        loses nothing; a test sees to it that there is none.
        """
        if self.knows(message) and (pattern := self.bundle.get_message(message).value):
            given = {name: self._written(value) for name, value in values.items()}
            said, errors = self.bundle.format_pattern(pattern, given)
            if not errors:
                return str(said)
        plain = ", ".join(f"{name}={self._written(value)}" for name, value in values.items())
        return f"{message} ({plain})" if plain else message

    def say(self, *reasons: Reason) -> str:
        """
        Return reasons beside each other; words that are not ours as they are.

        A reason that the theme does not know, such as a verdict's in a refusal, is of `reasons`.
        """
        return "; ".join(self._one(reason) for reason in reasons)

    def _one(self, reason: Reason) -> str:
        if reason.code == QUOTED:
            return str(reason.value("text"))
        if not self.knows(reason.code) and (reasons := catalogue("reasons", self.code)) is not self:
            return reasons.say(reason)
        return self.text(reason.code, **dict(reason.values))

    def _written(self, value: Value) -> object:
        """Return a value as a message takes it: numbers bare, reasons as their sentences."""
        if isinstance(value, tuple):
            return self.say(*value)
        if isinstance(value, Reason):
            return self._one(value)
        if isinstance(value, str):
            return value
        return fluent_number(value, useGrouping=False)


@cache
def catalogue(theme: Theme, code: str) -> Catalogue:
    """Return the messages of a theme; in English where a language is not known."""
    spoken_here = code if code in _FOLDERS else "en"
    functions = None if theme == "units" else {"SPAN": _spans(spoken_here)}
    bundle = FluentBundle([spoken_here], functions=functions, use_isolating=False)
    source = files(__package__) / _FOLDERS[spoken_here] / f"{theme}.ftl"
    bundle.add_resource(FluentResource(source.read_text(encoding="utf-8")))
    return Catalogue(code=spoken_here, bundle=bundle)


def _spans(code: str) -> Callable[[Any], Any]:
    """Return what messages call as SPAN: it says a duration, given in seconds."""
    say = catalogue("units", code).text
    return lambda seconds: span(say, float(seconds))


def said(reason: Reason, code: str = "en") -> str:
    """Say why something is so."""
    return catalogue("reasons", code).say(reason)


def refusal(reason: Reason, code: str) -> str:
    """Say why a request is refused."""
    return catalogue("refusals", code).say(reason)
