"""How an audit explains itself: the rules by which its bounds were made, in sentences."""

from collections.abc import Iterator

from reaper.domain.audit.bounds import STARTUP
from reaper.domain.facts.allocation import Purpose
from reaper.domain.judgement.policy import LONGER, LONGER_AT_LEAST
from reaper.domain.money.waste import Waits


def rules(waits: Waits, zone: str, *, policies: bool) -> Iterator[str]:
    """Yield the rules and assumptions of an audit."""
    interactive, other = waits.of(Purpose.INTERACTIVE) / 60, waits.otherwise / 60
    yield "an execution counts once, a requeued job once for each run, steps never"
    yield "MIG instances count as the compute slices that they are of a card"
    yield (
        f"waste is idleness of at least {interactive:g} min (interactive) or {other:g} min, after "
        f"a start-up of {STARTUP / 60:g} min"
    )
    yield (
        "at least: a job whose average is exactly 0 % idled from its start-up to its end; one "
        "witness (utilisation) says so, and summaries that round call 0.04 % zero"
    )
    yield (
        "at most: a job at u % ran flat out u % of its time and idled the rest in one stretch; "
        "utilisation is time in which anything ran, so low use is not in it"
    )
    yield "a job without a recorded use is unknown: in neither bound, and shown"
    yield f"local times are of {zone}"
    if policies:
        yield from _policies()


def _policies() -> Iterator[str]:
    yield (
        "returned, at least: the jobs at 0 %, released in working hours, where nothing proves a "
        f"person's absence only after {LONGER} windows and at least {LONGER_AT_LEAST / 60:g} h"
    )
    yield "at 0 %, away: the same jobs, their people proven away, released at any hour"
    yield (
        "returned, at most: every job's idle rest in one stretch at its end, the person away, "
        "the release at once; both: nobody asks to keep, and a job ends where it did"
    )
    yield "a training job is taken to be one that may start again: the books do not say"


def bound(least: str, most: str) -> str:
    """Return two figures as a range, one where they are the same."""
    return least if least == most else f"{least}–{most}"
