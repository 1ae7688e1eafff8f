"""The roles of the recorded platform: holder, demand and actor of one scenario."""

from exporter.contract.scenario import ScenarioAllocation
from exporter.contract.stage import Stage
from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.facts.allocation import Inventory, Run
from reaper.domain.facts.demand import Waiting
from reaper.platforms.recorded.drawing import (
    PLATFORM,
    Places,
    capacity_of,
    claim_of,
    requests,
    run_of,
)
from reaper.ports import ActionError, Claims, Clock, Progress, Receipt, Recheck, SourceError


class RecordedHolder:
    """Says who holds what at the clock's time."""

    name = PLATFORM

    def __init__(
        self, stage: Stage, *, cluster: str, clock: Clock, places: Places = "uuid"
    ) -> None:
        self._stage = stage
        self._cluster = cluster
        self._clock = clock
        self._places: Places = places

    async def claims(self, inventory: Inventory) -> Claims:
        """Return every allocation that runs, and every node."""
        now, stage = self._clock.now(), self._stage
        if stage.happens("outage", now, of="scheduler"):
            raise SourceError("the scenario draws an outage of the scheduler here")
        return Claims(
            as_of=now,
            claims=tuple(
                claim_of(item, stage, cluster=self._cluster, places=self._places, now=now)
                for item in stage.running(now)
            ),
            capacities=tuple(capacity_of(node, stage, now) for node in stage.scenario.nodes),
        )


class RecordedDemand:
    """Says what waits at the clock's time."""

    name = PLATFORM

    def __init__(self, stage: Stage, *, clock: Clock) -> None:
        self._stage = stage
        self._clock = clock

    async def waiting(self) -> Waiting:
        """Return what the scenario draws as waiting."""
        now = self._clock.now()
        return Waiting(as_of=now, requests=tuple(requests(self._stage, now)))


class RecordedActor:
    """Ends allocations of the scenario, and takes that back; nothing else can be done to them."""

    name = PLATFORM

    def __init__(self, stage: Stage, *, cluster: str, clock: Clock) -> None:
        self._stage = stage
        self._cluster = cluster
        self._clock = clock

    async def recheck(self, run: Run) -> Recheck:
        """Look at the scenario again."""
        now = self._clock.now()
        running = [item for item in self._stage.running(now) if item.id == run.id]
        if any(self._is(item, run) for item in running):
            return Recheck.SAME
        return Recheck.CHANGED if running else Recheck.GONE

    async def prepare(self, effect: Effect) -> Receipt:
        """Refuse: nothing that is drawn can save itself."""
        raise ActionError(f"{effect.run}: a drawn allocation cannot save", recoverable=False)

    async def begin(self, effect: Effect, *, now: float) -> Receipt:
        """Release or restore at once; refuse what is expired, another run, or a save."""
        if now >= effect.expires:
            raise ActionError(f"{effect.run}: the intent has expired", recoverable=True)
        if effect.verb is Verb.RESTORE:
            self._stage.restore(effect.run.id)
            return Receipt(text="restored")
        if effect.verb is Verb.SAVE:
            return await self.prepare(effect)
        found = await self.recheck(effect.run)
        if found is not Recheck.SAME:
            raise ActionError(f"{effect.run}: the run is {found}", recoverable=False)
        if self._afterwards(effect.run) == "stays":
            return Receipt(text="taken, and ignored as drawn")
        try:
            self._stage.release(effect.run.id, now)
        except (OSError, ValueError) as error:
            raise ActionError(
                f"{effect.run}: cannot be noted as released: {error}", recoverable=False
            ) from error
        return Receipt(text="released")

    async def inspect(self, effect: Effect) -> Progress:
        """Read from the scenario whether the effect stands."""
        found = await self.recheck(effect.run)
        if effect.verb is Verb.RELEASE and found is not Recheck.SAME:
            again = self._afterwards(effect.run) == "returns"
            return Progress.RECREATED if again else Progress.DONE
        if effect.verb is Verb.RELEASE:
            return Progress.NOT_APPLIED
        released = self._stage.released_at(effect.run.id) is not None
        restored = effect.verb is Verb.RESTORE and not released
        return Progress.DONE if restored else Progress.NOT_APPLIED

    def _afterwards(self, run: Run) -> str:
        runs = [item for item in self._stage.scenario.allocations if self._is(item, run)]
        return runs[0].released if runs else "ends"

    def _is(self, item: ScenarioAllocation, run: Run) -> bool:
        return run_of(item, self._stage, self._cluster) == run
