"""What templates say of values: each filter in the page's language, zone, clock and currency."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from reaper.domain.escalation.decision import Refusal
from reaper.domain.money.entries import Event
from reaper.domain.picture import DeviceLine, Row
from reaper.domain.reason import QUOTED, Value, Words
from reaper.languages.catalogue import CODES, said
from reaper.languages.language import Language
from reaper.web import words
from reaper.web.html import drawn, view
from reaper.web.html.evidence import Signals, host_words, request_words, signals
from reaper.web.html.past import evidence
from reaper.web.html.sight import SOMEBODY
from reaper.web.html.trail import deed
from reaper.web.languages import phrase

_FORMS: Final[Mapping[str, Callable[[str], str]]] = {
    "": str,
    "heading": lambda text: f"{text[:1].upper()}{text[1:]}",
    "sentence": words.sentence,
}
"""How a line is put where it stands."""

#: Class names of the letters that are no names.
_CLASSES: Final = {"?": "U", "!": "C"}


def environment() -> Environment:
    """Return where templates are found, with their filters."""
    environment = Environment(
        loader=PackageLoader("reaper.web"),
        autoescape=True,
        finalize=_clean,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(_PLAIN)
    environment.filters.update(_TIMED)
    environment.globals["somebody"] = SOMEBODY
    return environment


def _clean(value: object) -> object:
    """Return what a template says without what could turn or break its line, whoever wrote it."""
    return (
        words.plain(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
    )


def _letter_class(letter: str) -> str:
    return _CLASSES.get(letter, letter if letter.isalpha() else "U")


def _language(context: Context) -> Language:
    found: Language = context["language"]
    return found


@pass_context
def _foreign(context: Context, text: Words | Refusal, form: str = "") -> str | Markup:
    """
    Say a line of ours in the page's language; one that has no words there is marked English.

    It has the form of a `heading` or of a `sentence` where one is named.
    """
    language, shape = _language(context), _FORMS[form]
    told = phrase(text, language)
    spoken = words.plain(shape(told))
    if language.native or not text or not _is_english(text, told, language):
        return spoken
    return Markup('<span lang="en">{}</span>').format(escape(spoken))


def _is_english(text: Words | Refusal, phrase: str, language: Language) -> bool:
    """Tell whether a line stayed English: no language has words for what is not ours."""
    if isinstance(text, str):
        return phrase == text
    if isinstance(text, Refusal):
        return isinstance(text.reason, str) or language.code not in CODES
    return text.code == QUOTED or language.code not in CODES


@pass_context
def _duration(context: Context, seconds: float) -> str:
    return _language(context).duration(seconds)


@pass_context
def _nodes(context: Context, names: tuple[str, ...]) -> str:
    """Name nodes; of many the first and how many more."""
    shown, more = ", ".join(words.plain(name) for name in names[:2]), len(names) - 2
    return shown if more <= 0 else f"{shown} {_language(context).text('more_nodes', count=more)}"


@pass_context
def _counted(context: Context, number: int, key: str, **others: Value) -> str:
    return _language(context).text(key, count=number, **others)


@pass_context
def _instant(context: Context, at: float) -> str:
    return _language(context).instant(at, context["now"], context["zone"])


@pass_context
def _moment(context: Context, at: float) -> str:
    return words.moment(at, context["now"], context["zone"])


@pass_context
def _stamp(context: Context, at: float) -> str:
    return words.stamp(at, context["zone"])


@pass_context
def _ago(context: Context, at: float | None) -> str:
    return _language(context).ago(at, context["now"])


@pass_context
def _money(context: Context, amount: float) -> str:
    return words.money(amount, words.plain(context["picture"].currency))


@pass_context
def _next(context: Context, row: Row) -> view.Next:
    return view.next_step(row, context["now"], context["zone"], _language(context))


@pass_context
def _drawings(context: Context, row: Row, last: int = 0) -> tuple[drawn.Drawing, ...]:
    return drawn.drawings(row.devices, context["picture"].step, last, _language(context))


@pass_context
def _past(context: Context, devices: Sequence[DeviceLine]) -> tuple[drawn.Drawing, ...]:
    return drawn.drawings(devices, context["picture"].step, 0, _language(context))


@pass_context
def _signals(context: Context, devices: Sequence[DeviceLine]) -> tuple[Signals, ...]:
    return signals(devices, _language(context))


@pass_context
def _host_words(context: Context, row: Row) -> str:
    return host_words(row, context["picture"].step, _language(context))


@pass_context
def _request_words(context: Context, row: Row) -> str:
    return request_words(row, context["picture"].step, _language(context))


@pass_context
def _evidence(context: Context, event: Event) -> str:
    return evidence(event, _language(context))


@pass_context
def _lines(context: Context, drawing: drawn.Drawing) -> tuple[drawn.Line, ...]:
    return tuple(drawn.lines(drawing, context["picture"].step, context["zone"]))


_PLAIN: Final[Mapping[str, Callable[..., Any]]] = {
    "words": lambda text: words.plain(said(text)),
    "plain": words.plain,
    "iso": words.iso,
    "share": words.share,
    "happening": words.happening,
    "sentence": words.sentence,
    "path": words.path,
    "gpus": words.gpus,
    "model": words.model,
    "deed": deed,
    "letter_class": _letter_class,
}
"""Filters that say the same at any time."""

_TIMED: Final[Mapping[str, Callable[..., Any]]] = {
    "foreign": _foreign,
    "duration": _duration,
    "nodes": _nodes,
    "counted": _counted,
    "instant": _instant,
    "moment": _moment,
    "stamp": _stamp,
    "ago": _ago,
    "money": _money,
    "next": _next,
    "drawings": _drawings,
    "past": _past,
    "lines": _lines,
    "signals": _signals,
    "host_words": _host_words,
    "request_words": _request_words,
    "evidence": _evidence,
}
"""Filters that need the page's language, clock, zone, currency or step."""
