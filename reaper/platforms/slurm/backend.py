"""What the platform needs of Slurm, however it is asked: by commands today, by REST as well."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from reaper.domain.audit.jobs import Records
from reaper.platforms.slurm.records.record import Job, Node

#: A time limit of no limit, in minutes, for `update`.
UNLIMITED: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What `doctor` wants to know of a controller: its version and its settings, lower case."""

    version: tuple[int, ...]
    settings: dict[str, str]


class Backend(Protocol):
    """
    Asks raise SourceError, acts raise ActionError; each says what, which one, what to do.

    An `address` names exactly one job: an id, or ``<array>_<task>``.
    """

    async def jobs(self, addresses: Sequence[str] = ()) -> tuple[Job, ...]:
        """Return every job, or at least the ones named that Slurm still knows."""

    async def nodes(self) -> tuple[Node, ...]:
        """Return every node."""

    async def facts(self) -> Facts:
        """Return the controller's version and settings."""

    async def admin_level(self) -> str:
        """Return this account's AdminLevel in accounting: None, Operator or Administrator."""

    async def script(self, address: str) -> str:
        """Return a batch job's script."""

    async def submit_line(self, address: str) -> str:
        """Return the command line that submitted a job; "" where accounting does not know."""

    async def accounting(self, begin: float, end: float) -> Records:
        """Return what accounting holds of ``[begin, end)``, every run once, cut to the span."""

    async def update(
        self, address: str, *, requeue: bool | None = None, limit: int | None = None
    ) -> None:
        """Set the requeue flag, the time limit in minutes, or both in one step."""

    async def cancel(self, address: str) -> None:
        """End one job: SIGTERM, KillWait, SIGKILL."""

    async def steps(self, address: str) -> tuple[str, ...]:
        """Return the ids of a job's own steps: not its batch script's, nor Slurm's."""

    async def beside(self, job: Job, script: str, words: Sequence[str]) -> str:
        """Run a shell script as the job's user beside its work; return what it said."""

    async def signal_batch(self, address: str, name: str) -> None:
        """Send a signal to the batch script alone, not to its children."""

    async def signal_step(self, step: str, name: str) -> None:
        """Send a signal to every process of one step."""

    async def requeue(self, address: str) -> None:
        """Put one running batch job back into the queue."""
