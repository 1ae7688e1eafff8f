"""What an operator writes under `platforms: slurm:` in the configuration."""

from pathlib import Path

from pydantic import Field

from reaper.domain.facts.allocation import Purpose
from reaper.platforms.slurm.records.purpose import Rule
from reaper.schema import Globs, Settings, Span


class PurposeRule(Settings):
    """Jobs that fit every given pattern are of this class; the first rule that fits wins."""

    purpose: Purpose = Field(alias="class")
    partition: Globs = ()
    qos: Globs = ()
    account: Globs = ()
    name: Globs = ()

    def rule(self) -> Rule:
        """Return it as the pure rule."""
        return Rule(
            purpose=self.purpose,
            partition=self.partition,
            qos=self.qos,
            account=self.account,
            name=self.name,
        )


class SlurmSettings(Settings):
    """How Slurm is asked."""

    conf: Path | None = None
    """slurm.conf, where it is not the one that the commands find by themselves."""
    commands: Path | None = None
    """The folder of squeue, scontrol, scancel, sacct and sacctmgr, where it is not on PATH."""
    timeout: Span = 30.0
    """Seconds after which a command is killed."""
    purposes: tuple[PurposeRule, ...] = ()
