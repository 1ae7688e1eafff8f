"""What the API tells, and the clock it is told by: ages are the reaper's, not the reader's."""

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from reaper.domain.money.entries import Event
from reaper.domain.picture import Row
from reaper.questions import Explanation


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What happened in ``[begin, end)``, oldest first."""

    begin: float
    end: float
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mine:
    """A person's own allocations, the longest idle first."""

    now: float
    user: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """An explanation, with what is needed to draw and to price it."""

    now: float
    rate: float
    step: float
    currency: str
    explanation: Explanation


def installed() -> str:
    """Return the version of the program."""
    try:
        return version("gpu-reaper")
    except PackageNotFoundError:
        return "unknown"
