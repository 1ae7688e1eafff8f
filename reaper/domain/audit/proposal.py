"""
What a policy would have returned from recorded jobs, as far as their averages can tell.

At least: every device at exactly zero to the end, the person's absence proven by nothing, released
in working hours.  Away: the same jobs, their people proven away, released at once.  At most: all
idle time of any job in one stretch at its end, everybody away.  Nobody asks to keep; a warning
arrives at once.  What is returned ends where the job did.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from operator import attrgetter
from typing import Final, NamedTuple

from reaper.domain.audit.bounds import STARTUP
from reaper.domain.audit.jobs import RecordedJob
from reaper.domain.audit.sums import Sums
from reaper.domain.facts.allocation import Allocation, Claim, Purpose, Run
from reaper.domain.facts.device import Device
from reaper.domain.judgement.hours import next_opening
from reaper.domain.judgement.policy import Policy, choose, longer_window

#: Kinds of jobs whose policy is held; beyond that they are judged anew.
_CHOSEN: Final = 1 << 16


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


_NOTHING: Final = _Freed()


def returned(
    jobs: Iterable[RecordedJob], policies: Sequence[Policy], zone: tzinfo
) -> tuple[Returned, ...]:
    """Return what each policy would have returned; the first that fits a job decides for it."""
    returning = Returning(policies, zone)
    returning.add(jobs)
    return returning.told()


class Returning:
    """Tells what policies would have returned, of jobs as they come, whatever their order."""

    def __init__(self, policies: Sequence[Policy], zone: tzinfo) -> None:
        self._policies, self._zone = tuple(policies), zone
        self._asked = attrgetter(*_asked(policies))
        # Every job is as old as none.
        self._ages = tuple({policy.match.older_than for policy in policies} - {0.0})
        self._chosen: dict[tuple[object, ...], Policy | None] = {}
        self._sums = {
            policy.name: _Sum(policy, zone, _releases(policy), _soonest(policy))
            for policy in policies
        }

    def add(self, jobs: Iterable[RecordedJob]) -> None:
        """Add jobs; the first policy that fits one decides for it."""
        if not self._policies:
            return
        for job in jobs:
            if (policy := self._policy(job)) is not None:
                self._sums[policy.name].add(job)
        for one in self._sums.values():
            one.condense()

    def told(self) -> tuple[Returned, ...]:
        """Return what each policy would have returned."""
        return tuple(self._sums[policy.name].told() for policy in self._policies)

    def _policy(self, job: RecordedJob) -> Policy | None:
        began = job.began or 0.0
        key = self._asked(job)
        if self._ages:
            age = began + job.seconds - began
            key = (key, tuple([age >= old for old in self._ages]))
        if key not in self._chosen:
            if len(self._chosen) >= _CHOSEN:
                self._chosen.clear()
            self._chosen[key] = choose(self._policies, _allocation(job), began + job.seconds)
        return self._chosen[key]


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


@dataclass(slots=True)
class _Sum:
    """What one policy would have returned, summed job by job."""

    policy: Policy
    zone: tzinfo
    acts: bool
    soonest: float
    """The shortest time from the first idle second to a release."""
    jobs: int = 0
    released_least: int = 0
    released_most: int = 0
    _sums: Sums[str] = field(default_factory=Sums)
    _condensed: int = 0

    def add(self, job: RecordedJob) -> None:
        freed = _NOTHING
        if self.acts:
            freed = _freed(job, self.policy, self.zone, self.soonest)
        self.jobs += 1
        self.released_least += freed.least > 0
        self.released_most += freed.most > 0
        self._sums.rows[""].append((job.cards * job.seconds, *freed))

    def condense(self) -> None:
        self._sums.condense(self.jobs - self._condensed)
        self._condensed = self.jobs

    def told(self) -> Returned:
        held, least, away, most, perhaps = self._sums.total([""], 5)
        return Returned(
            policy=self.policy.name,
            acts=self.acts,
            jobs=self.jobs,
            held=held,
            released_least=self.released_least,
            released_most=self.released_most,
            least=least,
            away=away,
            most=most,
            perhaps=perhaps,
        )


def _releases(policy: Policy) -> bool:
    return any(rung.step == "release" for rung in policy.rungs)


def _freed(job: RecordedJob, policy: Policy, zone: tzinfo, soonest: float) -> _Freed:
    grown = max(0.0, job.seconds - STARTUP)
    if len(job.usage) == 1 and job.usage[0].utilisation is None:
        return _Freed(0.0, 0.0, 0.0, job.cards * max(0.0, grown - soonest))
    rates = [usage.utilisation for usage in job.usage]
    if not rates:
        return _NOTHING
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
        delay = max(_warned(policy), longer_window(policy.idle_for))
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
