"""Turns job records into claims: one for every run, the components of a het job united."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reaper.domain.facts.allocation import Claim, Place, Run
from reaper.platforms.slurm.records.gres import count
from reaper.platforms.slurm.records.purpose import Rule, purpose
from reaper.platforms.slurm.records.record import Job

PLATFORM = "slurm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What claims are made on: the cluster, the instant, doubts by node, an operator's rules."""

    cluster: str
    as_of: float
    doubts: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()


def claims(jobs: Iterable[Job], ground: Ground, before: Mapping[int, Claim]) -> Mapping[int, Claim]:
    """
    Return the claims by job id (of component 0), from the records and from the claims `before`.

    A job that completes still holds its nodes, but Slurm no longer says which GPUs: it keeps the
    claim it had.  What is said again is the same claim: nobody need look at it anew.
    """
    groups: dict[int, list[Job]] = {}
    for job in sorted(jobs, key=lambda item: (item.offset, item.id)):
        if job.live or job.completing:
            groups.setdefault(job.het or job.id, []).append(job)
    strays = [job for members in groups.values() for job in members if job.nameless]
    found: dict[int, Claim] = {}
    for ident, members in groups.items():
        live = [job for job in members if job.live]
        if any(job.nameless for job in members):
            found |= _kept(ident, members, ground, before)
        elif live and any(job.unclear or _holds(job) for job in live):
            claim = _astray(_claim(live, ground), live[0], strays)
            known = before.get(ident)
            found[ident] = known if known == claim else claim
        elif not live and ident in before:
            found[ident] = before[ident]
    return found


def _holds(job: Job) -> bool:
    return any(count(items) for items in job.gpus)


def _kept(
    ident: int, members: Sequence[Job], ground: Ground, before: Mapping[int, Claim]
) -> Mapping[int, Claim]:
    """Return the claim that a job had while nobody can say which run its record is of."""
    doubt = next(job.doubt for job in members if job.nameless)
    if ident not in before:
        return {}
    return {ident: replace(before[ident], as_of=ground.as_of, doubt=doubt)}


def _astray(claim: Claim, first: Job, strays: Sequence[Job]) -> Claim:
    """Doubt a het job of which a component may be one whose record does not say so."""
    if not first.het or claim.doubt:
        return claim
    for job in strays:
        if (job.user, job.submitted) == (first.user, first.submitted):
            return replace(claim, doubt=f"job {job.id} may belong to it: {job.doubt}")
    return claim


def run_of(job: Job, cluster: str) -> Run:
    """Return a job's run; of a het job, call it with component 0."""
    return Run(cluster=cluster, platform=PLATFORM, id=job.address, key=job.key, started=job.started)


def _claim(live: Sequence[Job], ground: Ground) -> Claim:
    first = live[0]
    kind, evidence, ruled = purpose(first, ground.rules)
    places = tuple(place for job in live for place in _places(job))
    idents = tuple(str(job.id) for job in live)
    return Claim(
        run=run_of(first, ground.cluster),
        places=places,
        user=first.user,
        as_of=ground.as_of,
        node_ids=(*idents, *(job.sluid for job in live if job.sluid)),
        members=idents if idents != (first.address,) else (),
        name=first.name,
        account=first.account,
        partition=first.partition,
        qos=first.qos,
        submitted=first.submitted,
        limit=min((job.ends for job in live if job.ends is not None), default=None),
        requeueable=first.batch and all(job.requeue for job in live),
        batch=first.batch,
        restarts=first.restarts,
        resumed=max(job.paused for job in live) or None,
        purpose=kind,
        purpose_evidence=evidence,
        purpose_ruled=ruled,
        reserved=first.reservation,
        doubt=_doubt(live, places, ground.doubts),
    )


def _places(job: Job) -> Iterable[Place]:
    for node, items in zip(job.nodes, job.gpus, strict=False):
        for item in items:
            for index in item.indices or (None,) * item.count:
                yield Place(node=node, index=index)


def _doubt(live: Sequence[Job], places: Sequence[Place], doubts: Mapping[str, str]) -> str:
    first = live[0]
    if first.het and first.offset:
        return f"component 0 of het job {first.het} cannot be seen"
    reasons = [job.doubt for job in live if job.doubt]
    reasons += [f"Slurm has suspended job {job.id}" for job in live if job.suspended]
    reasons += [doubts[place.node] for place in places if place.node in doubts]
    reasons += [
        f"{place.node}: Slurm does not say which GPUs (IDX:N/A)"
        for place in places
        if place.index is None
    ]
    return next(iter(reasons), "")
