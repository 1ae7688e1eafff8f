"""
The picture of the cluster after one cycle: what page, API, CLI and metrics all show.

Written with the cycle, so that it can be read when the reaper is down.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reaper.domain.escalation.decision import Refusal
from reaper.domain.reason import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceLine:
    """One device of an allocation: its newest letters (oldest first) and its signals' sources."""

    gpu: str
    node: str
    index: int | None
    model: str
    letters: str
    letters_begin: float
    """When the first of `letters` began."""
    memory_used: float | None = None
    power: float | None = None
    witnesses: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()
    """``signal source state reason`` of each signal, for reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignLine:
    """A person's session in an allocation and its last human activity, None where unknown."""

    kind: str
    last_seen: float | None
    state: str = "ok"
    """``busy`` for a kernel at work, ``unreachable`` where the asking failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLine:
    """What one server of an allocation last said of its requests; `at` in Unix seconds."""

    server: str
    at: float
    epoch: str
    answered: float
    pending: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseLine:
    """Where an allocation's case stands and what comes next."""

    id: str
    policy: str
    mode: str
    state: str
    opened: float
    warned: tuple[float | None, ...]
    next_step: str
    """What is next, in words: ``warn``, ``final warning``, ``release``; empty when nothing is."""
    due: float | None
    held_by: tuple[Refusal, ...] = ()
    release_at: float | None = None
    """The earliest release that a final warning which is next then allows."""
    spent: bool = False
    """Its final warning is good for no release any more: one comes first again."""
    outcome: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One allocation: whose, what it does, since when, what it burns, what happens next."""

    run_key: str
    platform: str
    id: str
    name: str
    owner: str
    team: str
    account: str
    partition: str
    purpose: str
    purpose_evidence: tuple[str, ...]
    nodes: tuple[str, ...]
    model: str
    gpus: int
    started: float
    limit: float | None
    verdict: str
    reason: Words
    idle_since: float | None
    idle_seconds: float
    idle_gpus: int
    coverage: float
    presence: Words = ""
    signs: tuple[SignLine, ...] = ()
    typed: tuple[float, ...] = ()
    """Its newest inputs that were told apart, oldest first."""
    used: float | None = None
    """When it worked or its person was there last; None where it is in use or nobody can tell."""
    host: str = ""
    """What its hosts did, drawn short, to the newest closed minute; empty where not measured."""
    served: str = ""
    """Its minutes since the last request, drawn short; empty where nothing counts them."""
    requests: tuple[RequestLine, ...] = ()
    cost_per_hour: float | None = None
    """What its idle GPUs cost per hour; None where unpriced."""
    kept_until: float | None = None
    policy: str = ""
    mode: str = ""
    case: CaseLine | None = None
    devices: tuple[DeviceLine, ...] = ()
    namespace: str = ""
    """Where the platform has namespaces beside or instead of partitions."""
    node_ids: tuple[str, ...] = ()
    """What its nodes call it, where that may be another id than its own."""

    @property
    def own_limit(self) -> float | None:
        """Return when its own time limit ends it; None while a release may have shortened that."""
        releasing = self.case is not None and self.case.state in {"acting", "verifying"}
        return None if releasing else self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """One source: what it is, when it last answered, and what is wrong with it."""

    name: str
    role: str
    as_of: float | None
    error: str = ""
    took: float = 0.0
    failures: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLine:
    """One node: whether its exporter is seen, and why not."""

    node: str
    as_of: float | None
    gpus: int
    """As its scheduler counts them, or as its exporter shows them."""
    state: str
    error: str = ""
    doubt: str = ""
    claims: str = ""
    """Another node's name that its exporter gives for its own: nothing of it is believed."""
    target: str = ""
    """The address that gave this name first and is bound by nothing else; "" for all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingLine:
    """Pending requests for GPUs of one partition and purpose, and the GPUs that they ask for."""

    partition: str
    purpose: str
    requests: int
    gpus: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldLine:
    """A standing stop."""

    id: str
    kind: str
    reason: Words
    by: str
    begin: float
    until: float | None
    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The whole cluster after the cycle of `at`; `sentence` is how the cycle ended."""

    at: float
    cluster: str
    sentence: str
    step: float
    pace_normal: bool
    currency: str = ""
    rows: tuple[Row, ...] = ()
    sources: tuple[SourceLine, ...] = ()
    nodes: tuple[NodeLine, ...] = ()
    holds: tuple[HoldLine, ...] = ()
    gpus: int = 0
    allocated: int = 0
    idle: int = 0
    unknown: int = 0
    free_slices: int = 0
    """Slices of cards that are free; a slice is no GPU."""
    unusable: int = 0
    """GPUs that nobody holds here and nobody can be given: drained, down, reserved, not told of."""
    waiting_gpus: int = 0
    waiting: tuple[WaitingLine, ...] = ()
    short: tuple[str, ...] = ()
    """Limits that are used up, and what else than GPUs requests wait for, the most first."""
    coverage: float = 1.0
    """Share of the allocated devices whose newest minute was seen."""
    cost_per_hour: float | None = None
    """What all idle GPUs that are priced cost per hour."""
    unpriced_gpus: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    """Allocations by verdict."""
    totals: Mapping[str, float] = field(default_factory=dict)
    """Counters since the reaper first ran: cycles, notices, acts, refusals …, by name."""

    @property
    def free(self) -> int:
        """Return the whole GPUs that somebody could be given now."""
        return max(0, self.gpus - self.allocated - self.free_slices - self.unusable)

    @property
    def namespaced(self) -> bool:
        """Tell whether what runs here lives in namespaces: then it is called a workload."""
        return any(row.namespace for row in self.rows)
