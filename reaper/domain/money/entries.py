"""The ledger's entries: tenures, capacity spans and events, from which all figures derive."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from reaper.domain.facts.allocation import Purpose, Run
from reaper.domain.reason import Words

#: Kinds of events that the books read; all others are history only.
RELEASED: Final = "verified"
"""The reaper's release of a run is verified: what follows is reclaimed, until `REVERTED`."""
REVERTED: Final = "reverted"
"""A release did not last: nothing was reclaimed by it."""
GIVEN_BACK: Final = "given back"
"""The owner ended an idle run: by himself after a warning, or by asking for its release."""
OWN_END: Final = "ended by its owner"
"""A run at work was ended because its owner asked for it: nothing was reclaimed by that."""
RELEASABLE: Final = frozenset(("would release", "release intended"))
"""The policy in force could have released the run from here on, in any mode."""
RUN_BEGAN: Final = "run began"
"""A run was seen for the first time; the text of the event is ``platform/id``."""
WAITED: Final = "waited_seconds"
"""The number of an event ``run began``: how long the run had waited for its devices."""
SPLIT: Final = "split"
"""The look of runs that were each too short to be seen idle."""
LOOKS: Final = ("suspect", "hung", SPLIT)
"""What a person should look at: by the number of an event that says so."""
CASE_CLOSED: Final = "case closed"
"""A case ended; what was releasable is so no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenure:
    """
    A run's hold on one device, from when to when (`end` None while it lasts), to the second.

    `share` is what it holds of a whole card, `size` what the device is of one: 1, or for MIG the
    compute slices of the instance over those of the card.
    """

    run: Run
    gpu: str
    node: str
    begin: float
    end: float | None
    share: float = 1.0
    size: float = 1.0
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
    """
    A node's GPUs in one state of its scheduler's inventory (up, down, drained, reserved).

    Spans of one node in different states count different GPUs.  `stranded` is how much of these
    GPUs no MIG instance was cut from, in GPUs.
    """

    node: str
    model: str
    gpus: int
    state: str
    begin: float
    end: float | None
    partitions: tuple[str, ...] = ()
    stranded: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened to a run or to the system; append-only, at most 1 KiB."""

    at: float
    kind: str
    run_key: str = ""
    case_id: str = ""
    by: str = ""
    channel: str = ""
    """How the person asked that did it; empty for what the reaper did by itself."""
    text: Words = ""
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandPoint:
    """GPUs asked for by pending requests that could start, in one minute."""

    minute: int
    gpus: int


def let_go(tenures: Iterable[Tenure]) -> float | None:
    """Return when a run let go of its last device; None while it holds one, or held none."""
    ends = [tenure.end for tenure in tenures]
    known = [end for end in ends if end is not None]
    return max(known) if known and len(known) == len(ends) else None


def called(events: Iterable[Event], name: str) -> list[Event]:
    """Return of these events the begins of runs that go by an id, ``platform/id`` or a key."""
    begins = (event for event in events if event.kind == RUN_BEGAN)
    return [event for event in begins if name and name in _names(event)]


def ident_of(event: Event) -> str:
    """Return the id of the run whose begin an event is; "" of any other event."""
    platform, _, ident = _run(event).partition("/")
    return ident if platform and event.kind == RUN_BEGAN else ""


def _names(event: Event) -> tuple[str, str, str]:
    return event.run_key, _run(event), ident_of(event)


def _run(event: Event) -> str:
    return event.text if isinstance(event.text, str) else ""
