"""The people of a scenario: who is known, what they are told, and what they ask for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isinf
from typing import Final

from exporter.contract.scenario import Scenario, ScenarioEvent, ScenarioPerson
from reaper.app.parts import Parts
from reaper.domain.escalation.notice import Notice
from reaper.domain.money.entries import Event
from reaper.edge.clock import JumpingClock
from reaper.notifiers.letters import write
from reaper.notifiers.texts import plain
from reaper.ports import Delivered, Letter, NotifyError, Person, ReaperError
from reaper.requests import Identity, Requests

#: The one channel of a replay.
CHANNEL: Final = "transcript"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A notice that arrived at a Unix second, and the letter that brought it."""

    at: float
    notice: Notice
    letter: Letter

    @property
    def text(self) -> str:
        """Return what the letter said, as plain text."""
        return plain(write(self.letter))


@dataclass(slots=True)
class Transcript:
    """A channel that keeps what it is told; `deaf` tells whether a notice gets lost now."""

    clock: JumpingClock
    deaf: Callable[[Notice], bool]
    name: str = CHANNEL
    personal: bool = True
    notices: list[Notice] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)

    async def deliver(self, letter: Letter) -> Delivered:
        """Keep the notices."""
        if self.deaf(letter.notice):
            raise NotifyError("the scenario draws a channel that fails", recoverable=True)
        if self.name not in letter.person.addresses:
            raise NotifyError("no address, as drawn", recoverable=False)
        self.notices.extend(letter.notices)
        now = self.clock.now()
        self.told.extend(Told(at=now, notice=item, letter=letter) for item in letter.notices)
        return Delivered(at=self.clock.now(), handle=letter.notice.id)


@dataclass(slots=True)
class Everybody:
    """A directory that knows everybody by their user name, but for those that are `drawn`."""

    drawn: Mapping[str, ScenarioPerson] = field(default_factory=dict)
    name: str = "scenario"

    async def person(self, user: str) -> Person | None:
        """Return the person of that name."""
        drawn = self.drawn.get(user, ScenarioPerson(user=user))
        if not drawn.known:
            return None
        reached = drawn.address and bool(drawn.contact or not drawn.left)
        return Person(
            user=user,
            addresses={CHANNEL: user} if reached else {},
            left=drawn.left,
            contact=drawn.contact,
        )


_REASON = "drawn"

#: What an owner does, and nobody for him.
_OWNERS = frozenset(("keep", "keep until morning", "release", "dispute"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Happenings:
    """Lets drawn events happen to a reaper; what it refuses becomes an event of its own."""

    scenario: Scenario
    clock: JumpingClock

    async def happen(self, event: ScenarioEvent, parts: Parts) -> None:
        """Let one event happen now; what befalls exporters and scheduler they play themselves."""
        if event.do == "clock":
            self.clock.stepped += event.duration
            return
        try:
            await self._ask(event, parts.requests)
        except ReaperError as error:
            await self._refused(event, parts, str(error))

    async def _ask(self, event: ScenarioEvent, asks: Requests) -> None:
        name, by = event.allocation, self._by(event)
        match event.do:
            case "keep":
                await asks.keep(name=name, seconds=event.duration, reason=_REASON, by=by)
            case "keep until morning":
                await asks.keep_until_morning(name=name, reason=_REASON, by=by)
            case "release":
                await asks.release(name=name, reason=_REASON, by=by, confirmed=True)
            case "dispute":
                await asks.dispute(name=name, reason=_REASON, by=by)
            case "uphold" | "reject":
                upheld = event.do == "uphold"
                await asks.rule(name=name, upheld=upheld, reason=_REASON, by=by)
            case "approve":
                await asks.approve(name=name, reason=_REASON, by=by)
            case "pause":
                now = self.clock.now()
                until = None if isinf(event.duration) else now + event.duration
                await asks.pause(reason=_REASON, by=by, until=until)
            case "resume":
                await asks.resume(reason=_REASON, by=by, hold=event.hold)

    def _by(self, event: ScenarioEvent) -> Identity:
        """Return who asks: the owner for what is an owner's, else an operator."""
        if event.do not in _OWNERS:
            return Identity(user=event.by or "operator", operator=True, channel="scenario")
        owners = (item.user for item in self.scenario.allocations if item.id == event.allocation)
        return Identity(user=event.by or next(owners, ""), channel="scenario")

    async def _refused(self, event: ScenarioEvent, parts: Parts, why: str) -> None:
        async with parts.store.transaction(parts.epoch) as books:
            picture = await books.picture()
            rows = picture.rows if picture else ()
            refused = Event(
                at=self.clock.now(),
                kind="refused",
                run_key=next((row.run_key for row in rows if row.id == event.allocation), ""),
                by=self._by(event).user,
                text=f"{event.do}: {why}",
            )
            await books.append_events([refused])
