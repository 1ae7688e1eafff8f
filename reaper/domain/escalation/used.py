"""When an allocation was used last, as far as that is known; pure."""

from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.sign import NOBODY
from reaper.domain.judgement.verdict import Verdict


def last_used(allocation: Allocation, verdict: Verdict) -> float | None:
    """
    Return when its GPUs or its host worked last or its person was there, in Unix seconds.

    None where it is in use, or where nobody can tell: a session whose input is not read, or an
    interactive allocation of which no session is seen.
    """
    if verdict.since is None or verdict.works:
        return None
    people = [sign for sign in allocation.signs if sign.kind not in NOBODY]
    unread = any(sign.last_seen is None or sign.state != "ok" for sign in people)
    unseen = not people and allocation.purpose is Purpose.INTERACTIVE
    if unread or unseen:
        return None
    inputs = [sign.last_seen for sign in people if sign.last_seen is not None]
    worked = [] if verdict.host_worked is None else [verdict.host_worked]
    return max((verdict.since, *worked, *inputs))
