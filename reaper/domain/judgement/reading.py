"""
By which policy a job is judged in which somebody looks around: by the one that releases later.

Evidence of a person can only delay: an editor that was opened in a job makes it no session that is
released after an hour, and no session becomes a job that is released at night.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.sign import EARLIER, PROVES, WORKPLACES
from reaper.domain.judgement.policy import Exemption, Mode, Policy, choose, longer_window

#: What a holder calls what runs by itself.
_JOBS: Final = frozenset((Purpose.TRAINING, Purpose.DEFERRED, Purpose.INFERENCE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An allocation as it is judged, and by which policy; None for no policy."""

    allocation: Allocation
    policy: Policy | None


def judged(policies: tuple[Policy, ...], allocation: Allocation, now: float) -> Judged:
    """Return how an allocation is judged; of two readings of a job by the one released later."""
    found = [
        Judged(allocation=one, policy=choose(policies, one, now)) for one in _readings(allocation)
    ]
    return max(found, key=_later)


def exempted(
    exemptions: Iterable[Exemption], allocation: Allocation, now: float
) -> Exemption | None:
    """Return the exemption that covers an allocation, as whatever it is read; None without one."""
    readings = _readings(allocation)
    return next(
        (item for item in exemptions if any(item.covers(one, now) for one in readings)), None
    )


def _readings(allocation: Allocation) -> tuple[Allocation, ...]:
    """
    Return what an allocation may be read as.

    Its holder says that it is a job; that somebody looks into it makes it no session, and a
    kernel may run without anybody.
    """
    claim = allocation.claim
    session = any(sign.kind in WORKPLACES for sign in allocation.signs)
    job = claim.batch or claim.purpose in _JOBS
    if not (job and session) or allocation.front is not None or claim.purpose_ruled:
        return (allocation,)
    return tuple(
        replace(allocation, read_as=purpose) for purpose in (claim.purpose, Purpose.INTERACTIVE)
    )


def _later(one: Judged) -> tuple[float, bool, float, float]:
    """Order by when a release may come: never, only while jobs wait, window, grace."""
    policy = one.policy
    releases = policy is not None and any(rung.step == "release" for rung in policy.acts)
    if policy is None or policy.mode is not Mode.ACT or not releases:
        return (inf, True, inf, inf)
    return (0.0, policy.demand == "waiting", _window(one.allocation, policy), policy.grace)


def _window(allocation: Allocation, policy: Policy) -> float:
    unproven = any(sign.kind not in PROVES | {EARLIER} for sign in allocation.signs)
    if allocation.purpose is not Purpose.INTERACTIVE or not unproven:
        return policy.idle_for
    if policy.presence_unknown == "hold":
        return inf
    return longer_window(policy.idle_for)
