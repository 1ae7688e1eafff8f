"""
When an abandoned allocation could have been released, by the words of the shipped policies.

Interactive: an hour of rest (four hours where nothing proves its person away), half an hour after
the last notice, all in working hours.  Everything else: five hours of rest, and two hours in which
somebody waits.  What is disturbed on the way begins anew.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from tests.campaign.truth import HOUR, PROVABLE, Cluster, Held, Span

_GRACE: Final = 30
_REST: Final = HOUR
_UNPROVEN: Final = 4 * HOUR
_BATCH: Final = 5 * HOUR
_WAITED: Final = 2 * HOUR + 10

#: Longest time in which an idle allocation counts as starting.
_START: Final = 20

#: Minutes after something is back until all is seen again.
_BACK: Final = 3

#: Why nothing can be due.
UNREACHED: Final = "its owner cannot be reached"
UNMEASURED: Final = "its host is not measured"
NOTIFIES: Final = "its policy releases nothing"


def abandoned_at(held: Held) -> int | None:
    """Return when nobody came back any more; None where somebody may."""
    last = held.doings[-1] if held.doings else None
    return last.begin if last is not None and last.use == "abandoned" else None


def why_never(held: Held) -> str:
    """Return why it is never due, or nothing."""
    if held.purpose == "inference" or held.requeueable:
        return NOTIFIES
    if not held.measured:
        return UNMEASURED
    return "" if held.reached else UNREACHED


def due_at(cluster: Cluster, held: Held) -> int | None:
    """Return the minute at which its release is due; None where it lies beyond the end."""
    since = abandoned_at(held)
    if since is None:
        return None
    rests = max(since, held.begin + _START, *(at + 1 for at in held.inputs[-1:]), 0)
    while True:
        release = _release(cluster, held, rests)
        if release is None:
            return None
        ends = [end for begin, end in _disturbances(cluster, held) if begin < release < end + 1]
        ends += [end for begin, end in _disturbances(cluster, held) if rests < end <= release]
        if not ends:
            return release
        rests = max(ends) + _BACK


def _release(cluster: Cluster, held: Held, rests: int) -> int | None:
    """Return the first minute in which a release may come after a rest that began."""
    if held.purpose == "interactive":
        rest = _REST if held.session in PROVABLE else _UNPROVEN
        first = rests + rest + _GRACE
        fits = cluster.working
        needed = _GRACE
    else:
        first = rests + _BATCH + _WAITED
        fits = partial(cluster.waited, gpus=held.gpus)
        needed = _WAITED
    run = 0
    for minute in range(first - needed, cluster.length):
        run = run + 1 if fits(minute) else 0
        if run > needed and minute >= first:
            return minute
    return None


def _disturbances(cluster: Cluster, held: Held) -> Iterator[Span]:
    """Yield when something hid it, stopped acts, or kept it."""
    for trouble in cluster.troubles:
        if trouble.node is None or trouble.node in held.nodes:
            yield trouble.begin, trouble.end
    yield from held.suspended
    yield from ((at, at + minutes) for at, minutes in held.keeps)
