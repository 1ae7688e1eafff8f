"""
A command beside a job's own work: a step of the job, as the job's user, where its script runs.

Only the job's own user may add a step: root and operators may not.  The user is taken with
``setpriv`` before ``srun`` starts, because newer versions of srun cannot do that by themselves.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from reaper.platforms.slurm.records.record import Job
from reaper.ports import ActionError

#: Name of the steps, as accounting shows them.
NAME: Final = "gpu-reaper"

#: CAP_SETGID and CAP_SETUID, as bits.
_NEEDED: Final = 1 << 6 | 1 << 7

#: The step shares what the job has, takes no GPU, and is given up when it cannot start at once.
_STEP: Final = (
    "--overlap",
    "--nodes=1",
    "--ntasks=1",
    "--gres=none",
    "--mem=0",
    "--mpi=none",
    "--chdir=/",
    "--input=none",
    "--immediate=10",
    "--quiet",
    f"--job-name={NAME}",
)


def status() -> str:
    """Return what the kernel says of this process (`/proc/self/status`)."""
    return Path("/proc/self/status").read_text(encoding="ascii", errors="replace")


def may_become(status: str) -> bool:
    """Tell whether a process may become another user; root has both capabilities as well."""
    held = re.search(r"^CapEff:\s*([0-9a-f]+)$", status, re.MULTILINE)
    return held is not None and int(held[1], 16) & _NEEDED == _NEEDED


def user(job: Job, *, us: tuple[int, int]) -> Sequence[str]:
    """Return the words that become the job's user without any right of `us` (uid and gid)."""
    if job.uid is None or job.gid is None:
        raise ActionError(f"job {job.address}: Slurm does not say its user's id", recoverable=False)
    if (job.uid, job.gid) == us:
        return ()
    if job.uid == 0:
        raise ActionError(f"job {job.address} is root's: nobody becomes root", recoverable=False)
    wanted = ("--reuid", str(job.uid), "--regid", str(job.gid), "--clear-groups")
    return ("setpriv", *wanted, "--inh-caps=-all", "--ambient-caps=-all")


def step(job: Job, script: str, words: Sequence[str]) -> Sequence[str]:
    """Return the srun command for a shell script and its arguments on the job's first node."""
    place = (f"--jobid={job.id}", f"--nodelist={job.nodes[0]}") if job.nodes else ()
    if not place:
        raise ActionError(f"job {job.address} has no node", recoverable=False)
    return (*_STEP, *place, "/bin/sh", "-c", script, "sh", *words)
