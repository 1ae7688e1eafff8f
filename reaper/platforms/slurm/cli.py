"""
Slurm through its own commands: the back-end that needs no other daemon.

Jobs come from `squeue --json`, whole from 22.05 on and safe against what users write into names;
nodes from text, which has kept its form.  A command says everything or nothing: an answer that
breaks off, a status that is not zero, an answer too late is a SourceError.
"""

import asyncio
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

from reaper.domain.audit.jobs import Records
from reaper.edge.command import CommandError, CommandMissingError, Finished, Runner
from reaper.platforms.slurm.accounting import HELD, Told, read_text
from reaper.platforms.slurm.backend import UNLIMITED, Facts
from reaper.platforms.slurm.records.jobs import read_jobs
from reaper.platforms.slurm.records.nodes import read_node_lines
from reaper.platforms.slurm.records.record import Job, Node
from reaper.platforms.slurm.records.scalars import ShapeError
from reaper.platforms.slurm.release import beside
from reaper.platforms.slurm.release.refusals import refused
from reaper.ports import ActionError, SourceError

MOST_BYTES: Final = 256 * 2**20
"""What one answer may weigh: some 10,000 running jobs of 24.11."""

T = TypeVar("T")

_ADDRESS = re.compile(r"\d{1,10}(?:_\d{1,10})?", re.ASCII)
_STEP = re.compile(r"\d{1,10}(?:_\d{1,10})?\.\d{1,10}", re.ASCII)
_OUTSIDE: Final = frozenset(("setpriv",))
_PASSED_ON: Final = ("PATH", "HOME", "SLURM_CONF", "SLURM_CONF_SERVER", "LD_LIBRARY_PATH")
_PING: Final = "look at the controller with: scontrol ping"


class CliBackend:
    """Runs Slurm's commands; see :class:`reaper.platforms.slurm.backend.Backend`."""

    def __init__(
        self,
        runner: Runner,
        *,
        environment: Mapping[str, str],
        user: str,
        conf: Path | None = None,
        commands: Path | None = None,
        timeout: float = 30.0,
    ) -> None:
        self._run = runner
        self._user = user
        self._commands = commands
        self._timeout = timeout
        # Nothing else passes: SQUEUE_*, SCANCEL_* and SLURM_TIME_FORMAT would change the answers.
        self._environment = {key: environment[key] for key in _PASSED_ON if key in environment}
        self._environment |= {"TZ": "UTC", "LC_ALL": "C"}
        if conf is not None:
            self._environment["SLURM_CONF"] = str(conf)

    # -------------------------------------------------------------- asks

    async def jobs(self, addresses: Sequence[str] = ()) -> tuple[Job, ...]:
        """Return every job, or at least the named ones (22.05 ignores the choice)."""
        chosen = [f"--jobs={','.join(map(_checked, addresses))}"] if addresses else []
        done = await self._ask("squeue", "--json", "--all", "--states=all", *chosen)
        if addresses and done.status != 0 and "Invalid job id" in done.err:
            return ()
        return await _read(lambda: read_jobs(json.loads(_whole(done), strict=False)), "squeue")

    async def nodes(self) -> tuple[Node, ...]:
        """Return every node."""
        done = await self._ask("scontrol", "--detail", "--oneliner", "show", "node")
        return await _read(lambda: read_node_lines(_whole(done)), "scontrol show node")

    async def facts(self) -> Facts:
        """Return the controller's version and settings."""
        done = await self._ask("scontrol", "show", "config")
        return await _read(lambda: read_facts(_whole(done)), "scontrol show config")

    async def admin_level(self) -> str:
        """Return this account's AdminLevel in accounting; "" where it has no entry."""
        done = await self._ask(
            "sacctmgr", "-n", "-P", "show", "user", self._user, "format=AdminLevel"
        )
        return await _read(lambda: _whole(done, empty=True).strip(), "sacctmgr show user")

    async def script(self, address: str) -> str:
        """Return a batch job's script."""
        done = await self._ask("scontrol", "write", "batch_script", _checked(address), "-")
        return await _read(lambda: _whole(done), "scontrol write batch_script")

    async def submit_line(self, address: str) -> str:
        """Return the command line that submitted a job's newest run."""
        choice = ("-D", "-j", _checked(address), "--format=SubmitLine")
        done = await self._ask("sacct", "-n", "-P", "-X", *choice)
        return await _read(
            lambda: next(reversed(_whole(done, empty=True).strip().split("\n")), ""), "sacct"
        )

    async def accounting(self, begin: float, end: float) -> Records:
        """Return what accounting holds of ``[begin, end)``: every run of every user, no steps."""
        span = ("-S", _utc(begin), "-E", _utc(end))
        done = await self._ask(
            "sacct", "-a", "-D", "-X", "-P", "-T", *span, f"--format={','.join(HELD)}"
        )
        return await _read(lambda: _recorded(_whole(done)), "sacct")

    async def steps(self, address: str) -> tuple[str, ...]:
        """Return the ids of a job's own steps: not its batch script's, nor Slurm's."""
        ask = ("squeue", "--steps", "--noheader", "--format=%i", "--jobs", _checked(address))
        done = await self._ask(*ask)
        said = await _read(lambda: _whole(done, empty=True), "squeue --steps")
        return tuple(line for line in said.split() if _STEP.fullmatch(line))

    # -------------------------------------------------------------- acts

    async def update(
        self, address: str, *, requeue: bool | None = None, limit: int | None = None
    ) -> None:
        """Set the requeue flag, the time limit in minutes, or both: all of it or nothing."""
        changes = [] if requeue is None else [f"Requeue={int(requeue)}"]
        if limit is not None:
            changes.append(f"TimeLimit={'UNLIMITED' if limit == UNLIMITED else limit}")
        what = f"job {_checked(address)}: set {' '.join(changes)}"
        await self._act(what, "scontrol", "update", f"JobId={address}", *changes)

    async def cancel(self, address: str) -> None:
        """End one job: SIGTERM, KillWait, SIGKILL."""
        await self._act(f"job {_checked(address)}: cancel", "scancel", address)

    async def beside(self, job: Job, script: str, words: Sequence[str]) -> str:
        """Run a shell script as the job's user beside its work; return what it said."""
        become = beside.user(job, us=(os.geteuid(), os.getegid()))
        what = f"job {_checked(job.address)}: look beside it"
        srun = "srun" if not become else self._program("srun")
        return await self._act(what, *become, srun, *beside.step(job, script, words))

    async def signal_batch(self, address: str, name: str) -> None:
        """Send a signal to the batch script alone, not to its children."""
        what = f"job {_checked(address)}: send {name}"
        await self._act(what, "scancel", f"--signal={name}", "--batch", address)

    async def signal_step(self, step: str, name: str) -> None:
        """Send a signal to every process of one step."""
        if not _STEP.fullmatch(step):
            raise ActionError(f"{step[:40]!r} is no step's id", recoverable=False)
        await self._act(f"step {step}: send {name}", "scancel", f"--signal={name}", step)

    async def requeue(self, address: str) -> None:
        """Put one running batch job back; `Incomplete` spares one that has just ended."""
        what = f"job {_checked(address)}: requeue"
        await self._act(what, "scontrol", "requeue", "Incomplete", address)

    # -------------------------------------------------------------- running

    async def _ask(self, *argv: str) -> Finished:
        try:
            return await self._command(*argv)
        except CommandError as error:
            cure = "install slurm-client" if isinstance(error, CommandMissingError) else _PING
            raise SourceError(f"slurm: {error}; {cure}") from error

    async def _act(self, what: str, *argv: str) -> str:
        try:
            done = await self._command(*argv)
        except CommandMissingError as error:
            cure = "util-linux" if argv[0] in _OUTSIDE else "slurm-client"
            raise ActionError(f"{what}: {error}; install {cure}", recoverable=False) from error
        except CommandError as error:
            # Whether it was done is unknown; the next attempt reads before it acts.
            raise ActionError(f"{what}: {error}; {_PING}", recoverable=True) from error
        if done.status != 0:
            raise refused(what, done.err or done.out)
        return done.out

    async def _command(self, program: str, *arguments: str) -> Finished:
        return await self._run(
            (self._program(program), *arguments),
            environment=self._environment,
            within=self._timeout,
            limit=MOST_BYTES,
        )

    def _program(self, name: str) -> str:
        return str(self._commands / name) if self._commands and name not in _OUTSIDE else name


def read_facts(said: str) -> Facts:
    """Return version and settings from `scontrol show config`; raise ShapeError."""
    settings = {
        key.strip().lower(): value.strip()
        for key, mark, value in (line.partition("=") for line in said.split("\n"))
        if mark
    }
    numbers = re.findall(r"[0-9]+", settings.get("slurm_version", ""))
    if not numbers:
        raise ShapeError("no SLURM_VERSION")
    return Facts(version=tuple(int(number) for number in numbers), settings=settings)


def _recorded(said: str) -> Records:
    """Return sacct's records, those that cannot be read among them; raise ShapeError."""
    if not said.endswith("\n"):
        raise ShapeError("the answer breaks off")
    found = read_text(said, source="sacct", told=Told())
    if found.foreign:
        raise ShapeError(str(found.unread[0]))
    return found


def _utc(at: float) -> str:
    """Return an instant as sacct reads it, in the zone in which our commands run."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%S}"


async def _read(reader: Callable[[], T], program: str) -> T:
    """Read an answer in a thread: tens of megabytes must not hold up everybody else."""
    try:
        return await asyncio.to_thread(reader)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"slurm: {program}: {error}; run it by hand and compare") from error


def _whole(done: Finished, *, empty: bool = False) -> str:
    if done.status != 0:
        said = " ".join((done.err or done.out).split())[:300]
        raise ShapeError(f"status {done.status}: {said or 'no reason given'}")
    if not done.out and not empty:
        raise ShapeError("the answer is empty")
    return done.out


def _checked(address: str) -> str:
    """Return an address that means one job; anything else never reaches a command."""
    if not _ADDRESS.fullmatch(address):
        raise ActionError(f"{address[:40]!r} is no job's address", recoverable=False)
    return address
