"""Objects of the API as frozen values: as much of each as claims, demand and releases need."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

#: A pod in one of these phases holds nothing; of one in a phase that is none, nobody knows.
_OVER: Final = frozenset(("Succeeded", "Failed"))
_PENDING: Final = "Pending"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Reference:
    """Which object: `group` is "" for the core's, `namespace` "" for one of the whole cluster."""

    group: str
    kind: str
    namespace: str
    name: str
    uid: str = ""

    def __str__(self) -> str:
        return f"{self.namespace}/{self.kind.lower()}/{self.name}".lstrip("/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Who wrote an annotation of ours last: the field manager, and when (None: not said)."""

    manager: str
    at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """
    What every object has; `created` and `ending` are Unix seconds.

    `ending` is since when it is being deleted.  `controller` is the owner that controls it,
    `owners` are all of them.  `written` tells of annotations under ``gpu-reaper.io/`` who wrote
    them, by their whole name.
    """

    reference: Reference
    version: str = ""
    created: float = 0.0
    ending: float | None = None
    controller: Reference | None = None
    owners: tuple[Reference, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[str, Written] = field(default_factory=dict)
    managers: tuple[str, ...] = ()
    """Under which names anybody has written to it, the newest first."""
    odd: str = ""
    """What of it could not be read."""

    @property
    def uid(self) -> str:
        """Return its UID: no other object ever had it."""
        return self.reference.uid

    @property
    def namespace(self) -> str:
        """Return its namespace, "" for an object of the whole cluster."""
        return self.reference.namespace

    @property
    def name(self) -> str:
        """Return its name."""
        return self.reference.name

    @property
    def deleted(self) -> bool:
        """Tell whether it is being deleted."""
        return self.ending is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """A container that runs as long as its pod; `pre_stop` tells whether it has such a hook."""

    name: str
    command: tuple[str, ...] = ()
    stdin: bool = False
    tty: bool = False
    pre_stop: bool = False
    gpus: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Toleration:
    """A taint that a pod bears; "" stands for any key, value or effect."""

    key: str = ""
    operator: str = "Equal"
    value: str = ""
    effect: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One requirement of a node: the label `key` against `values` by `operator`."""

    key: str
    operator: str
    values: tuple[str, ...] = ()
    of_field: bool = False
    """It speaks of the node's name, not of a label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wants:
    """Where a pod may run: it needs every label of `selector`, and all of one of `terms`."""

    selector: Mapping[str, str] = field(default_factory=dict)
    terms: tuple[tuple[Wish, ...], ...] = ()
    tolerations: tuple[Toleration, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pod:
    """
    A pod; `gpus` is how many of each resource it was given, or asks for.

    `claims` are the names of its resource claims (DRA), `awaited` those of its claims that have no
    name yet.  `unschedulable` is the scheduler's word on why it has no node.
    """

    meta: Meta
    phase: str
    node: str = ""
    started: float | None = None
    gpus: Mapping[str, int] = field(default_factory=dict)
    claims: tuple[str, ...] = ()
    awaited: tuple[str, ...] = ()
    containers: tuple[Container, ...] = ()
    wants: Wants = field(default_factory=Wants)
    grace: float = 30.0
    priority_class: str = ""
    deadline: float | None = None
    """When Kubernetes ends it by itself (activeDeadlineSeconds), Unix seconds."""
    scheduler: str = ""
    restart: str = "Always"
    """Whether its containers are started again: Always, OnFailure, Never."""
    gates: tuple[str, ...] = ()
    unschedulable: str = ""
    unschedulable_since: float | None = None
    static: str = ""
    """The UID by which its kubelet knows it, which runs it from a file: the API cannot stop it."""
    doubt: str = ""

    @property
    def uid(self) -> str:
        """Return its UID."""
        return self.meta.uid

    @property
    def seen_as(self) -> str:
        """Return the UID by which its node sees it."""
        return self.static or self.meta.uid

    @property
    def live(self) -> bool:
        """Tell whether it runs on a node; one that is being deleted does until it is gone."""
        return self.bound and self.phase != _PENDING

    @property
    def bound(self) -> bool:
        """Tell whether its node keeps room for it, started or not."""
        return bool(self.node) and self.phase not in _OVER

    @property
    def waiting(self) -> bool:
        """Tell whether it waits for a node."""
        return not self.node and self.phase == _PENDING and not self.meta.deleted

    @property
    def since(self) -> float:
        """Return since when it is on its node."""
        return self.meta.created if self.started is None else self.started

    @property
    def count(self) -> int:
        """Return how many GPUs its containers ask for, resource claims aside."""
        return sum(self.gpus.values())

    @property
    def pre_stop(self) -> tuple[str, ...]:
        """Return the containers that have a hook which runs before they are stopped."""
        return tuple(one.name for one in self.containers if one.pre_stop)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taint:
    """What keeps pods off a node."""

    key: str
    value: str = ""
    effect: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node; `gpus` is what it can give out of each resource, `ready` None where nobody says."""

    meta: Meta
    gpus: Mapping[str, int] = field(default_factory=dict)
    ready: bool | None = None
    cordoned: bool = False
    taints: tuple[Taint, ...] = ()
    doubt: str = ""

    @property
    def name(self) -> str:
        """Return its name."""
        return self.meta.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """The object that is stopped, as it stands: what of it tells whether it runs."""

    meta: Meta
    replicas: int | None = None
    suspended: bool | None = None
    conditions: Mapping[str, str] = field(default_factory=dict)
    """Status (``True``, ``False``, ``Unknown``) by type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """A ResourceQuota's GPUs: `hard` and `used` by resource."""

    meta: Meta
    hard: Mapping[str, int] = field(default_factory=dict)
    used: Mapping[str, int] = field(default_factory=dict)
