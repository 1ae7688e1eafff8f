"""
The roles that adapters play, by role; each with the answer it owes.

An answer carries `as_of`.  An adapter that cannot answer raises :class:`SourceError`; one that
can answer in part says which nodes it is blind on.  No vendor type crosses a port.

``ReaperError`` › ``SourceError`` · ``ActionError(recoverable)`` · ``NotifyError(recoverable,
ambiguous)`` · ``LostLeadership``
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Effect, Hold, Intent
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.allocation import Capacity, Claim, Front, Inventory, Run
from reaper.domain.facts.demand import Waiting
from reaper.domain.facts.device import Device, SignalState
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.share import Confirmation, NodeSign, Share
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import CapacitySpan, DemandPoint, Event, Tenure


class ReaperError(Exception):
    """Any error this system names; the message says what, which one, what to do."""


class SourceError(ReaperError):
    """A source gave no usable answer; what it would have said is unknown."""


class ActionError(ReaperError):
    """A platform did not take an effect; `recoverable` when a later attempt may succeed."""

    def __init__(self, message: str, *, recoverable: bool) -> None:
        super().__init__(message)
        self.recoverable = recoverable


class NotifyError(ReaperError):
    """
    A channel did not take a notice.

    `recoverable` when a later attempt may succeed, `ambiguous` when it may have arrived;
    `retry_after` in seconds where the channel said so.
    """

    def __init__(
        self,
        message: str,
        *,
        recoverable: bool,
        ambiguous: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.recoverable = recoverable
        self.ambiguous = ambiguous
        self.retry_after = retry_after


class LostLeadershipError(ReaperError):
    """Another replica leads: nothing more may be written or done under this epoch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeReport:
    """
    One exporter's page: `as_of` is when we received it, by our clock.

    `error` says why there is nothing else in it; `skew` is the node's clock minus ours.
    """

    node: str
    target: str
    as_of: float
    started: float = 0.0
    devices: tuple[Device, ...] = ()
    readings: tuple[Reading, ...] = ()
    signals: tuple[SignalState, ...] = ()
    shares: tuple[Share, ...] = ()
    signs: tuple[NodeSign, ...] = ()
    skew: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """What all asked nodes said."""

    as_of: float
    nodes: tuple[NodeReport, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """A holder's whole answer: every live run, every node's capacity, where it is blind."""

    as_of: float
    claims: tuple[Claim, ...] = ()
    capacities: tuple[Capacity, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fronts:
    """A front's whole answer."""

    as_of: float
    fronts: tuple[Front, ...] = ()


class Recheck(StrEnum):
    """Whether a run is still the one that was judged."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


class Progress(StrEnum):
    """How far an effect has come, read from the platform."""

    DONE = "done"
    PENDING = "pending"
    NOT_APPLIED = "not applied"
    RECREATED = "recreated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a platform answered when an effect began; `text` is kept and shown."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person and how to reach them; `addresses` by channel name."""

    user: str
    name: str = ""
    team: str = ""
    email: str = ""
    zone: str = "UTC"
    language: str = "en"
    addresses: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """A channel's proof of delivery."""

    at: float
    handle: str = ""


class Activity(Protocol):
    """Says what devices did."""

    name: str

    async def readings(self, minute: int) -> Readings:
        """Return the newest answer of every node, for the minute now in progress."""

    async def ask(self, nodes: Sequence[str]) -> Readings:
        """Ask the nodes' own exporters now, people included; a node without answer has an error."""


class Holder(Protocol):
    """Says which runs hold which devices."""

    name: str

    async def claims(self, inventory: Inventory) -> Claims:
        """Return every live run and every node's capacity."""


class Fronting(Protocol):
    """Says "my server runs as that"."""

    name: str

    async def wraps(self) -> Fronts:
        """Return every server with the run it runs as."""


class Demand(Protocol):
    """Says what waits."""

    name: str

    async def waiting(self) -> Waiting:
        """Return every pending request for GPUs."""


class Actor(Protocol):
    """Does something to a run of its platform; never blocks until the end."""

    name: str

    async def recheck(self, run: Run) -> Recheck:
        """Read the platform again and say whether this is still the run that was judged."""

    async def begin(self, effect: Effect, *, now: float) -> Receipt:
        """Begin an effect; raise ActionError when it is not taken or expired."""

    async def inspect(self, effect: Effect) -> Progress:
        """Read how far an effect has come; also after a crash, when nobody knows."""


class People(Protocol):
    """Says who a platform's user is."""

    name: str

    async def person(self, user: str) -> Person | None:
        """Return the person behind a user, or None when unknown."""


class Notifier(Protocol):
    """Delivers notices on one channel."""

    name: str
    personal: bool

    async def deliver(self, notice: Notice, person: Person) -> Delivered:
        """Deliver once; raise NotifyError otherwise.  Never retries by itself."""


class Clock(Protocol):
    """Time as a value; the only way to wait."""

    def now(self) -> float:
        """Return Unix seconds."""

    def elapsed(self) -> float:
        """Return seconds of a clock that never goes back."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class Books(Protocol):
    """The store inside one transaction: all of it is written, or nothing."""

    async def records(self) -> Sequence[DeviceRecord]:
        """Return what is kept of every device."""

    async def keep_records(self, records: Sequence[DeviceRecord]) -> None:
        """Replace the records of these devices."""

    async def tracks(self, gpus: Sequence[str], first: int, end: int) -> Mapping[str, Track]:
        """Return the minutes ``[first, end)`` of these devices, clipped; ``?`` where unknown."""

    async def append_minutes(self, tracks: Mapping[str, Track]) -> None:
        """Append letters by device; recorded minutes are never rewritten, gaps become ``?``."""

    async def open_cases(self) -> Sequence[Case]:
        """Return the cases that are not closed."""

    async def cases_of(self, run_key: str) -> Sequence[Case]:
        """Return every case of a run, oldest first."""

    async def cases_between(self, begin: float, end: float) -> Sequence[Case]:
        """Return the cases opened or closed in ``[begin, end)``."""

    async def keep_case(self, case: Case) -> None:
        """Write a case."""

    async def keeps(self, now: float) -> Sequence[Keep]:
        """Return the keeps of the last two days and those that still stand."""

    async def keep_keep(self, keep: Keep) -> None:
        """Write a keep."""

    async def notices(self, case_id: str) -> Sequence[Notice]:
        """Return the notices of a case, oldest first."""

    async def outbox(self) -> Sequence[Notice]:
        """Return the notices that are still queued, oldest first."""

    async def keep_notice(self, notice: Notice) -> None:
        """Write a notice; one `id` exists once."""

    async def open_intents(self) -> Sequence[Intent]:
        """Return the intents whose outcome is still awaited."""

    async def intents_since(self, begin: float) -> Sequence[Intent]:
        """Return the intents created since `begin`, oldest first."""

    async def keep_intent(self, intent: Intent) -> None:
        """Write an intent."""

    async def holds(self) -> Sequence[Hold]:
        """Return every hold that was not lifted."""

    async def keep_hold(self, hold: Hold) -> None:
        """Write a hold."""

    async def lift_hold(self, hold_id: str) -> None:
        """Remove a hold."""

    async def open_tenures(self) -> Sequence[Tenure]:
        """Return the tenures that have not ended."""

    async def tenures(self, begin: float, end: float) -> Sequence[Tenure]:
        """Return the tenures that overlap ``[begin, end)``."""

    async def tenures_of(self, run_key: str) -> Sequence[Tenure]:
        """Return the tenures of a run."""

    async def keep_tenures(self, tenures: Sequence[Tenure]) -> None:
        """Write tenures; (run key, device, begin) is their key."""

    async def open_capacity(self) -> Sequence[CapacitySpan]:
        """Return the capacity spans that have not ended."""

    async def capacity(self, begin: float, end: float) -> Sequence[CapacitySpan]:
        """Return the capacity spans that overlap ``[begin, end)``."""

    async def keep_capacity(self, spans: Sequence[CapacitySpan]) -> None:
        """Write capacity spans; (node, model, state, begin) is their key."""

    async def demand(self, first: int, end: int) -> Sequence[DemandPoint]:
        """Return the demand of the minutes ``[first, end)``."""

    async def append_demand(self, point: DemandPoint) -> None:
        """Write a minute's demand."""

    async def events(
        self, *, run_key: str = "", begin: float = 0.0, end: float | None = None
    ) -> Sequence[Event]:
        """Return events in time order, of one run or of all."""

    async def append_events(self, events: Sequence[Event]) -> None:
        """Write events."""

    async def confirmations(self) -> frozenset[Confirmation]:
        """Return the GRES indices that jobs have proven."""

    async def keep_confirmations(self, proven: frozenset[Confirmation]) -> None:
        """Add proven GRES indices."""

    async def forget_confirmations(self, node: str) -> None:
        """Forget a node's proven indices, after a contradiction."""

    async def heartbeat(self) -> float | None:
        """Return when the last cycle was written; None before the first."""

    async def keep_heartbeat(self, now: float) -> None:
        """Note that a cycle was written."""

    async def policy_since(self, version: str, now: float) -> float:
        """Return since when a policy version is in force, noting `now` the first time."""


class Store(Protocol):
    """Keeps everything; one writer."""

    def transaction(self, epoch: int) -> AbstractAsyncContextManager[Books]:
        """Open a transaction under a leader's epoch; raise LostLeadershipError when fenced."""

    def reading(self) -> AbstractAsyncContextManager[Books]:
        """Open a read-only view."""

    async def lead(self, holder: str, now: float) -> int:
        """Take leadership and return its epoch; every earlier epoch is fenced from then on."""

    async def close(self) -> None:
        """Release the database."""
