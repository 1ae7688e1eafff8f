"""Puts the Slurm platform together from its settings."""

import os
import pwd
from functools import partial
from typing import Final

from reaper.edge.command import run
from reaper.platforms.platform import Builder, Platform, Surroundings
from reaper.platforms.slurm.checks import check
from reaper.platforms.slurm.cli import CliBackend
from reaper.platforms.slurm.demand import SlurmDemand
from reaper.platforms.slurm.holder import SlurmHolder
from reaper.platforms.slurm.poll import Poll
from reaper.platforms.slurm.records.claiming import PLATFORM
from reaper.platforms.slurm.release.actor import SlurmActor
from reaper.platforms.slurm.settings import SlurmSettings


def build(settings: SlurmSettings, around: Surroundings) -> Platform:
    """Return the roles that Slurm plays; asks nothing yet."""
    user = _user()
    backend = CliBackend(
        run,
        environment=around.environment,
        user=user,
        conf=settings.conf,
        commands=settings.commands,
        timeout=settings.timeout,
    )
    poll = Poll(backend, around.clock, step=around.pace.step)
    rules = tuple(rule.rule() for rule in settings.purposes)
    return Platform(
        name=PLATFORM,
        check=partial(check, backend, user=user),
        holder=SlurmHolder(
            poll,
            cluster=around.cluster,
            rules=rules,
            accounting=backend.accounting,
            step=around.pace.step,
        ),
        demand=SlurmDemand(poll, rules=rules),
        actor=SlurmActor(backend, around.clock, step=around.pace.step),
        recorded=backend.accounting,
        command="scancel {id}",
    )


def _user() -> str:
    """Return this process's account by its uid, as Slurm sees it, whatever LOGNAME says."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


BUILDER: Final = Builder(settings=SlurmSettings, build=build)
