"""The status as the API tells it: apart, since whoever asks for it alone starts at once."""

from dataclasses import dataclass

from reaper.domain.picture import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """
    The picture of the last cycle; `rate` is how many times as fast as the world `now` runs.

    `whole` tells whether it lists every allocation, or only those of who asks.  `headline` is what
    is said first of it.
    """

    now: float
    rate: float
    picture: Picture
    whole: bool = True
    headline: str = ""
