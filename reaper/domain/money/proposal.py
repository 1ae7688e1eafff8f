"""
What a policy would have returned from recorded jobs, as far as their averages can tell.

At least: every device at exactly zero to the end, the person's absence proven by nothing, released
in working hours.  Away: the same jobs, their people proven away, released at once.  At most: all
idle time of any job in one stretch at its end, everybody away.  Nobody asks to keep; a warning
arrives at once.  What is returned ends where the job did.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from math import fsum
from typing import Final, NamedTuple

from reaper.domain.facts.allocation import Allocation, Claim, Purpose, Run
from reaper.domain.facts.device import Device
from reaper.domain.judgement.hours import next_opening
from reaper.domain.judgement.policy import Policy, choose
from reaper.domain.money.bounds import STARTUP
from reaper.domain.money.jobs import RecordedJob

#: Where nothing proves a person's absence: so many windows, at least so long.
LONGER: Final = 4
LONGER_AT_LEAST: Final = 4 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """
    What one policy would have done: jobs it is for, jobs released, card-seconds returned.

    `perhaps` is what jobs of unknown use would have returned if they had idled throughout.
    """

    policy: str
    acts: bool
    jobs: int = 0
    held: float = 0.0
    released_least: int = 0
    released_most: int = 0
    least: float = 0.0
    away: float = 0.0
    most: float = 0.0
    perhaps: float = 0.0


class _Freed(NamedTuple):
    least: float = 0.0
    away: float = 0.0
    most: float = 0.0
    perhaps: float = 0.0


def returned(
    jobs: Iterable[RecordedJob], policies: Sequence[Policy], zone: tzinfo
) -> tuple[Returned, ...]:
    """Return what each policy would have returned; the first that fits a job decides for it."""
    groups: dict[str, list[RecordedJob]] = {policy.name: [] for policy in policies}
    chosen: dict[tuple[object, ...], Policy | None] = {}
    asked, ages = _asked(policies), tuple({policy.match.older_than for policy in policies})
    for job in jobs if policies else ():
        began = job.began or 0.0
        age = began + job.seconds - began
        key = (*(getattr(job, name) for name in asked), *(age >= old for old in ages))
        if key not in chosen:
            chosen[key] = choose(tuple(policies), _allocation(job), began + job.seconds)
        if (policy := chosen[key]) is not None:
            groups[policy.name].append(job)
    return tuple(_by(policy, groups[policy.name], zone) for policy in policies)


#: What a policy may match, and what of a recorded job it is.
_MATCHED: Final = {
    "platform": "platform",
    "cluster": "cluster",
    "partition": "partition",
    "qos": "qos",
    "account": "account",
    "team": "account",
    "user": "owner",
    "model": "model",
    "name": "name",
}


def _asked(policies: Iterable[Policy]) -> tuple[str, ...]:
    """Return what of a job decides which policy is for it, but for its age."""
    matches = [policy.match for policy in policies]
    named = {field for match in matches for name, field in _MATCHED.items() if getattr(match, name)}
    return ("devices", "purpose", *sorted(named))


def _by(policy: Policy, jobs: Sequence[RecordedJob], zone: tzinfo) -> Returned:
    acts, soonest = _releases(policy), _soonest(policy)
    freed = [_freed(job, policy, zone, soonest) for job in jobs] if acts else []
    return Returned(
        policy=policy.name,
        acts=acts,
        jobs=len(jobs),
        held=fsum(job.held for job in jobs),
        released_least=sum(one.least > 0 for one in freed),
        released_most=sum(one.most > 0 for one in freed),
        least=fsum(one.least for one in freed),
        away=fsum(one.away for one in freed),
        most=fsum(one.most for one in freed),
        perhaps=fsum(one.perhaps for one in freed),
    )


def _releases(policy: Policy) -> bool:
    return any(rung.step == "release" for rung in policy.rungs)


def _freed(job: RecordedJob, policy: Policy, zone: tzinfo, soonest: float) -> _Freed:
    rates = [usage.utilisation for usage in job.usage]
    if not rates:
        return _Freed()
    grown = max(0.0, job.seconds - STARTUP)
    known = [rate for rate in rates if rate is not None]
    if len(known) < len(rates):
        return _Freed(perhaps=job.cards * max(0.0, grown - soonest))
    # The whole allocation is judged: it idles only while every device does.
    together = min(grown, *(job.seconds * (1 - rate) for rate in known))
    certain = 0.0 if any(known) else job.cards
    return _Freed(
        least=certain * _surely(job, policy, zone) if certain else 0.0,
        away=certain * max(0.0, grown - soonest),
        most=job.cards * max(0.0, together - soonest),
    )


def _soonest(policy: Policy) -> float:
    """Return the shortest time from the first idle second to a release."""
    return _warned(policy) + policy.grace


def _warned(policy: Policy) -> float:
    return max([policy.idle_for, *(rung.after for rung in policy.warnings)])


def _surely(job: RecordedJob, policy: Policy, zone: tzinfo) -> float:
    """Return how long before its end a job that always idled would have been released."""
    if job.began is None or policy.demand == "waiting":
        return 0.0
    if job.purpose is not Purpose.INTERACTIVE:
        delay = _warned(policy)
    elif policy.presence_unknown == "hold":
        return 0.0
    else:
        delay = max(_warned(policy), LONGER * policy.idle_for, LONGER_AT_LEAST)
    due = job.began + STARTUP + delay + policy.grace
    if not policy.any_hour:
        due = next_opening(policy.hours, due, zone)
    return max(0.0, job.began + job.seconds - due)


def _allocation(job: RecordedJob) -> Allocation:
    """
    Return a recorded job as policies see it.

    Books do not say whether a job may start again; a scheduler's batch jobs usually may.
    """
    run = Run(
        cluster=job.cluster,
        platform=job.platform,
        id=job.id,
        key=job.id,
        started=job.began or 0.0,
    )
    claim = Claim(
        run=run,
        places=(),
        user=job.owner,
        as_of=0.0,
        name=job.name,
        account=job.account,
        partition=job.partition,
        qos=job.qos,
        team=job.account,
        purpose=job.purpose,
        requeueable=job.purpose is Purpose.TRAINING,
    )
    device = Device(gpu="", node="", model=job.model)
    return Allocation(run=run, devices=(device,), expected=job.devices, claim=claim)
