"""What went wrong and what was done, as people are told it in their language; pure."""

from typing import Final

from reaper.languages.catalogue import refusal
from reaper.languages.language import Language
from reaper.ports import ReaperError
from reaper.questions import UnknownAllocationError
from reaper.requests import Granted, RefusedError, UnconfirmedError, UsedTokenError
from reaper.web import words
from reaper.web.access.visitor import NotYoursError, StrangerError
from reaper.web.attempts import TooManyError
from reaper.web.html.changes import FormError
from reaper.web.html.forms import ForgedError
from reaper.web.json_api.routes import NoCycleError

_KEYS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (UnknownAllocationError, "error_unknown"),
    (UnconfirmedError, "error_unconfirmed"),
    (UsedTokenError, "error_used"),
    (RefusedError, "error_refused"),
    (FormError, "error_field"),
    (ForgedError, "error_forged"),
    (NotYoursError, "error_not_yours"),
    (StrangerError, "error_stranger"),
    (TooManyError, "error_too_many"),
    (NoCycleError, "error_no_cycle"),
)
"""Which text tells of an error; the first that fits."""


def failure(error: ReaperError | FormError, language: Language) -> tuple[str, str]:
    """Return what a person is told of an error, and after it the error's own words, or ""."""
    key = next((key for kind, key in _KEYS if isinstance(error, kind)), "error_other")
    own, text = words.sentence(str(error)), language.text(key)
    if not text:
        return own, ""
    if not text.endswith(":"):
        return text, ""
    if isinstance(error, RefusedError):
        return f"{text} {words.sentence(refusal(error.reason, language.code))}", ""
    return text, own


def success(verb: str, name: str, granted: Granted, until: str, language: Language) -> str:
    """Return what a person is told of what was done; `until` tells when it ends."""
    key = f"done_{verb}"
    if not language.messages.knows(key) or not (said := language.text(key, name=name, until=until)):
        return words.sentence(granted.text)
    late = language.text("done_late") if granted.late else ""
    return words.sentence(f"{said}{late}")
