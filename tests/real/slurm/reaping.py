"""The Slurm platform as a reaper under some account would run it, against the real cluster."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.facts.allocation import Claim, Inventory
from reaper.domain.facts.demand import Waiting
from reaper.edge.clock import SystemClock
from reaper.edge.command import Finished, run
from reaper.platforms.platform import Finding
from reaper.platforms.slurm.checks import check
from reaper.platforms.slurm.cli import CliBackend
from reaper.platforms.slurm.demand import SlurmDemand
from reaper.platforms.slurm.holder import SlurmHolder
from reaper.platforms.slurm.poll import Poll
from reaper.platforms.slurm.release.actor import SlurmActor
from reaper.ports import Claims, Progress, Receipt
from tests.real.slurm_cluster import OPERATOR, SlurmCluster, as_user


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaper:
    """Asks and acts under an account; every question is asked anew."""

    slurm: SlurmCluster
    user: str = OPERATOR
    commands: Path | None = None
    timeout: float = 10.0
    rights: tuple[str, ...] = ()
    """Capabilities that the account has, as `setpriv` gives them."""

    @property
    def backend(self) -> CliBackend:
        return CliBackend(
            self._run,
            environment=self.slurm.environment,
            user=self.user,
            commands=self.commands,
            timeout=self.timeout,
        )

    @property
    def actor(self) -> SlurmActor:
        """An actor that remembers nothing, as after a crash."""
        return SlurmActor(self.backend, SystemClock())

    @property
    def poll(self) -> Poll:
        return Poll(self.backend, SystemClock())

    async def answer(self) -> Claims:
        return await SlurmHolder(self.poll, cluster="grove").claims(Inventory())

    async def claims(self) -> dict[str, Claim]:
        """Return the claims by the id that people call them."""
        return {claim.run.id: claim for claim in (await self.answer()).claims}

    async def claim(self, job: str) -> Claim:
        return (await self.claims())[job]

    async def waiting(self) -> Waiting:
        return await SlurmDemand(self.poll).waiting()

    async def findings(self) -> dict[str, Finding]:
        found = await check(self.backend, user=self.user)
        return {item.subject.removeprefix("slurm: "): item for item in found}

    async def begin(self, effect: Effect) -> Receipt:
        return await self.actor.begin(effect, now=time.time())

    async def inspect(self, effect: Effect) -> Progress:
        return await self.actor.inspect(effect)

    async def _run(
        self, argv: Sequence[str], *, environment: Mapping[str, str], within: float, limit: int
    ) -> Finished:
        drop = as_user(self.user)
        return await run(
            ("setpriv", *drop, *self.rights, *argv) if drop else argv,
            environment=environment,
            within=within,
            limit=limit,
        )


def effect(claim: Claim, verb: Verb = Verb.RELEASE, **more) -> Effect:
    """Return an effect on a run as the core decides it from its claim."""
    usual = {
        "id": f"{claim.run.key}#1",
        "case_id": claim.run.key,
        "expires": time.time() + 60,
        "limit": claim.limit,
        "requeueable": claim.requeueable,
    }
    return Effect(run=claim.run, verb=verb, **(usual | more))
