"""The values that adapters answer with; each carries when it was true."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.allocation import Capacity, Claim, Front
from reaper.domain.facts.device import Device, SignalState
from reaper.domain.facts.ending import Ended
from reaper.domain.facts.host import Pressure
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.receivers import Receivers
from reaper.domain.facts.share import NodeSign, Share
from reaper.domain.judgement.policy import Hours


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeReport:
    """
    One exporter's page: `as_of` is when we received it, by our clock.

    `error` says why there is nothing else in it; `skew` is the node's clock minus ours; `claims`
    is another node's name that the page gave for its own.
    `faults` name devices of which something was refused, and why.
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
    pressures: tuple[Pressure, ...] = ()
    receivers: tuple[Receivers, ...] = ()
    skew: float = 0.0
    error: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    contradicted: frozenset[str] = frozenset()
    """Devices that another target reports too: their minutes are ``!``."""
    claims: str = ""
    unbound: bool = False
    """Nothing but its page says that it is this node: enough to judge by, never to act."""
    first: str = ""
    """The name that such a target gave first, and keeps; "" where two gave the same one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """What all asked nodes said."""

    as_of: float
    nodes: tuple[NodeReport, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wished:
    """
    A keep that somebody asked for on the platform itself, on an object that is its owner's group's.

    `id` is this wish for ever: it is granted or refused once.  `by` is as the platform names who
    asked, if only by group.
    """

    id: str
    run_key: str
    seconds: float
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """
    A holder's whole answer: every live run, every node's capacity, where it is blind.

    `ended` are the runs that ended lately, for as long as the platform remembers them; `wishes` are
    the keeps that stand on the platform's own objects.
    """

    as_of: float
    claims: tuple[Claim, ...] = ()
    capacities: tuple[Capacity, ...] = ()
    ended: tuple[Ended, ...] = ()
    wishes: tuple[Wished, ...] = ()


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
    GONE = "gone"
    """It ended by itself: a run before its save was proven, or the next run of a requeued one."""


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
    zone: str = ""
    """Name of their time zone; empty where nobody says."""
    language: str = ""
    """Code of the language they read, "" where their directory says none."""
    addresses: Mapping[str, str] = field(default_factory=dict)
    channels: tuple[str, ...] = ()
    """Names of channels in the order in which they are tried; empty for the configured order."""
    left: bool = False
    """The person has left, says an operator: these are the addresses of who answers for them."""
    contact: str = ""
    """Who answers for a person that has left, by name."""
    hours: Hours | None = None
    """The person's own working hours; None for those of the policy."""
    leads: tuple[str, ...] = ()
    """Teams of which this person gets the weekly report."""

    def working(self, usual: Hours) -> Hours:
        """Return when this person works, given the usual hours of a policy; its holidays hold."""
        if self.hours is not None:
            return replace(self.hours, holidays=usual.holidays)
        return replace(usual, zone=self.zone) if self.zone else usual


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """
    Persons that directories know, by user; None is nobody.

    Of whoever is missing nothing is known: the directories were not asked yet, or did not answer.
    """

    as_of: float
    people: Mapping[str, Person | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """
    What one delivery carries to one person: a notice, or several in a digest.

    `tokens` are signed answer tokens by notice id, empty where no answer can be taken; `page` is
    the address of the pages as the person reaches them, with its last slash, or "".
    """

    notices: tuple[Notice, ...]
    person: Person
    tokens: Mapping[str, str] = field(default_factory=dict)
    page: str = ""

    @property
    def notice(self) -> Notice:
        """Return its notice, the first of a digest."""
        return self.notices[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """A channel's proof of delivery."""

    at: float
    handle: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """What a channel took and brought back later: its handle, and why."""

    handle: str
    why: str
