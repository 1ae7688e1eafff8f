"""
What is asked, as it must be written: changes by POST on the unix socket, reports by GET.

The names are those of :class:`reaper.requests.Requests`; durations are seconds.
"""

from typing import Annotated, Final, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from reaper.schema import Settings
from reaper.web import words

#: Longest reason; it is kept in the ledger.
_LONGEST = 300


def _one_line(reason: object) -> object:
    return " ".join(words.plain(reason).split()) if isinstance(reason, str) else reason


#: Why; one line, since terminals, notices and the ledger show it to others.
Reason = Annotated[str, Field(min_length=1, max_length=_LONGEST), BeforeValidator(_one_line)]


class Change(Settings):
    """
    A change; `key` is made up by who asks, and names the request whose fate may stay unknown.

    With the same words and the same key it is done once, however often it is asked.
    """

    key: str = Field(default="", pattern=r"^[A-Za-z0-9-]{0,64}$")


class KeepAsk(Change):
    """Keep an allocation for so many seconds, or until its owner's next working morning."""

    name: str = Field(min_length=1)
    seconds: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    until_morning: bool = False
    reason: Reason

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if (self.seconds is None) is not self.until_morning:
            raise ValueError("say either how many seconds, or until_morning")
        return self


class ReleaseAsk(Change):
    """Give an allocation of one's own back; one that is at work must be confirmed."""

    name: str = Field(min_length=1)
    reason: Reason
    confirm: bool = False


class DisputeAsk(Change):
    """Say that the verdict on an allocation is wrong."""

    name: str = Field(min_length=1)
    reason: Reason


class PauseAsk(Change):
    """Stop every act, for so many seconds or until it is lifted."""

    reason: Reason
    seconds: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    policy: str = ""
    """Only what this policy would do; empty for everything."""


class RuleAsk(Change):
    """Rule on a dispute."""

    name: str = Field(min_length=1)
    upheld: bool
    reason: Reason


class ApproveAsk(Change):
    """Approve an act on a large allocation."""

    name: str = Field(min_length=1)
    reason: Reason


#: Forms of a report, and what each is in HTTP.
FORMS: Final = {
    "json": "application/json",
    "text": "text/plain",
    "csv": "text/csv",
    "html": "text/html",
    "pdf": "application/pdf",
    "markdown": "text/markdown",
    "focus": "text/csv",
    "focus-1.3": "text/csv",
}

#: Forms that are for operators and name everybody; all others are passed on.
FOR_OPERATORS: Final = frozenset(("json", "text", "csv"))


class ReportAsk(Settings):
    """Which report: by GET, so in a query."""

    form: Literal["json", "text", "csv", "html", "pdf", "markdown", "focus", "focus-1.3"] = "json"
    week: str = Field(default="", pattern=r"^(\d{4}-W\d{2})?$")
    """ISO week, ``2026-W09``; empty for this week so far."""
    team: str | None = Field(default=None, max_length=200)
    """Only what this team held, with names."""
    names: bool = False
    """Name persons and allocations where the form would not."""
    language: Literal["", "en", "ru"] = ""
    """In which language; empty for the one in which reports are mailed."""


class ResumeAsk(Change):
    """Lift a hold; without its id the pause, or the only one that stands."""

    reason: Reason
    hold: str = ""


def wrong(error: ValidationError) -> str:
    """Return every mistake of a request in one line, without what was sent."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(
        f"{'.'.join(str(step) for step in item['loc']) or 'body'}: {item['msg']}" for item in found
    )
