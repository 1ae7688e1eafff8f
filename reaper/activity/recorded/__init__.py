"""
Activity that plays a scenario at the clock's time, for replays and demonstrations.

It knows what a drawn letter looks like and counts as an exporter would.
It refuses to know how letters are classified: they must come back by the one definition.
"""

from reaper.activity.recorded.activity import RecordedActivity, RecordedSettings
from reaper.activity.recorded.around import RecordedServing

__all__ = ["RecordedActivity", "RecordedServing", "RecordedSettings"]
