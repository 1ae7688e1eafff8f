"""Fakes at the ports: a drawn cluster that a test moves minute by minute."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.allocation import Capacity, Claim, Inventory
from reaper.domain.facts.demand import Request, Waiting
from reaper.domain.facts.device import Device
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import Pressure
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.receivers import Catches, Receivers
from reaper.domain.facts.share import NodeSign, Share
from reaper.domain.facts.sign import Sign
from reaper.edge.clock import JumpingClock
from reaper.ports import (
    Claims,
    Delivered,
    Letter,
    NodeReport,
    NotifyError,
    Person,
    Readings,
    SourceError,
)

_BUSY = {"A": 0.6, "L": 0.02, "H": 0.0, "E": 0.0, "X": 0.0, "!": 0.0}


@dataclass(slots=True)
class DrawnDevice:
    """A device whose counters grow as its letters say; ``?`` does not answer."""

    device: Device
    letter: str = "A"
    at: float = 0.0
    observed: float = 0.0
    busy: float = 0.0
    engine: float = 0.0
    epoch: int = 0

    def play(self, seconds: float, now: float) -> None:
        """Let time pass."""
        self.at = now
        if self.letter == "?":
            return
        self.observed += seconds
        self.busy += seconds * _BUSY[self.letter]
        self.engine += seconds * (1.0 if self.letter in "AX!" else _BUSY[self.letter])

    def reading(self) -> Reading:
        """Return the counters."""
        above = self.busy * 1.5
        seen = dict.fromkeys(("sm", "tensor", "dram", "engine"), self.observed)
        return Reading(
            gpu=self.device.gpu,
            at=self.at,
            epoch=f"{self.epoch}",
            observed=seen,
            active={"sm": self.busy, "tensor": 0.0, "dram": 0.0, "engine": self.engine},
            above=(above, above, above, above),
            memory_used=0.0 if self.letter == "E" else 20e9,
            processes=0 if self.letter == "E" else 1,
        )


@dataclass(slots=True, kw_only=True)
class Cluster:
    """A drawn cluster: devices, claims, signs; released runs leave it."""

    clock: JumpingClock
    pace: Pace
    devices: dict[str, DrawnDevice] = field(default_factory=dict)
    claims: dict[str, Claim] = field(default_factory=dict)
    inputs: dict[str, float] = field(default_factory=dict)
    """Last human input by run id; a run without an entry has no session."""
    silent: set[str] = field(default_factory=set)
    """Nodes whose exporter does not answer."""
    loose: set[str] = field(default_factory=set)
    """Nodes that nothing but their pages names."""
    waiting: tuple[Request, ...] = ()
    short: tuple[str, ...] = ()
    catches: dict[str, Catches] = field(default_factory=dict)
    """Which signals the receivers of a run catch, by run id; one without an entry says nothing."""
    measures_hosts: bool = True
    """Whether its nodes say what runs do on their hosts."""
    worked: dict[str, float] = field(default_factory=dict)
    """CPU seconds that runs have used on each of their hosts, by run id; else none."""
    busy: set[str] = field(default_factory=set)
    """Runs whose kernel is busy."""
    saves: bool = True
    """Whether a run that is asked to save itself does."""

    def add(self, claim: Claim, *devices: Device) -> None:
        """Let a claim hold devices."""
        self.claims[claim.run.id] = claim
        for item in devices:
            self.devices[item.gpu] = DrawnDevice(device=item, at=self.clock.now())

    def play(self, letters: dict[str, str]) -> None:
        """Set what devices do from now on, by name."""
        for gpu, letter in letters.items():
            self.devices[gpu].letter = letter

    def step(self) -> None:
        """Let one minute of the grid pass."""
        self.clock.at += self.pace.step
        for item in self.devices.values():
            item.play(self.pace.step, self.clock.at)

    def nodes(self) -> tuple[str, ...]:
        """Return the nodes."""
        return tuple(dict.fromkeys(item.device.node for item in self.devices.values()))


@dataclass(slots=True)
class FakeActivity:
    """The exporters of a drawn cluster."""

    cluster: Cluster
    name: str = "exporters"
    sees_people: bool = True

    async def readings(self, minute: int) -> Readings:
        """Return every node's report."""
        del minute
        return await self.ask(self.cluster.nodes())

    async def ask(self, nodes: Sequence[str]) -> Readings:
        """Return the reports of some nodes."""
        now = self.cluster.clock.now()
        return Readings(as_of=now, nodes=tuple(self._report(node, now) for node in nodes))

    def _report(self, node: str, now: float) -> NodeReport:
        if node in self.cluster.silent:
            return NodeReport(
                node=node, target=node, as_of=now, error="no answer", first=self._first(node)
            )
        here = [item for item in self.cluster.devices.values() if item.device.node == node]
        return NodeReport(
            node=node,
            target=node,
            as_of=now,
            started=1.0,
            devices=tuple(item.device for item in here),
            readings=tuple(item.reading() for item in here if item.letter != "?"),
            shares=tuple(self._shares(node)),
            signs=tuple(self._signs(node, now)),
            pressures=tuple(self._pressures(node, now)),
            receivers=tuple(self._receivers(node)),
            unbound=node in self.cluster.loose,
            first=self._first(node),
        )

    def _first(self, node: str) -> str:
        return node if node in self.cluster.loose else ""

    def _shares(self, node: str) -> list[Share]:
        return [
            Share(
                node=node,
                gpu=f"GPU-{node}-{place.index}",
                platform=claim.run.platform,
                id=claim.run.id,
                start=claim.run.started,
            )
            for claim in self.cluster.claims.values()
            for place in claim.places
            if place.node == node
        ]

    def _pressures(self, node: str, now: float) -> list[Pressure]:
        if not self.cluster.measures_hosts:
            return []
        return [
            Pressure(
                node=node,
                id=ident,
                start=claim.run.started,
                at=now,
                seconds={"cpu": self.cluster.worked.get(ident, 0.0), "io_stall": 0.0},
            )
            for ident, claim in self.cluster.claims.items()
            if node in {place.node for place in claim.places}
        ]

    def _receivers(self, node: str) -> list[Receivers]:
        return [
            Receivers(
                node=node, id=ident, start=claim.run.started, catches=self.cluster.catches[ident]
            )
            for ident, claim in self.cluster.claims.items()
            if ident in self.cluster.catches and node in {place.node for place in claim.places}
        ]

    def _signs(self, node: str, now: float) -> list[NodeSign]:
        return [
            NodeSign(
                node=node,
                platform=claim.run.platform,
                id=claim.run.id,
                start=claim.run.started,
                sign=Sign(
                    kind="shell",
                    last_seen=self.cluster.inputs[ident],
                    as_of=now,
                    state="busy" if ident in self.cluster.busy else "ok",
                ),
            )
            for ident, claim in self.cluster.claims.items()
            if ident in self.cluster.inputs and node in {place.node for place in claim.places}
        ]


@dataclass(slots=True)
class FakeHolder:
    """The scheduler of a drawn cluster; `failing` makes it silent."""

    cluster: Cluster
    name: str = "slurm"
    failing: bool = False

    async def claims(self, inventory: Inventory) -> Claims:
        """Return the claims that stand."""
        del inventory
        if self.failing:
            raise SourceError("squeue: slurmctld does not answer; look at its log")
        now = self.cluster.clock.now()
        claims = tuple(replace(claim, as_of=now) for claim in self.cluster.claims.values())
        capacities = tuple(
            Capacity(node=node, gpus=self._count(node), allocated=None)
            for node in self.cluster.nodes()
        )
        return Claims(as_of=now, claims=claims, capacities=capacities)

    def _count(self, node: str) -> int:
        return sum(1 for item in self.cluster.devices.values() if item.device.node == node)

    async def waiting(self) -> Waiting:
        """Return the pending requests."""
        now = self.cluster.clock.now()
        return Waiting(as_of=now, requests=self.cluster.waiting, short=self.cluster.short)


@dataclass(slots=True)
class FakeNotifier:
    """A channel that keeps what it delivered; `errors` are raised first, one a call."""

    clock: JumpingClock
    name: str = "slack"
    personal: bool = True
    sent: list[Notice] = field(default_factory=list)
    errors: list[NotifyError] = field(default_factory=list)

    async def deliver(self, letter: Letter) -> Delivered:
        """Deliver, or fail as told."""
        if self.errors:
            raise self.errors.pop(0)
        self.sent.extend(letter.notices)
        return Delivered(at=self.clock.now(), handle=f"{len(self.sent)}")


@dataclass(slots=True)
class FakePeople:
    """Knows everybody."""

    name: str = "people"

    async def person(self, user: str) -> Person | None:
        """Return a person of that name."""
        return Person(user=user, name=user.title(), email=f"{user}@example.org")
