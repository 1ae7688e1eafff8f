"""What an operator writes about terminals."""

from pathlib import Path
from typing import Literal

from reaper.notifiers.kind import ChannelSettings
from reaper.schema import Span


class TerminalSettings(ChannelSettings):
    """Where owners' terminals are found."""

    kind: Literal["terminal"] = "terminal"
    slurm: bool = True
    """Write to the terminals of Slurm's jobs, with `scontrol notify`."""
    commands: Path | None = None
    """The folder of scontrol, where it is not on PATH."""
    ttys: bool = True
    """Write to the owner's own terminals on this machine, where they accept messages."""
    timeout: Span = 10.0
    """Seconds after which scontrol is killed."""
