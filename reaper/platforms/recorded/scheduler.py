"""The roles of the recorded platform: holder, demand and actor of one scenario."""

from exporter.contract.scenario import ScenarioAllocation
from exporter.contract.stage import Stage
from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.facts.allocation import Inventory, Run
from reaper.domain.facts.demand import Waiting
from reaper.platforms.recorded.drawing import (
    PLATFORM,
    Places,
    capacities,
    claim_of,
    requests,
    run_of,
)
from reaper.ports import ActionError, Claims, Clock, Progress, Receipt, Recheck, SourceError


class RecordedHolder:
    """Says who holds what at the clock's time; `only` what is drawn as of one platform."""

    def __init__(
        self,
        stage: Stage,
        *,
        cluster: str,
        clock: Clock,
        places: Places = "uuid",
        only: str | None = None,
    ) -> None:
        self.name = only or PLATFORM
        self._stage = stage
        self._cluster = cluster
        self._clock = clock
        self._places: Places = places
        self._only = only

    async def claims(self, inventory: Inventory) -> Claims:
        """Return every allocation that runs, and every node."""
        now, stage = self._clock.now(), self._stage
        if stage.happens("outage", now, of="scheduler"):
            raise SourceError("the scenario draws an outage of the scheduler here")
        return Claims(
            as_of=now,
            claims=tuple(
                claim_of(
                    item,
                    stage,
                    cluster=self._cluster,
                    places=self._places,
                    now=now,
                    platform=self.name,
                )
                for item in stage.running(now)
                if self._only in (None, item.platform)
            ),
            capacities=tuple(capacities(stage, now)),
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
    """Ends allocations of the scenario, takes that back, and asks them to save themselves."""

    def __init__(self, stage: Stage, *, cluster: str, clock: Clock, name: str = PLATFORM) -> None:
        self.name = name
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
        """Return that the newest file is an older one: what is drawn writes the next when asked."""
        if self._drawn(effect.run) is None:
            raise ActionError(f"{effect.run} is not drawn", recoverable=False)
        return Receipt(text="an older file")

    async def begin(self, effect: Effect, *, now: float) -> Receipt:
        """Release, restore or ask at once; refuse what is expired, or another run."""
        if now >= effect.expires:
            raise ActionError(f"{effect.run}: the intent has expired", recoverable=True)
        if effect.verb is Verb.RESTORE:
            if not effect.flag_only:
                self._stage.restore(effect.run.id)
            return Receipt(text="restored")
        found = await self.recheck(effect.run)
        if found is not Recheck.SAME:
            raise ActionError(f"{effect.run}: the run is {found}", recoverable=False)
        item = self._drawn(effect.run)
        if item is not None and effect.verb is Verb.SAVE:
            self._stage.ask(item, now)
            return Receipt(text=f"{effect.signal} sent")
        if item is not None and item.released == "stays":
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
        item = self._drawn(effect.run)
        if effect.verb is Verb.SAVE:
            return self._saved(item, found)
        if effect.flag_only:
            return Progress.DONE
        if effect.verb is Verb.RELEASE and found is not Recheck.SAME:
            again = item is not None and item.released == "returns"
            return Progress.RECREATED if again else Progress.DONE
        if effect.verb is Verb.RELEASE:
            return Progress.NOT_APPLIED
        released = self._stage.released_at(effect.run.id) is not None
        return Progress.NOT_APPLIED if released else Progress.DONE

    def _saved(self, item: ScenarioAllocation | None, found: Recheck) -> Progress:
        if found is not Recheck.SAME or item is None:
            return Progress.GONE
        saved = self._stage.saved(item, self._clock.now())
        return Progress.DONE if saved else Progress.NOT_APPLIED

    def _drawn(self, run: Run) -> ScenarioAllocation | None:
        runs = (item for item in self._stage.scenario.allocations if self._is(item, run))
        return next(runs, None)

    def _is(self, item: ScenarioAllocation, run: Run) -> bool:
        return run_of(item, self._stage, self._cluster, self.name) == run
