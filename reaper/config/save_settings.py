"""A save, as an operator writes it: the signal, who gets it, and what proves it."""

import re
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from reaper.schema import Mistake, Settings, Span, duration, shown

PLACEHOLDERS: Final = ("workdir", "job", "user")
LONGEST_PROOF: Final = 45 * 60.0
"""Seconds; within an hour the whole act must be told from the next one."""


def _signal(value: object) -> object:
    name = value.removeprefix("SIG") if isinstance(value, str) else value
    if name in ("INT", "KILL"):
        raise Mistake(
            f"{shown(value)} ends every Python and every shell instead of saving it",
            "write USR1, USR2, or auto",
        )
    return name


def _proof_path(value: str) -> str:
    names = re.findall(r"\{([^}]*)\}", value)
    if unknown := [name for name in names if name not in PLACEHOLDERS]:
        known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
        raise Mistake(f"{{{unknown[0]}}} is not known", f"known here: {known}")
    if not value.startswith(("/", "{workdir}")) or ".." in value.split("/"):
        cure = "write an absolute path or one below {workdir}"
        raise Mistake(f"{shown(value)} may lie anywhere", cure)
    if value.rstrip("/") in ("", "{workdir}"):
        cure = "name the folder or file of its checkpoints, such as {workdir}/checkpoints"
        raise Mistake(f"{shown(value)} also holds the log that the job writes", cure)
    return value


def _proof_time(value: float) -> float:
    if value > LONGEST_PROOF:
        raise Mistake(f"{duration(value)} is too long to wait for a file", "write at most 45m")
    return value


class ProofSettings(Settings):
    """What proves that a job saved itself."""

    model_config = ConfigDict(
        json_schema_extra={"examples": ["{path: '{workdir}/checkpoints', within: 10m}"]}
    )

    path: Annotated[str, AfterValidator(_proof_path)] = Field(examples=["{workdir}/checkpoints"])
    newer_than: Literal["request"] = "request"
    within: Annotated[Span, AfterValidator(_proof_time)] = 600.0
    """How long the file may take: a large model's state needs minutes."""
    unproven: Literal["hold", "release"] = "hold"
    """What follows where no save is proven: nothing, or the release all the same."""


class SaveSettings(Settings):
    """Ask the job to save itself; a signal that is not caught is never sent."""

    grace: Span | None = None
    send: Annotated[Literal["auto", "USR1", "USR2", "HUP", "TERM"], BeforeValidator(_signal)] = (
        "auto"
    )
    """`auto`: USR1 or USR2, whichever it catches. HUP and TERM end what torchrun has started."""
    to: Literal["batch", "step"] | None = None
    """Its batch script, or every process of its steps; default: whichever catches it."""
    proof: ProofSettings
