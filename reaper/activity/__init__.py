"""
Sources of activity: what devices did, as counters at a time.

It knows where pages come from, how they are written and when they are not to be trusted.
It refuses to know what idle means, who holds a device and what is done about it.
"""

from typing import Annotated

from pydantic import Field

from reaper.activity.exporters.settings import ExporterSettings
from reaper.activity.recorded.settings import RecordedSettings
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.ports import Activity, Clock

ActivitySettings = Annotated[ExporterSettings | RecordedSettings, Field(discriminator="kind")]
"""Every kind of source there is."""


def build(settings: ActivitySettings, *, clock: Clock, pace: Pace = NORMAL) -> Activity:
    """Make the source that the configuration names; one from exporters must be closed."""
    if isinstance(settings, RecordedSettings):
        from reaper.activity.recorded import RecordedActivity

        return RecordedActivity(settings.staged(), clock=clock, pace=pace)
    from reaper.activity.exporters.activity import ExporterActivity

    return ExporterActivity(settings, clock=clock)
