"""
Slurm as an actor: releases one run in the gentlest way, signals it, puts it back.

Every act reads the job first and refuses one that is not the run that was judged.  Nothing here
waits for the end: :meth:`SlurmActor.inspect` reads how far an effect has come, after a crash too.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.facts.allocation import Run
from reaper.platforms.slurm.backend import UNLIMITED, Backend
from reaper.platforms.slurm.records.claiming import PLATFORM
from reaper.platforms.slurm.records.lead import lead
from reaper.platforms.slurm.records.record import Job
from reaper.platforms.slurm.release.refusals import Meaning, RefusedError
from reaper.platforms.slurm.release.saving import SlurmSaver
from reaper.platforms.slurm.release.shrinking import (
    LEAST,
    Former,
    clock_time,
    former,
    restored,
    shrunk,
    soon,
)
from reaper.ports import ActionError, Clock, Progress, Receipt, Recheck, SourceError

_log = logging.getLogger(__name__)

#: Refusals of a shorter limit that leave one gentle way: an explicit cancel.
_CANCEL_INSTEAD: Final = (Meaning.LIMIT, Meaning.NEVER)


class SlurmActor:
    """Does something to one run of a cluster."""

    name = PLATFORM

    def __init__(self, backend: Backend, clock: Clock, *, step: float = 60.0) -> None:
        self._backend = backend
        self._clock = clock
        self._saver = SlurmSaver(backend=backend, clock=clock, step=step)
        self._formers: dict[str, Former] = {}

    async def recheck(self, run: Run) -> Recheck:
        """Read the job again and say whether it is still this run, at work; raise ActionError."""
        job = await self._find(run)
        if job is None or (job.ended and job.key == run.key):
            return Recheck.GONE
        return Recheck.SAME if job.key == run.key and job.at_work else Recheck.CHANGED

    async def prepare(self, effect: Effect) -> Receipt:
        """Read what a save's proof will be compared with; raise ActionError."""
        job = await self._same(effect.run)
        mark = await self._saver.mark(job, effect)
        return Receipt(text=f"job {job.address}: {mark}; {self._before(job, effect)}")

    async def begin(self, effect: Effect, *, now: float) -> Receipt:
        """Begin an effect; raise ActionError when it is expired, refused or no longer fits."""
        if now >= effect.expires:
            raise ActionError(
                f"{effect.run}: the intent has expired; check again", recoverable=True
            )
        job = await self._same(effect.run)
        if effect.verb is Verb.RESTORE:
            return await self._restore(job, effect)
        if effect.verb is Verb.SAVE:
            before = self._formers.setdefault(job.key, self._before(job, effect))
            return Receipt(text=f"{await self._saver.ask(job, effect)}; {before}")
        if effect.requeue:
            return await self._requeue(job, effect)
        return await self._release(job, effect, now)

    async def inspect(self, effect: Effect) -> Progress:
        """Read how far an effect has come; raise ActionError."""
        job = await self._find(effect.run)
        if effect.verb is Verb.SAVE:
            return await self._proof(job, effect)
        if job is None:
            return _ended(effect)
        if job.key != effect.run.key:
            return _other_run(job, effect)
        if job.ended:
            return Progress.PENDING if job.completing else _ended(effect)
        return await self._standing(job, effect)

    # -------------------------------------------------------------- the verbs

    async def _release(self, job: Job, effect: Effect, now: float) -> Receipt:
        before = self._before(job, effect)
        self._formers[job.key] = before
        if await self._applied(job, effect, now):
            return Receipt(text=f"job {job.address} already ends {_when(job)}; {before}")
        limit = shrunk(job, now=now, lead=await self._lead(job))
        try:
            await self._backend.update(job.address, requeue=False, limit=limit)
        except RefusedError as error:
            if error.meaning not in _CANCEL_INSTEAD:
                raise
            return await self._cancel(job, before, error)
        shown = f"TimeLimit={limit}" if limit is not None else f"it ends {_when(job)} anyway"
        return Receipt(text=f"job {job.address}: {shown}, Requeue=0; {before}")

    async def _cancel(self, job: Job, before: Former, refusal: RefusedError) -> Receipt:
        if job.requeue:
            await self._backend.update(job.address, requeue=False)
        await self._backend.cancel(job.address)
        return Receipt(text=f"job {job.address} cancelled, because {refusal}; {before}")

    async def _requeue(self, job: Job, effect: Effect) -> Receipt:
        before = self._before(job, effect)
        if not job.batch or not before.requeue:
            raise ActionError(
                f"job {job.address} must not be requeued: its owner did not allow it; "
                "match `requeueable: true` in the policy",
                recoverable=False,
            )
        if not job.requeue:
            await self._backend.update(job.address, requeue=True)
        await self._backend.requeue(job.address)
        return Receipt(text=f"job {job.address} requeued; {before}")

    async def _restore(self, job: Job, effect: Effect) -> Receipt:
        if effect.flag_only:
            await self._backend.update(job.address, requeue=bool(effect.requeueable))
            return Receipt(text=f"job {job.address}: Requeue={int(bool(effect.requeueable))}")
        goal = self._goal(job, effect)
        if goal is None:
            raise ActionError(
                f"job {job.address}: its former limit is not known; put it back by hand: "
                f"scontrol update JobId={job.address} TimeLimit=… Requeue=…",
                recoverable=False,
            )
        limit = UNLIMITED if goal.limit is None else goal.limit
        await self._backend.update(job.address, requeue=goal.requeue, limit=limit)
        self._formers.pop(job.key, None)
        return Receipt(text=f"job {job.address} restored: {goal}")

    # -------------------------------------------------------------- reading

    async def _proof(self, job: Job | None, effect: Effect) -> Progress:
        """Look for the proof of a save on the run that was asked; another one proves nothing."""
        if job is None or (job.key == effect.run.key and job.ended):
            return Progress.GONE
        if job.key != effect.run.key:
            return Progress.RECREATED if job.restarts else Progress.GONE
        return await self._saver.look(job, effect)

    async def _find(self, run: Run) -> Job | None:
        """Return the record of a run's job id, whichever run of it is there now."""
        try:
            jobs = await self._backend.jobs((run.id,))
        except SourceError as error:
            raise ActionError(f"{run}: {error}", recoverable=True) from error
        named = [job for job in jobs if job.address == run.id]
        if odd := _unsure(named or jobs, named=bool(named)):
            raise ActionError(
                f"{run}: Slurm's record of job {odd.id} cannot be read: {odd.doubt}; "
                "look at it with: scontrol --detail show job",
                recoverable=True,
            )
        return next((job for job in named if job.key == run.key), next(iter(named), None))

    async def _same(self, run: Run) -> Job:
        job = await self._find(run)
        if job is None or job.key != run.key or job.ended:
            raise ActionError(f"{run} is no longer the run that was judged", recoverable=False)
        if not job.at_work:
            states = "+".join(sorted(job.states))
            raise ActionError(f"{run} is {states}, not running; check again", recoverable=True)
        return job

    async def _lead(self, job: Job) -> float:
        """Return the job's own signal lead, 0 where it has none or nobody can read it."""
        if not job.batch:
            return lead(job.submit_line, "")
        said = await asyncio.gather(
            self._said(self._backend.submit_line, job), self._said(self._backend.script, job)
        )
        return lead(*said)

    async def _said(self, ask: Callable[[str], Awaitable[str]], job: Job) -> str:
        try:
            return await ask(job.address)
        except SourceError as error:
            _log.info("no signal lead from job %s: %s", job.address, error)
            return ""

    def _before(self, job: Job, effect: Effect) -> Former:
        """Return what the job had before we first touched it, also when this is a repetition."""
        known = self._formers.get(job.key) or self._decided(job, effect)
        if known is not None and not job.requeue:
            return known
        return Former(limit=job.limit, requeue=job.requeue)

    async def _applied(self, job: Job, effect: Effect, now: float) -> bool:
        """
        Tell whether a release is visible on a run that is still there.

        Every release sets Requeue=0 and leaves a run that ends soon: sooner than it was to end
        when this was decided, unless nothing sooner was possible.
        """
        if job.requeue or job.ends is None or not soon(job, now=now):
            return False
        if effect.requeueable is None or effect.limit is None or job.ends < effect.limit - LEAST:
            return True
        return shrunk(job, now=now, lead=await self._lead(job)) is None

    def _goal(self, job: Job, effect: Effect) -> Former | None:
        return former(effect.former) or self._formers.get(job.key) or self._decided(job, effect)

    def _decided(self, job: Job, effect: Effect) -> Former | None:
        """Return what the claim said when the effect was decided, if that was written down."""
        if effect.requeueable is None:
            return None
        return Former(limit=restored(job, until=effect.limit), requeue=effect.requeueable)

    async def _standing(self, job: Job, effect: Effect) -> Progress:
        """Say how far an effect has come on a run that is still there."""
        if effect.flag_only:
            done = job.requeue == effect.requeueable
            return Progress.DONE if done else Progress.NOT_APPLIED
        applied = await self._applied(job, effect, self._clock.now())
        if effect.verb is Verb.RESTORE:
            return Progress.NOT_APPLIED if applied else Progress.DONE
        return Progress.PENDING if applied and not effect.requeue else Progress.NOT_APPLIED


def _unsure(jobs: Sequence[Job], *, named: bool) -> Job | None:
    """Return a record that leaves open how a run stands: its own, or one that may be its own."""
    odd = (job for job in jobs if job.nameless or (named and job.doubt and not job.ended))
    return next(odd, None)


def _ended(effect: Effect) -> Progress:
    """Say what it means that the run is gone: a release is done, a restore came too late."""
    return Progress.NOT_APPLIED if effect.verb is Verb.RESTORE else Progress.DONE


def _other_run(job: Job, effect: Effect) -> Progress:
    """Say what it means that the id now belongs to another run."""
    if job.completing:
        return Progress.PENDING
    if effect.requeue and not job.goes_on:
        return Progress.GONE
    if effect.verb is Verb.RESTORE or effect.requeue or job.ended:
        return _ended(effect)
    return Progress.RECREATED if job.restarts else Progress.DONE


def _when(job: Job) -> str:
    return "by itself" if job.ends is None else f"at {clock_time(job.ends)}"
