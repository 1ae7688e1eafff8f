"""
Sources of activity: what devices did, as counters at a time.

It knows where pages come from, how they are written and when they are not to be trusted.
It refuses to know what idle means, who holds a device and what is done about it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field

from reaper.activity.exporters.settings import ExporterSettings
from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.activity.recorded.activity import RecordedSettings
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.ports import Activity, Clock

if TYPE_CHECKING:
    from reaper.activity.exporters.activity import ExporterActivity
    from reaper.activity.prometheus.activity import PrometheusActivity

ActivitySettings = Annotated[
    ExporterSettings | PrometheusSettings | RecordedSettings, Field(discriminator="kind")
]
"""Every kind of source there is."""


def _usual(value: Any) -> Any:  # noqa: ANN401 - as written
    """Take settings without a kind as those of the direct scrape."""
    if isinstance(value, Mapping) and "kind" not in value:
        return {"kind": "exporters", **value}
    return value


LiveSettings = Annotated[
    Annotated[ExporterSettings | PrometheusSettings, Field(discriminator="kind")],
    BeforeValidator(_usual),
    Field(json_schema_extra={"default-kind": "exporters"}),
]
"""Every kind of source that a configuration may name; without a kind, the direct scrape."""


def build(settings: ActivitySettings, *, clock: Clock, pace: Pace = NORMAL) -> Activity:
    """Make the source that the settings name; a live one must be closed."""
    if isinstance(settings, RecordedSettings):
        from reaper.activity.recorded import RecordedActivity

        return RecordedActivity(settings.staged(), clock=clock, pace=pace)
    return live(settings, clock=clock, pace=pace)


def live(
    settings: ExporterSettings | PrometheusSettings, *, clock: Clock, pace: Pace = NORMAL
) -> "ExporterActivity | PrometheusActivity":
    """Make a source that asks a network; it must be closed."""
    if isinstance(settings, PrometheusSettings):
        from reaper.activity.prometheus.activity import PrometheusActivity

        return PrometheusActivity(settings, clock=clock, pace=pace)
    from reaper.activity.exporters.activity import ExporterActivity

    return ExporterActivity(settings, clock=clock)
