"""How runs ended, as a platform remembers them for a while."""

from collections.abc import Iterable
from dataclasses import dataclass

from reaper.domain.facts.allocation import Purpose, Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A run with GPUs that is over; `outcome` in the words of recorded jobs."""

    key: str
    """Its `Run.key`; another word of its own where only accounting knows it."""
    outcome: str
    partition: str = ""
    purpose: Purpose = Purpose.OTHER
    at: float | None = None
    """When it ended; None where the platform does not say."""
    id: str = ""
    """Its `Run.id`, with when it began, where its key is not known."""
    began: float | None = None


def ends_of(ended: Iterable[Ended], runs: Iterable[Run]) -> dict[str, float]:
    """
    Return when runs ended, by key: as they are named, or by their id and the second they began.

    One id may have had several runs, and clocks of a platform and its accounting agree to a second.
    """
    told = [(one, one.at) for one in ended if one.at is not None]
    by_key = {one.key: at for one, at in told}
    begun = {(one.id, int(one.began)): at for one, at in told if one.began is not None}
    if begun:
        for run in runs:
            seconds = (int(run.started) + off for off in (0, -1, 1))
            found = (begun[run.id, at] for at in seconds if (run.id, at) in begun)
            if run.key not in by_key and (at := next(found, None)) is not None:
                by_key[run.key] = at
    return by_key
