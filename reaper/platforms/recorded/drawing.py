"""Drawn allocations and nodes in the words of a holder.  Pure."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal

from exporter.contract.scenario import (
    ScenarioAllocation,
    ScenarioWaiting,
    device_uuid,
)
from exporter.contract.stage import Stage
from reaper.domain.facts.allocation import Capacity, Claim, Place, Purpose, Run
from reaper.domain.facts.demand import Request

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
