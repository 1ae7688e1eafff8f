"""What a scenario draws people to do: each becomes the request that a person would make."""

from dataclasses import dataclass
from math import isinf

from exporter.contract.scenario import Scenario, ScenarioEvent
from reaper.app.parts import Parts
from reaper.domain.money.entries import Event
from reaper.edge.clock import JumpingClock
from reaper.ports import ReaperError
from reaper.requests import Identity, Requests

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
