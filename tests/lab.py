"""The whole core over a drawn cluster, minute by minute, on a clock that jumps."""

from dataclasses import dataclass, field

from reaper.app import hearing
from reaper.app.parts import Adapters, Parts, wire
from reaper.cycle.rules import Rules
from reaper.domain.escalation.case import Case
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.judgement.policy import Policy
from reaper.domain.money.entries import Event
from reaper.edge.clock import JumpingClock
from reaper.observers import observe_once
from reaper.ports import Notifier, People, Store
from reaper.requests import Requests
from reaper.store.memory import MemoryStore
from tests import builders
from tests.fakes import Cluster, FakeActivity, FakeHolder, FakeNotifier, FakePeople
from tests.fakes_actor import FakeActor


@dataclass(slots=True, kw_only=True)
class Lab:
    """A reaper at work; `crash` throws everything away but the store."""

    clock: JumpingClock
    cluster: Cluster
    store: Store
    rules: Rules
    holder: FakeHolder
    activity: FakeActivity
    actor: FakeActor
    notifier: FakeNotifier
    channels: tuple[Notifier, ...] = ()
    """Real channels, instead of the fake one."""
    people: People = field(default_factory=FakePeople)
    key: bytes = b""
    parts: Parts | None = None
    sentences: list[str] = field(default_factory=list)

    async def minute(self, letters: dict[str, str] | None = None, *, acts: bool = True) -> None:
        """Play a minute, look, take a turn, deliver and act."""
        self.cluster.play(letters or {})
        self.cluster.step()
        await self.turn()
        if acts:
            await self.perform()

    async def play(self, tracks: dict[str, str]) -> None:
        """Play drawn tracks, a letter a minute, all of the same length."""
        for letters in zip(*tracks.values(), strict=True):
            await self.minute(dict(zip(tracks, letters, strict=True)))

    async def turn(self) -> None:
        """Look at every source once and take one turn."""
        parts = await self._parts()
        for source in parts.sources:
            await observe_once(source, board=parts.board, clock=self.clock)
        self.sentences.append(await parts.cycle.turn())

    async def perform(self) -> None:
        """Deliver and act once."""
        parts = await self._parts()
        await parts.deliverer.turn()
        await parts.amender.turn()
        await parts.enforcer.turn()

    async def listen(self) -> None:
        """Let channels that hear what comes back say so, as a running reaper does."""
        self.parts = hearing.asked(await self._parts(), ())

    def crash(self) -> None:
        """Lose everything that is not in the store."""
        self.parts = None

    async def case(self, run_key: str = "") -> Case:
        """Return the newest case of the usual run."""
        async with self.store.reading() as books:
            return (await books.cases_of(run_key or builders.run().key))[-1]

    async def events(self, kind: str) -> list[Event]:
        """Return the events of a kind."""
        async with self.store.reading() as books:
            return [event for event in await books.events() if event.kind == kind]

    async def requests(self) -> Requests:
        """Return the room where people ask."""
        return (await self._parts()).requests

    async def _parts(self) -> Parts:
        if self.parts is None:
            epoch = await self.store.lead("lab", self.clock.now())
            adapters = Adapters(
                activities=(self.activity,),
                holders=(self.holder,),
                demands=(self.holder,),
                actors={"slurm": self.actor},
                commands={"slurm": "scancel {id}"},
                people=(self.people,),
                notifiers=self.channels or (self.notifier,),
            )
            self.parts = wire(
                rules=self.rules,
                clock=self.clock,
                store=self.store,
                epoch=epoch,
                adapters=adapters,
                key=self.key,
            )
        return self.parts


def lab(*policies: Policy, pace: Pace = NORMAL, store: Store | None = None) -> Lab:
    """Return a lab with one idle-able shell on one GPU, its person away for hours."""
    clock = JumpingClock(at=builders.START)
    cluster = Cluster(clock=clock, pace=pace)
    cluster.add(builders.claim(), builders.device())
    cluster.inputs["101"] = builders.START - 2 * builders.HOUR
    rules = Rules(
        cluster="test",
        policies=policies or (builders.policy(),),
        pace=Pace(step=pace.step, startup=pace.startup, verify=pace.verify, observe=0.0),
        price=lambda allocation, now: 2.5,
        currency="EUR",
    )
    return Lab(
        clock=clock,
        cluster=cluster,
        store=store or MemoryStore(cluster="test", pace=pace),
        rules=rules,
        holder=FakeHolder(cluster),
        activity=FakeActivity(cluster),
        actor=FakeActor(cluster),
        notifier=FakeNotifier(clock),
    )
