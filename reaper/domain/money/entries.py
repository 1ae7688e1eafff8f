"""The ledger's entries: tenures, capacity spans and events, from which all figures derive."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reaper.domain.facts.allocation import Purpose, Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenure:
    """A run's hold on one device, from when to when (`end` None while it lasts), to the second."""

    run: Run
    gpu: str
    node: str
    begin: float
    end: float | None
    share: float = 1.0
    owner: str = ""
    team: str = ""
    purpose: Purpose = Purpose.OTHER
    model: str = ""
    partition: str = ""
    limit: float | None = None
    startup_until: float | None = None
    """End of start-up: first active minute on any device, at most start + 20 min."""
    doubt: str = ""
    """Why it is not known which device it holds; its time is then unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacitySpan:
    """A node's GPUs in one state of its scheduler's inventory (up, down, drained, reserved)."""

    node: str
    model: str
    gpus: int
    state: str
    begin: float
    end: float | None
    partitions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened to a run or to the system; append-only, at most 1 KiB."""

    at: float
    kind: str
    run_key: str = ""
    case_id: str = ""
    by: str = ""
    text: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandPoint:
    """GPUs asked for by pending requests that could start, in one minute."""

    minute: int
    gpus: int
