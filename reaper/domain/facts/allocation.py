"""
Who holds what: claims of holders, words of fronts, and the allocation they unite to.

Identity and devices come from the holder; person, presence and the gentlest stop from the
outermost front.  A front without a claim holds nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from reaper.domain.facts.device import Device
from reaper.domain.facts.sign import WORKPLACES, Sign


class Purpose(StrEnum):
    """What an allocation is for (`class` in a policy file)."""

    INTERACTIVE = "interactive"
    TRAINING = "training"
    INFERENCE = "inference"
    DEFERRED = "deferred"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Run:
    """
    One execution of an allocation.

    `key` is unique for ever (job id + restart count + submit time, SLUID, pod UID, pid + start);
    `id` is what people and the platform's own commands call it.
    """

    cluster: str
    platform: str
    id: str
    key: str
    started: float

    def __str__(self) -> str:
        return f"{self.platform}/{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Place:
    """
    A device as a holder names it: by GRES index on a node, or by its UUID.

    Where members of a run come and go, `node_id` is the one that has it, `since` then if that is
    later than the run's start; with neither index nor UUID it is one that only its node can tell.
    """

    node: str
    index: int | None = None
    gpu: str = ""
    node_id: str = ""
    since: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """
    A holder's word that a run holds devices.

    `node_ids` are the ids by which nodes may see it (job ids of all components, a pod UID, pids).
    `doubt` is why its devices cannot be told; then nothing is attributed and nothing acted on.
    """

    run: Run
    places: tuple[Place, ...]
    user: str
    as_of: float = field(compare=False)
    """When its holder said so first; two that differ in it alone are the same word."""
    exclusive: bool = True
    share: float = 1.0
    node_ids: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    name: str = ""
    account: str = ""
    partition: str = ""
    qos: str = ""
    team: str = ""
    namespace: str = ""
    labels: tuple[str, ...] = ()
    """``key=value``; users can write them, so they never name an owner."""
    submitted: float | None = None
    """Since when it waited for this run."""
    limit: float | None = None
    """When the platform will end it by itself."""
    requeueable: bool = False
    batch: bool | None = None
    restarts: int = 0
    resumed: float | None = None
    """When it went on after its holder had suspended it: its idleness begins no earlier."""
    purpose: Purpose = Purpose.OTHER
    purpose_evidence: tuple[str, ...] = ()
    purpose_ruled: bool = False
    """An operator's rule says what it is for: no evidence changes that."""
    reserved: str = ""
    parting: float = 0.0
    """Seconds that its programs have when they are asked to end; 0 where nobody says."""
    hooked: bool = False
    """A hook of its own runs before they are asked."""
    reverter: str = ""
    """Who would start it again at once, or why its platform cannot end it: it is only told of."""
    doubt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """A server's word "mine runs as that": person, presence and the gentlest stop."""

    front: str
    id: str
    alias: str
    """The `Run.id` or member id it runs as."""
    person: str
    as_of: float
    signs: tuple[Sign, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """
    A node's GPUs as its scheduler counts them; `allocated` None where it does not say.

    `slices` of them are slices of cards by their type; `slices_allocated` None where there are
    none, and as `allocated`.
    """

    node: str
    gpus: int
    state: str = "up"
    model: str = ""
    allocated: int | None = None
    partitions: tuple[str, ...] = ()
    slices: int = 0
    slices_allocated: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    """
    The united answer: one run, the devices it holds, its person, its signs.

    `expected` is how many devices the holder says; `doubt` is why ownership is unknown.
    """

    run: Run
    devices: tuple[Device, ...]
    expected: int
    claim: Claim
    front: Front | None = None
    signs: tuple[Sign, ...] = ()
    doubt: str = ""
    contested: bool = False
    """Another exclusive claim wants one of its devices: their minutes are ``!``."""
    read_as: Purpose | None = None
    """As what a job with a session in it is judged: as a job or as a session."""
    gpus: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The UUIDs of its devices."""
    nodes: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The nodes it holds devices on, each once, in order."""
    model: str = field(init=False, repr=False, compare=False)
    """The model of its devices, the names joined where they differ."""
    purpose: Purpose = field(init=False, repr=False, compare=False)
    """
    What it is for: an operator's rule, else interactive where a person works in it.

    A wrong "interactive" delays a release; a wrong "training" could end a person's session.
    """

    def __post_init__(self) -> None:
        """Tell once what is asked for all the time."""
        nodes = dict.fromkeys([place.node for place in self.claim.places])
        models = dict.fromkeys([device.model for device in self.devices if device.model])
        object.__setattr__(self, "gpus", tuple([device.gpu for device in self.devices]))
        object.__setattr__(self, "nodes", tuple(nodes))
        object.__setattr__(self, "model", ", ".join(models))
        object.__setattr__(self, "purpose", self._meant())

    @property
    def owner(self) -> str:
        """Return the person that the outermost authenticated source names."""
        return self.front.person if self.front else self.claim.user

    def _meant(self) -> Purpose:
        if self.claim.purpose_ruled:
            return self.claim.purpose
        if self.read_as is not None:
            return self.read_as
        worked_in = self.front is not None or any(sign.kind in WORKPLACES for sign in self.signs)
        return Purpose.INTERACTIVE if worked_in else self.claim.purpose

    @property
    def purpose_evidence(self) -> tuple[str, ...]:
        """Return what says so."""
        alone = self.front is None and self.read_as is None and not self.signs
        if self.claim.purpose_ruled or alone:
            return self.claim.purpose_evidence
        kinds = sorted({sign.kind for sign in self.signs if sign.kind in WORKPLACES})
        found = [f"a {kind} session runs in it" for kind in kinds]
        if self.front is not None:
            found.append(f"{self.front.front} says it is a server of {self.front.person}")
        if self.read_as is not None:
            found.append(f"judged as {self.read_as}: of what it could be, that is released later")
        return (*self.claim.purpose_evidence, *found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """Devices by node, and which GRES indices are trusted (see `facts.share`)."""

    devices: Mapping[str, tuple[Device, ...]] = field(default_factory=dict)
    doubts: Mapping[str, str] = field(default_factory=dict)
    """Nodes whose indices contradict what was seen, and how."""
    unproven: frozenset[tuple[str, int]] = frozenset()
    """(node, index) pairs on which no job's process has been seen yet."""

    def find(self, place: Place) -> Device | None:
        """Return the device at a place, or None where it is not known."""
        for device in self.devices.get(place.node, ()):
            if place.gpu and device.gpu == place.gpu:
                return device
            if not place.gpu and place.index is not None and device.gres_index == place.index:
                return device
        return None

    def unmapped(self, place: Place) -> bool:
        """Tell whether a place is an index on a node of whose devices none has a known one."""
        found = () if place.index is None else self.devices.get(place.node, ())
        return bool(found) and all(device.gres_index is None for device in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class United:
    """All allocations, and the devices two exclusive claims want (their minutes are ``!``)."""

    allocations: tuple[Allocation, ...]
    contested: frozenset[str] = frozenset()


def unite(claims: Sequence[Claim], fronts: Sequence[Front], inventory: Inventory) -> United:
    """Join claims, fronts and inventory, without what nodes see of people.  Order never matters."""
    outermost = {front.alias: front for front in sorted(fronts, key=lambda item: item.as_of)}
    ordered = sorted(claims, key=lambda item: item.run)
    found = [_allocation(claim, outermost, inventory) for claim in ordered]
    contested = _contested(found)
    doubted = tuple(_doubted(item, contested) for item in found)
    return United(allocations=doubted, contested=contested)


def _allocation(claim: Claim, fronts: Mapping[str, Front], inventory: Inventory) -> Allocation:
    front = next((fronts[name] for name in (claim.run.id, *claim.members) if name in fronts), None)
    devices = tuple(found for place in claim.places if (found := inventory.find(place)))
    return Allocation(
        run=claim.run,
        devices=devices,
        expected=len(claim.places),
        claim=claim,
        front=front,
        signs=front.signs if front else (),
        doubt=claim.doubt or _doubt(claim, devices, inventory),
    )


def _doubt(claim: Claim, devices: tuple[Device, ...], inventory: Inventory) -> str:
    for place in (place for place in claim.places if not place.gpu):
        if place.node in inventory.doubts:
            return f"{place.node}: {inventory.doubts[place.node]}"
        if (place.node, place.index) in inventory.unproven:
            return (
                f"{place.node}: GRES index {place.index} is not confirmed yet: no job's process "
                "was seen on its device since the driver loaded"
            )
    if len({device.gpu for device in devices}) < len(claim.places):
        lost = [place for place in claim.places if inventory.find(place) is None]
        if unmapped := sorted({place.node for place in lost if inventory.unmapped(place)}):
            return f"{', '.join(unmapped)}: no exporter there tells which GPU has which GRES index"
        known = f"{len(devices)} of {len(claim.places)} devices known"
        return f"{known}; no word of {', '.join(sorted({place.node for place in lost}))}"
    return ""


def _contested(allocations: Iterable[Allocation]) -> frozenset[str]:
    seen: set[str] = set()
    twice: set[str] = set()
    for allocation in allocations:
        if allocation.claim.exclusive and not allocation.doubt:
            twice |= seen & set(allocation.gpus)
            seen |= set(allocation.gpus)
    return frozenset(twice)


def _doubted(allocation: Allocation, contested: frozenset[str]) -> Allocation:
    if allocation.doubt or not (shared := sorted(contested & set(allocation.gpus))):
        return allocation
    doubt = f"another allocation claims {', '.join(shared)} too"
    return replace(allocation, doubt=doubt, contested=True)
