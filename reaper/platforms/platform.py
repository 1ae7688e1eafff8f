"""What a platform brings: the roles it plays, and what `doctor` finds out about it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from reaper.domain.audit.jobs import Records
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.ports import Actor, Clock, Demand, Fronting, Holder
from reaper.schema import Settings

S = TypeVar("S", bound=Settings)

Recorded = Callable[[float, float], Awaitable[Records]]
"""
A scheduler's own books of ``[begin, end)``, against which ours are held.

One record an execution, called what our runs are called.  Raises SourceError.
"""


Resume = Callable[[str], Awaitable[str]]
"""
Starts a run again that was released, by its id, and says what was done; raises ActionError.

It needs no reaper and no store: what stood before is written on the platform itself, and who may
change it there may put it back.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """
    One thing that `doctor` looked at; `ok` None where it could not find out.

    `needed` is the least mode that suffers: observe, notify or act.
    """

    subject: str
    ok: bool | None
    what: str
    cure: str = ""
    needed: str = "observe"


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What every platform is given: the cluster's name, clock and pace, and our environment."""

    cluster: str
    clock: Clock
    environment: Mapping[str, str] = field(default_factory=dict)
    pace: Pace = NORMAL


async def nothing() -> None:
    """Close nothing: what keeps no connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """A platform put together; a role it does not play is None."""

    name: str
    check: Callable[[], Awaitable[tuple[Finding, ...]]]
    holder: Holder | None = None
    fronting: Fronting | None = None
    demand: Demand | None = None
    actor: Actor | None = None
    recorded: Recorded | None = None
    command: str = ""
    """How its users end a run themselves, with ``{id}`` for its id."""
    resume: Resume | None = None
    """Starts a released run again, as whoever asks; None where nothing is left to start."""
    close: Callable[[], Awaitable[None]] = nothing
    """Ends what it follows and closes its connections."""


async def looked_at(platform: Platform) -> tuple[Finding, ...]:
    """Return what a platform finds out about itself, and close it."""
    try:
        return await platform.check()
    finally:
        await platform.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder(Generic[S]):
    """How a platform is made: the model of its settings, and what turns them into roles."""

    settings: type[S]
    build: Callable[[S, Surroundings], Platform]
    resumes: bool = False
    """Its platform has a `resume`: what it has released can be started again."""
