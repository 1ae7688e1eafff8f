"""
What a person's form asks for, as a request: the one place where the pages change anything.

A form says what, never who: that is the visitor's, or the token's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import Field, ValidationError

from reaper.requests import Granted, Identity, Requests
from reaper.schema import Settings
from reaper.web.json_api.asks import Reason, wrong

#: What an owner may ask, and what only an operator may.
OWN: Final = ("keep", "until_morning", "release", "dispute")
OPERATOR: Final = ("approve", "uphold", "reject", "pause", "resume")

#: What a pause is of that stops every act.
EVERYTHING: Final = "everything"

#: Why, where a person says no more than what.
REASONS: Final = {
    "keep": "still needed",
    "until_morning": "still needed tomorrow",
    "release": "no longer needed",
    "dispute": "this is wrong",
}

#: Longest keep that a form may ask for; what a policy allows is less.
_LONGEST_HOURS: Final = 14 * 24


class FormError(ValueError):
    """A form says what cannot be read; the message says which field and why."""


class Asked(Settings):
    """
    One answer about one allocation, as a form carries it.

    Its name is a hold's id where that is lifted, and a policy's or `EVERYTHING` where it is paused.
    """

    name: str = Field(min_length=1, max_length=300)
    reason: Reason
    hours: float = Field(default=0.0, ge=0, le=_LONGEST_HOURS)
    confirmed: bool = False


def asked(verb: str, name: str, fields: Mapping[str, str]) -> Asked:
    """Read a form; raise FormError."""
    if verb not in (*OWN, *OPERATOR):
        raise FormError(f"{verb[:40]!a} is nothing that can be asked")
    given = {key: value for key, value in fields.items() if key in ("hours", "confirmed")}
    reason = " ".join(fields.get("reason", "").split()) or REASONS.get(verb, "")
    try:
        return Asked.model_validate({**given, "name": name, "reason": reason})
    except ValidationError as error:
        raise FormError(wrong(error)) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Passes a person's answer on."""

    requests: Requests
    now: float
    """When it is asked, in Unix seconds."""

    async def make(self, verb: str, answer: Asked, by: Identity) -> Granted:
        """Do what was asked; raise RefusedError with the reason."""
        name, reason, room = answer.name, answer.reason, self.requests
        match verb:
            case "keep":
                seconds = answer.hours * 3600
                return await room.keep(name=name, seconds=seconds, reason=reason, by=by)
            case "until_morning":
                return await room.keep_until_morning(name=name, reason=reason, by=by)
            case "release":
                return await room.release(
                    name=name, reason=reason, by=by, confirmed=answer.confirmed
                )
            case "dispute":
                return await room.dispute(name=name, reason=reason, by=by)
            case "approve":
                return await room.approve(name=name, reason=reason, by=by)
            case "pause":
                policy = "" if name == EVERYTHING else name
                until = self.now + answer.hours * 3600 if answer.hours else None
                return await room.pause(policy=policy, until=until, reason=reason, by=by)
            case "resume":
                return await room.resume(hold=name, reason=reason, by=by)
            case "uphold" | "reject":
                return await room.rule(name=name, upheld=verb == "uphold", reason=reason, by=by)
        raise AssertionError(f"{verb}: a form asks for what nothing does")
