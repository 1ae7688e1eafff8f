"""An actor at the port: releases, saves and requeues runs of a drawn cluster."""

from dataclasses import dataclass, field, replace

from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.facts.allocation import Claim, Run
from reaper.ports import ActionError, Progress, Receipt, Recheck
from tests.fakes import Cluster


@dataclass(slots=True)
class FakeActor:
    """Releases runs of a drawn cluster; keeps what it was asked to do."""

    cluster: Cluster
    name: str = "slurm"
    begun: list[Effect] = field(default_factory=list)
    refuses: str = ""
    ignores: bool = False
    """Takes a release and does nothing."""
    proofs: set[str] = field(default_factory=set)
    """Keys of the runs that have saved themselves."""
    errors: dict[str, list[ActionError]] = field(default_factory=dict)
    """What `prepare`, a verb's begin or `proof` fail with, one a call, before they succeed."""

    async def recheck(self, run: Run) -> Recheck:
        """Say whether the run is still there."""
        claim = self.cluster.claims.get(run.id)
        if claim is None:
            return Recheck.GONE
        return Recheck.SAME if claim.run.key == run.key else Recheck.CHANGED

    async def prepare(self, effect: Effect) -> Receipt:
        """Note what was there before a save."""
        self._fail("prepare")
        return Receipt(text=f"nothing yet of {effect.run}")

    async def begin(self, effect: Effect, *, now: float) -> Receipt:
        """Release, save or restore at once; a save switches the flag off, a requeue starts anew."""
        if now >= effect.expires:
            raise ActionError("expired", recoverable=True)
        if self.refuses:
            raise ActionError(self.refuses, recoverable=False)
        self._fail(effect.verb)
        self.begun.append(effect)
        if effect.verb is Verb.RELEASE and not self.ignores:
            self._requeue(effect.run) if effect.requeue else self._release(effect.run)
        if effect.verb is Verb.SAVE and self.cluster.saves:
            self.proofs.add(effect.run.key)
        if effect.verb in (Verb.SAVE, Verb.RESTORE) and effect.run.id in self.cluster.claims:
            self._flag(effect.run, flag=effect.verb is Verb.RESTORE and bool(effect.requeueable))
        return Receipt(text=f"{effect.verb} taken")

    def _requeue(self, run: Run) -> None:
        now = self.cluster.clock.now()
        again = replace(run, key=f"{run.id}.1.{int(now)}", started=now)
        claim = replace(self.cluster.claims[run.id], run=again, requeueable=True, restarts=1)
        self.cluster.claims[run.id] = claim

    def _flag(self, run: Run, *, flag: bool) -> None:
        self.cluster.claims[run.id] = replace(self.cluster.claims[run.id], requeueable=flag)

    def _release(self, run: Run) -> None:
        claim = self.cluster.claims.pop(run.id)
        for place in claim.places:
            self.cluster.devices[f"GPU-{place.node}-{place.index}"].letter = "E"

    async def inspect(self, effect: Effect) -> Progress:
        """Say how far it came."""
        claim = self.cluster.claims.get(effect.run.id)
        if effect.verb is Verb.SAVE:
            return self._proof(effect, claim)
        if effect.verb is Verb.RESTORE and claim is not None:
            restored = claim.requeueable == effect.requeueable
            return Progress.DONE if restored else Progress.NOT_APPLIED
        if claim is None:
            return Progress.DONE
        return Progress.NOT_APPLIED if claim.run.key == effect.run.key else Progress.RECREATED

    def _fail(self, step: str) -> None:
        if self.errors.get(step):
            raise self.errors[step].pop(0)

    def _proof(self, effect: Effect, claim: Claim | None) -> Progress:
        self._fail("proof")
        if claim is None:
            return Progress.GONE
        if claim.run.key != effect.run.key:
            return Progress.RECREATED
        return Progress.DONE if effect.run.key in self.proofs else Progress.PENDING
