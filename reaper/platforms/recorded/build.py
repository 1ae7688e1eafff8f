"""Puts the recorded platform together, from its settings or from a stage that others share."""

from typing import Final

from exporter.contract.stage import Stage
from reaper.platforms.platform import Builder, Finding, Platform, Surroundings
from reaper.platforms.recorded.scheduler import (
    PLATFORM,
    Places,
    RecordedActor,
    RecordedDemand,
    RecordedHolder,
)
from reaper.platforms.recorded.settings import RecordedPlatformSettings


def build(settings: RecordedPlatformSettings, around: Surroundings) -> Platform:
    """Return the roles of the scenario that the settings name."""
    return staged(settings.staged(), around, places=settings.places)


def staged(
    stage: Stage, around: Surroundings, *, places: Places = "uuid", only: str | None = None
) -> Platform:
    """
    Return the roles of a scenario on a stage that an activity source may share.

    With `only` they are those of one of the platforms that are drawn.
    """
    cluster, clock = around.cluster, around.clock

    async def check() -> tuple[Finding, ...]:
        title = stage.scenario.title or "a scenario without a title"
        return (Finding(subject=PLATFORM, ok=True, what=f"plays {title}"),)

    return Platform(
        name=only or PLATFORM,
        check=check,
        holder=RecordedHolder(stage, cluster=cluster, clock=clock, places=places, only=only),
        demand=RecordedDemand(stage, clock=clock),
        actor=RecordedActor(stage, cluster=cluster, clock=clock, name=only or PLATFORM),
    )


BUILDER: Final = Builder(settings=RecordedPlatformSettings, build=build)
