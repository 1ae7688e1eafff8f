"""One theme's messages in one language, read from its Fluent file when first needed."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args

from reaper.domain.escalation.decision import Refusal
from reaper.domain.reason import QUOTED, Reason, Value, Words
from reaper.languages import quick
from reaper.languages.units import short, span

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle

Theme = Literal["notices", "pages", "reasons", "refusals", "reports", "units"]
"""A file of messages; a theme is read without the others."""

_FOLDERS: Final = {"en": "english", "ru": "russian"}

CODES: Final = tuple(_FOLDERS)

#: Sentences that are remembered; all are forgotten when there are more.
_REMEMBERED: Final = 4096

#: Where a message calls a function of a value.
_CALL: Final = re.compile(r"\{ ([A-Z]+)\(\$([\w-]+)\) \}")


class Catalogue:
    """The messages of a theme in a language; `code` is the tag of the language."""

    def __init__(self, code: str, source: str) -> None:
        self.code = code
        self._tongue = code.partition("-")[0]
        self._source = source
        self._written_down = quick.messages(source)
        self._quick: dict[str, quick.Saying | None] = {}
        self._calls: dict[str, list[tuple[str, str]]] = {}
        self._said: dict[tuple[str, tuple[tuple[str, Value], ...]], str] = {}

    def prepare(self) -> None:
        """Read all of it, so that nobody waits for it later; it takes a moment."""
        _ = self._bundle

    def knows(self, message: str) -> bool:
        """Tell whether there is a message of this name."""
        return message in self._written_down

    def text(self, message: str, /, **values: Value) -> str:
        """
        Return a message with its values in it.

        One that lacks a message or a value is shown by its name and values, so that a reader
        loses nothing; a test sees to it that there is none.
        """
        given = self._given(values)
        said = self._quickly(message, given)
        if said is None:
            said = self._by_fluent(message, given)
        if said is not None:
            return said
        plain = ", ".join(f"{name}={value}" for name, value in given.items())
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

    def _given(self, values: Mapping[str, Value]) -> quick.Given:
        """Return values as a message takes them."""
        for value in values.values():
            if isinstance(value, (Reason, tuple)):
                return {name: self._bare(value) for name, value in values.items()}
        return cast("quick.Given", values)

    def _bare(self, value: Value) -> str | int | float:
        """Return a value as a message takes it: reasons as their sentences."""
        if isinstance(value, tuple):
            return self.say(*value)
        return self._one(value) if isinstance(value, Reason) else value

    def _quickly(self, message: str, given: quick.Given) -> str | None:
        """Say a message of the plain kind; None where it is none, or takes a fraction."""
        say = self._quick.get(message)
        if say is None:
            if message in self._quick:
                return None
            written = self._written_down.get(message)
            say = None if written is None else self._saying(message, written)
            self._quick[message] = say
        if say is None:
            return None
        calls = self._calls.get(message)
        try:
            if calls:
                given = self._with_called(calls, given)
            for value in given.values():
                if type(value) is float:
                    return None
            return say(given)
        except KeyError:
            return None

    def _saying(self, message: str, written: str) -> quick.Saying | None:
        """Return what says a message; what it calls is a value of its own."""
        self._calls[message] = _CALL.findall(written)
        return quick.saying(_CALL.sub(r"{ $\1-\2 }", written), english=self._tongue == "en")

    def _with_called(self, calls: list[tuple[str, str]], given: quick.Given) -> quick.Given:
        called = {f"{call}-{name}": self._functions[call](given[name]) for call, name in calls}
        within = {name for _, name in calls}
        return {name: one for name, one in given.items() if name not in within} | called

    @cached_property
    def _functions(self) -> dict[str, Callable[[Any], Any]]:
        return _functions(self.code)

    def _by_fluent(self, message: str, given: quick.Given) -> str | None:
        """Say a message that there is; None where it lacks a value."""
        if not self.knows(message):
            return None
        key = (message, tuple(given.items()))
        if (known := self._said.get(key)) is not None:
            return known
        from fluent.runtime.types import fluent_number

        pattern = self._bundle.get_message(message).value
        if pattern is None:
            return None
        numbers = {
            name: value if isinstance(value, str) else fluent_number(value, useGrouping=False)
            for name, value in given.items()
        }
        said, errors = self._bundle.format_pattern(pattern, numbers)
        if errors:
            return None
        if len(self._said) >= _REMEMBERED:
            self._said.clear()
        self._said[key] = str(said)
        return str(said)

    @cached_property
    def _bundle(self) -> "FluentBundle":
        from fluent.runtime import FluentBundle, FluentResource

        functions = self._functions
        bundle = FluentBundle([self._tongue], functions=functions, use_isolating=False)
        bundle.add_resource(FluentResource(self._source))
        return bundle


@cache
def catalogue(theme: Theme, code: str) -> Catalogue:
    """Return the messages of a theme; in English where a language is not known."""
    spoken_here = code if code in _FOLDERS else "en"
    source = files(__package__) / _FOLDERS[spoken_here] / f"{theme}.ftl"
    return Catalogue(spoken_here, source.read_text(encoding="utf-8"))


def prepare() -> None:
    """Read every theme in every language, so that no first reader waits for it."""
    for theme in get_args(Theme):
        for code in CODES:
            catalogue(theme, code).prepare()


def _functions(code: str) -> dict[str, Callable[[Any], Any]]:
    """
    Return what messages call.

    SPAN says a duration, given in seconds, and SHORT the same in few letters; RULE names a rule,
    and FAMILIES witnesses, which are given with a space between.
    """
    units = catalogue("units", code).text
    return {
        "SPAN": lambda seconds: span(units, float(seconds)),
        "SHORT": lambda seconds: short(units, float(seconds)),
        "RULE": lambda rule: _named("rule", str(rule), code),
        "FAMILIES": lambda names: _families(str(names).split(), code),
    }


def _named(kind: str, name: str, code: str) -> str:
    """Return what something is called; its own name where the language has no other."""
    known, message = catalogue("reasons", code), f"{kind}-{name.replace(' ', '-')}"
    return known.text(message) if known.knows(message) else name


def _families(names: Sequence[str], code: str) -> str:
    first, *others = (_named("family", name, code) for name in names)
    for name in others:
        first = catalogue("reasons", code).text("and", first=first, second=name)
    return first


def said(words: Words, code: str = "en") -> str:
    """Say why something is so; what somebody typed stays as it is."""
    return words if isinstance(words, str) else catalogue("reasons", code).say(words)


def refused(refusal: Refusal, code: str = "en") -> str:
    """Say why something is not done: the rule, and why."""
    if not refusal.rule:
        return said(refusal.reason, code)
    return said(refusal.said, code)


def refusal(reason: Reason, code: str) -> str:
    """Say why a request is refused."""
    return catalogue("refusals", code).say(reason)
