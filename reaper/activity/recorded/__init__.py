"""
Activity that plays a scenario at the clock's time, for replays and demonstrations.

It knows what a drawn letter looks like and counts as an exporter would.
It refuses to know how letters are classified: they must come back by the one definition.
"""

from reaper.activity.recorded.activity import RecordedActivity
from reaper.activity.recorded.serving import RecordedServing
from reaper.activity.recorded.settings import RecordedSettings

__all__ = ["RecordedActivity", "RecordedServing", "RecordedSettings"]
