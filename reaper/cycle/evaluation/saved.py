"""What a case's save means for the facts: its minutes are its own, its flag is not the owner's."""

from dataclasses import replace

from reaper.domain.escalation.case import Case
from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import AT_WORK, QUIET, Host
from reaper.domain.facts.minute import ACTIVE, ENGINE_ONLY, HELD, LOW
from reaper.domain.facts.track import Track

#: Letters of work, and what stands for them while a run saves itself: never one of blindness.
_DEVICE = str.maketrans(dict.fromkeys((ACTIVE, LOW, ENGINE_ONLY), HELD))
_HOST = str.maketrans({AT_WORK: QUIET})


def as_before(allocation: Allocation, case: Case | None, now: float, pace: Pace) -> Allocation:
    """Return the allocation as its owner made it: a save switches its requeue flag off."""
    saving = case.saving if case else None
    if saving is None or (saving.lapsed is not None and now > saving.lapsed + pace.fresh):
        return allocation
    return replace(allocation, claim=replace(allocation.claim, requeueable=saving.requeueable))


def without_save(track: Track, case: Case | None, pace: Pace) -> Track:
    """Return a device's track for judging: what a proven save did is no work of the run's."""
    return _masked(track, case, pace, _DEVICE)


def host_without_save(host: Host | None, case: Case | None, pace: Pace) -> Host | None:
    """Return a host for judging; None where there is none."""
    if host is None or case is None or case.saving is None:
        return host
    return replace(host, track=_masked(host.track, case, pace, _HOST))


def of_save(minute: int, case: Case, pace: Pace) -> bool:
    """Tell whether a minute is one in which the run was saving itself."""
    if case.saving is None or case.saving.asked is None:
        return False
    end = case.saving.proven or case.saving.lapsed
    return pace.minute(case.saving.asked) <= minute and (end is None or minute <= pace.minute(end))


def _masked(track: Track, case: Case | None, pace: Pace, letters: dict[int, str]) -> Track:
    saving = case.saving if case else None
    if saving is None or saving.asked is None or saving.proven is None or saving.lapsed is not None:
        return track
    begin = max(0, pace.minute(saving.asked) - track.start)
    end = max(0, pace.minute(saving.proven) + 1 - track.start)
    held = track.letters[begin:end].translate(letters)
    return replace(track, letters=track.letters[:begin] + held + track.letters[end:])
