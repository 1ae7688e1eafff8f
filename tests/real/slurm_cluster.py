"""
A real Slurm cluster for tests: four pretended GPU nodes on this machine, several users.

    with cluster() as slurm:
        job = slurm.submit(MIRA, "--gres=gpu:a100:2", script="sleep 600")
        slurm.await_state(job, "RUNNING")

`slurm.environment` is what the reaper, or any command, must be given to talk to it.
"""

import json
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pexpect

from tests.components import require
from tests.real.slurm_conf import NODES, OPERATOR, OWNERS, Site
from tests.real.slurm_daemons import Daemons
from tests.real.slurm_machine import cgroup_plugin, free_ports, users

MIRA, OTTO = OWNERS
WITHIN = 60.0
"""Seconds in which a small cluster does what it was asked."""

__all__ = ["MIRA", "NODES", "OPERATOR", "OTTO", "SlurmCluster", "as_user", "cluster"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmCluster:
    """A running cluster; jobs are named as Slurm's commands name them: ``7``, ``5_1``, ``9+0``."""

    daemons: Daemons
    _sessions: "list[pexpect.spawn[bytes]]" = field(default_factory=list)

    @property
    def root(self) -> Path:
        """The scratch folder; `work` in it is open to all users and where their jobs run."""
        return self.daemons.site.root

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment in which Slurm's commands find this cluster."""
        return self.daemons.environment

    # -------------------------------------------------------------- jobs

    def submit(self, user: str, *options: str, script: str = "sleep 600") -> str:
        """Submit a batch script as a user and return its job id."""
        text = script if script.startswith("#!") else f"#!/bin/bash\n{script}\n"
        said = self.run_as(user, "sbatch", "--parsable", *options, stdin=text)
        return said.strip().partition(";")[0]

    def allocate(self, user: str, *options: str) -> str:
        """Take an allocation without any process (`salloc --no-shell`) and return its job id."""
        name = f"hold-{time.monotonic_ns()}"
        self.run_as(user, "salloc", "--no-shell", f"--job-name={name}", *options)
        return self.daemons.output("squeue", "-h", "-o", "%A", f"--name={name}").strip()

    def spawn(self, user: str, *argv: str) -> "pexpect.spawn[bytes]":
        """Start an interactive command (`srun --pty bash`, `salloc`) on a terminal of its own."""
        session = pexpect.spawn(
            "setpriv",
            [*as_user(user), *argv],
            env=dict(self.environment),
            cwd=str(self.work),
            timeout=WITHIN,
        )
        self._sessions.append(session)
        return session

    def shell(self, user: str, *argv: str) -> "tuple[pexpect.spawn[bytes], str]":
        """Start an interactive command that ends in a shell; return it and its job id."""
        session = self.spawn(user, *argv)
        session.sendline("echo job=$SLURM_JOB_ID.")
        session.expect(rb"job=(\d+)\.")
        return session, session.match[1].decode()

    def cancel(self, *jobs: str) -> None:
        """Cancel jobs as root."""
        self.daemons.output("scancel", *jobs)

    def cancel_all(self) -> None:
        """End every job and wait until no node is busy any more."""
        for session in self._sessions:
            # A shell ignores SIGTERM; one that leaves by itself saves 7 s.
            if session.isalive():
                session.sendline("exit")
        self._sessions.clear()
        if at_work := self._listed("-t", "R,S"):
            self.daemons.output("scancel", "--full", "--signal=KILL", *at_work)
            with suppress(AssertionError):
                self.await_true(lambda: not self._listed("-t", "R,S,CG"), "", within=0.5)
        if left := self._listed():
            self.cancel(*left)
        self.await_true(lambda: not self._listed(), "jobs are still there")

    # -------------------------------------------------------------- looking

    def records(self) -> list[dict[str, Any]]:
        """Return every job record as `squeue --json` writes it."""
        found: list[dict[str, Any]] = json.loads(self.daemons.command("squeue", "--json"))["jobs"]
        return found

    def state(self, job: str) -> str:
        """Return a job's state, such as RUNNING; "" for one that Slurm no longer lists."""
        return self._column(job, "%T")

    def reason(self, job: str) -> str:
        """Return why a job waits, such as Resources."""
        return self._column(job, "%r")

    def await_state(self, job: str, *states: str, within: float = WITHIN) -> str:
        """Wait until a job is in one of the states and return which."""
        self.await_true(
            lambda: self.state(job) in states,
            lambda: f"job {job} is {self.state(job)!r} ({self.reason(job)}), not {states}",
            within=within,
        )
        return self.state(job)

    def await_true(
        self, what: Callable[[], bool], else_say: str | Callable[[], str], within: float = WITHIN
    ) -> None:
        """Wait until something holds; fail with the given words when it does not in time."""
        until = time.monotonic() + within
        while not what():
            assert time.monotonic() < until, else_say() if callable(else_say) else else_say
            time.sleep(0.05)

    def pids(self, job: str) -> tuple[int, ...]:
        """Return the process ids of a job on all its nodes (`scontrol listpids`)."""
        nodes = self.daemons.output("scontrol", "show", "hostnames", self._column(job, "%N"))
        raw = self._column(job, "%A")
        found = [
            int(line.split()[0])
            for node in nodes.split()
            for line in self.daemons.output("scontrol", "listpids", raw, node).splitlines()[1:]
        ]
        return tuple(pid for pid in found if pid > 0)

    @staticmethod
    def cgroups(pid: int) -> tuple[str, ...]:
        """Return the cgroup paths of a process, one for each hierarchy."""
        lines = Path(f"/proc/{pid}/cgroup").read_text(encoding="ascii").splitlines()
        return tuple(line.split(":", 2)[2] for line in lines)

    # -------------------------------------------------------------- running

    def run_as(self, user: str, *argv: str, stdin: str = "") -> str:
        """Run a command as a user in `work` and return what it printed; fail with what it said."""
        done = subprocess.run(
            ("setpriv", *as_user(user), *argv),
            env=dict(self.environment),
            cwd=self.work,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=WITHIN,
            check=False,
        )
        assert done.returncode == 0, f"{user}: {' '.join(argv)}: {done.stderr}"
        return done.stdout

    def _listed(self, *options: str) -> list[str]:
        return sorted(set(self.daemons.output("squeue", "-h", "-o", "%A", *options).split()))

    def _column(self, job: str, form: str) -> str:
        said = self.daemons.output("squeue", "-h", "-r", "--states=all", "-o", form, "-j", job)
        return said.strip().partition("\n")[0]


@contextmanager
def cluster() -> Iterator[SlurmCluster]:
    """Start a cluster, and leave nothing of it behind."""
    require("slurm")
    # Not pytest's own folder: other users must reach it, and socket paths must stay short.
    root = Path(tempfile.mkdtemp(prefix="gr-"))
    controller, accounting, database, *nodes = free_ports(3 + len(NODES))
    site = Site(
        root=root,
        host=socket.gethostname().partition(".")[0],
        controller=controller,
        accounting=accounting,
        database=database,
        nodes=tuple(nodes),
        cgroup=cgroup_plugin(),
    )
    with users():
        daemons = Daemons(site)
        slurm = SlurmCluster(daemons=daemons)
        try:
            daemons.start()
            yield slurm
        finally:
            # Jobs outlive their slurmd.
            with suppress(AssertionError, subprocess.TimeoutExpired):
                slurm.cancel_all()
            daemons.stop()
            shutil.rmtree(root, ignore_errors=True)


def as_user(user: str) -> Sequence[str]:
    """Return the arguments with which `setpriv` becomes a user; () for the one we are."""
    entry = pwd.getpwnam(user)
    if entry.pw_uid == os.geteuid():
        return ()
    return ("--reuid", str(entry.pw_uid), "--regid", str(entry.pw_gid), "--clear-groups")
