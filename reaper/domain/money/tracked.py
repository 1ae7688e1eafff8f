"""Under which name the letters of a tenure are kept: the device's, or its tenant's own."""

from reaper.domain.facts.tenant import own_name
from reaper.domain.money.entries import Tenure


def track_of(tenure: Tenure) -> str:
    """Return a track's name; who was given a part of a device is booked by its own letters."""
    shared = tenure.gpu and tenure.share < tenure.size
    return own_name(tenure.gpu, tenure.run.key) if shared else tenure.gpu
