"""
Asks a batch job to save itself, and looks for the proof through Slurm itself.

Requeue=0 comes before the signal: handlers of Lightning and submitit requeue the job themselves.
"""

from dataclasses import dataclass, field
from typing import Final

from reaper.domain.escalation.decision import Effect
from reaper.platforms.slurm.backend import Backend
from reaper.platforms.slurm.records.record import Job
from reaper.platforms.slurm.release import proof
from reaper.ports import ActionError, Clock, Progress

#: Share of a step of the grid between two looks: 15 s at the normal pace.
_BETWEEN: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    at: float
    found: proof.Found


@dataclass(slots=True, kw_only=True)
class SlurmSaver:
    """Saves of one cluster; it remembers the last look at each, and a crash only costs one more."""

    backend: Backend
    clock: Clock
    step: float
    _looks: dict[str, _Look] = field(default_factory=dict)

    async def mark(self, job: Job, effect: Effect) -> str:
        """Return the time by the file server after which a file must be written."""
        self._refuse_interactive(job)
        where = _path(job, effect)
        said = await self.backend.beside(job, proof.MARK, (where,))
        return proof.written(proof.marked(said))

    async def ask(self, job: Job, effect: Effect) -> str:
        """Switch self-requeue off, send the signal, and return what was done."""
        self._refuse_interactive(job)
        await self.backend.update(job.address, requeue=False)
        if effect.target == "batch":
            await self.backend.signal_batch(job.address, effect.signal)
        else:
            await self._signal_steps(job, effect.signal)
        sent = f"{effect.signal} sent to the {effect.target} of job {job.address}, Requeue=0"
        return f"{sent}; {proof.written(proof.kept(effect.former))}"

    async def look(self, job: Job, effect: Effect) -> Progress:
        """Look whether a newer file is there and the same as at the last look."""
        mark = proof.kept(effect.former)
        if not mark:
            return Progress.NOT_APPLIED
        now, last = self.clock.elapsed(), self._looks.get(effect.id)
        if last is not None and now - last.at < _BETWEEN * self.step:
            return Progress.PENDING
        said = await self.backend.beside(job, proof.LOOK, (_path(job, effect), mark))
        found = proof.found(said)
        self._looks[effect.id] = _Look(at=now, found=found)
        complete = bool(found.files) and last is not None and last.found == found
        if complete:
            del self._looks[effect.id]
        return Progress.DONE if complete else Progress.PENDING

    async def _signal_steps(self, job: Job, name: str) -> None:
        """Signal each step by its id: a signal to the whole job ends sessions adopted into it."""
        steps = await self.backend.steps(job.address)
        if not steps:
            raise ActionError(f"job {job.address} has no step to signal", recoverable=False)
        for step in steps:
            await self.backend.signal_step(step, name)

    def _refuse_interactive(self, job: Job) -> None:
        if not job.batch:
            raise ActionError(
                f"job {job.address} is interactive: a signal would end its shell; release it only",
                recoverable=False,
            )


def _path(job: Job, effect: Effect) -> str:
    if effect.save is None:
        raise ActionError(f"{effect.run}: nothing says what proves a save", recoverable=False)
    return proof.path(effect.save.path, job)
