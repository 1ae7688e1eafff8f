"""What Slurm says when it will not do something, and what that means for us."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from reaper.ports import ActionError


class Meaning(StrEnum):
    """What a refusal means for the effect that met it."""

    GONE = "gone"
    ENDING = "ending"
    LIMIT = "limit"
    RIGHTS = "rights"
    LATER = "later"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    said: str
    meaning: Meaning
    cure: str = ""


_RIGHTS: Final = "give the reaper's account AdminLevel=Operator in accounting (sacctmgr)"
_BECOME: Final = "run the reaper as root, or with CAP_SETUID and CAP_SETGID, to look as the user"
_BUSY: Final = "the controller is busy or down; look at it with: scontrol ping"

#: Slurm's own texts (slurm_errno.c), the most telling part of each; 22.05 to 25.11.
_TEXTS: Final = (
    _Text(said="confirm allocation", meaning=Meaning.LATER, cure="it has just ended"),
    _Text(said="nodes are busy", meaning=Meaning.LATER, cure="it is tried again"),
    _Text(said="creation temporarily disabled", meaning=Meaning.LATER, cure="it is tried again"),
    _Text(said="setpriv: set", meaning=Meaning.RIGHTS, cure=_BECOME),
    _Text(said="Unable to create step", meaning=Meaning.RIGHTS, cure=_BECOME),
    _Text(said="Invalid job id", meaning=Meaning.GONE),
    _Text(said="Job has already finished", meaning=Meaning.GONE),
    _Text(said="already completing or completed", meaning=Meaning.ENDING),
    _Text(said="Job is pending execution", meaning=Meaning.ENDING),
    _Text(said="time-min", meaning=Meaning.LIMIT),
    _Text(said="time limit", meaning=Meaning.LIMIT),
    _Text(said="Access/permission denied", meaning=Meaning.RIGHTS, cure=_RIGHTS),
    _Text(said="Invalid user id", meaning=Meaning.RIGHTS, cure=_RIGHTS),
    _Text(said="Only batch jobs", meaning=Meaning.NEVER, cure="only batch jobs can be requeued"),
    _Text(
        said="presently disabled",
        meaning=Meaning.NEVER,
        cure="the job must not be requeued (its Requeue flag is off)",
    ),
    _Text(said="can not be altered now", meaning=Meaning.LATER, cure="it is tried again"),
    _Text(said="Unable to contact", meaning=Meaning.LATER, cure=_BUSY),
    _Text(said="timed out", meaning=Meaning.LATER, cure=_BUSY),
    _Text(said="Transport endpoint", meaning=Meaning.LATER, cure=_BUSY),
    _Text(said="Connection refused", meaning=Meaning.LATER, cure=_BUSY),
    _Text(said="standby mode", meaning=Meaning.LATER, cure=_BUSY),
)


class RefusedError(ActionError):
    """Slurm did not do it; `meaning` says what to make of that."""

    def __init__(self, message: str, *, meaning: Meaning) -> None:
        super().__init__(message, recoverable=meaning is Meaning.LATER)
        self.meaning = meaning


def refused(what: str, said: str) -> RefusedError:
    """Return the error for `what` from what Slurm said about it."""
    line = " ".join(said.split())[:300] or "no reason given"
    for text in _TEXTS:
        if text.said.lower() in line.lower():
            cure = f"; {text.cure}" if text.cure else ""
            return RefusedError(f"{what}: {line}{cure}", meaning=text.meaning)
    return RefusedError(f"{what}: {line}; try it by hand", meaning=Meaning.NEVER)
