"""Jobs as a scheduler's books hold them, with everything that a test does not care about."""

from reaper.domain.audit.jobs import Outcome, RecordedJob, usage_of
from reaper.domain.facts.allocation import Purpose

HOUR = 3600.0
BEGAN = 1_800_007_200.0
"""A Friday, 10:00 UTC."""


def recorded(
    hours: float = 10.0, *, rates: tuple[float | None, ...] = (None,), **given: object
) -> RecordedJob:
    """Return a finished training job on one GPU, with these rates."""
    devices = given.pop("devices", 1)
    known = {
        "id": "101",
        "owner": "mira",
        "account": "vision",
        "partition": "gpu",
        "purpose": Purpose.TRAINING,
        "outcome": Outcome.COMPLETED,
        "submitted": BEGAN - HOUR,
        "began": BEGAN,
        "ended": BEGAN + hours * HOUR,
        "seconds": hours * HOUR,
        "devices": devices,
        "cards": float(devices),
    }
    job = RecordedJob(**{**known, **given})
    return job._replace(usage=usage_of(job, rates))
