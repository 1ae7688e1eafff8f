"""The roles of the recorded platform: holder, demand and actor of one scenario."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal

from exporter.contract.scenario import (
    ScenarioAllocation,
    ScenarioWaiting,
    device_uuid,
)
from exporter.contract.stage import Stage
from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.facts.allocation import Capacity, Claim, Inventory, Place, Purpose, Run
from reaper.domain.facts.demand import Request, Waiting
from reaper.ports import ActionError, Claims, Clock, Progress, Receipt, Recheck, SourceError

PLATFORM: Final = "recorded"
Places = Literal["uuid", "index"]


def run_of(item: ScenarioAllocation, stage: Stage, cluster: str, platform: str = PLATFORM) -> Run:
    """Return a drawn allocation's identity."""
    started = stage.origin + item.begin
    return Run(
        cluster=cluster,
        platform=platform,
        id=item.id,
        key=f"{item.id}@{started:.0f}",
        started=started,
    )


def claim_of(
    item: ScenarioAllocation,
    stage: Stage,
    *,
    cluster: str,
    places: Places,
    now: float,
    platform: str = PLATFORM,
) -> Claim:
    """Return a drawn allocation as a claim."""
    purpose = Purpose(item.purpose) if item.purpose in set(Purpose) else Purpose.OTHER
    return Claim(
        run=run_of(item, stage, cluster, platform),
        places=tuple(_place(node, index, places) for node, index in item.holds),
        user=item.user,
        as_of=now,
        exclusive=item.share == 1,
        share=item.share,
        node_ids=(item.id,),
        name=item.name,
        account=item.account,
        partition=item.partition,
        team=item.team or item.account,
        qos=item.qos,
        namespace=item.namespace,
        labels=item.labels,
        limit=None if item.limit is None else stage.origin + item.limit,
        requeueable=item.requeueable,
        batch=purpose is not Purpose.INTERACTIVE,
        purpose=purpose,
        purpose_evidence=("the scenario says so",),
        resumed=_resumed(item, stage, now),
        doubt=_doubt(item, now - stage.origin),
    )


def _doubt(item: ScenarioAllocation, moment: float) -> str:
    """Return why its devices cannot be told: who is suspended does nothing, by no fault of his."""
    suspended = any(begin <= moment < end for begin, end in item.suspended)
    return "its scheduler has suspended it" if suspended else ""


def _resumed(item: ScenarioAllocation, stage: Stage, now: float) -> float | None:
    over = (stage.origin + end for _, end in item.suspended)
    return max((end for end in over if end <= now), default=None)


def _place(node: str, index: int, places: Places) -> Place:
    if places == "index":
        return Place(node=node, index=index)
    return Place(node=node, gpu=device_uuid(node, index))


def capacities(stage: Stage, now: float) -> Iterator[Capacity]:
    """Yield every node's GPUs and how many of them are held."""
    held = Counter(name for name, _ in {at for item in stage.running(now) for at in item.holds})
    named: dict[str, set[str]] = {}
    for item in stage.scenario.allocations:
        for name in {name for name, _ in item.holds if item.partition}:
            named.setdefault(name, set()).add(item.partition)
    for node in stage.scenario.nodes:
        yield Capacity(
            node=node.name,
            gpus=len(node.tracks),
            model=node.model,
            allocated=held[node.name],
            partitions=tuple(sorted(named.get(node.name, ()))),
        )


def requests(stage: Stage, now: float) -> Iterator[Request]:
    """Yield what waits: what is drawn under an id stands until the next one of it."""
    moment = now - stage.origin
    present: dict[str, tuple[float, ScenarioWaiting]] = {}
    for drawn in sorted(stage.scenario.waiting, key=lambda one: one.at):
        if drawn.at > moment:
            break
        since, before = present.get(drawn.id, (drawn.at, None))
        goes_on = before is not None and before.gpus and drawn.gpus
        present[drawn.id] = (since if goes_on else drawn.at, drawn)
    for since, drawn in present.values():
        if drawn.gpus:
            yield Request(
                id=drawn.id,
                gpus=drawn.gpus,
                since=stage.origin + since,
                partitions=drawn.partitions,
                model=drawn.model,
                user=drawn.user,
                startable=not drawn.blocked,
            )


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
