"""
The jobs of the story: each says in its node's holders file what its own processes do.

They run as the users who submitted them; a line is ``<GRES index> <pid> <letter>``.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.real.slurm_cluster import MIRA, NODES, OTTO, SlurmCluster

#: What each script begins with: `play <letter> [gpu…]` says what this process does from now on.
_PLAY: Final = """#!/bin/bash
play() {
  for gpu in ${2:-${SLURM_JOB_GPUS//,/ }}; do
    echo "$gpu $$ $1" >>holders/$SLURMD_NODENAME
  done
}
until_file() { until [ -e "$1" ]; do sleep 0.5; done; }
"""

#: A time below which a job's limit must not be shrunk: its release is an explicit cancel.
CANCELLED: Final = ("--time=60", "--time-min=30")
_SHRUNK: Final = ("--time=60",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """The jobs by what they do, as Slurm's commands name them; `terminals` are people's."""

    worker: str
    """Works to its end."""
    quiet: str
    """Worked, then went quiet."""
    wide: str
    """Holds eight GPUs, and one of them works."""
    array: str
    """An array: task 0 idles, task 1 works."""
    again: str
    """Idles; its owner has it requeued after the final warning."""
    shell: str
    """`srun --pty bash` in which nobody types any more."""
    empty: str
    """`salloc --no-shell`: no process at all."""
    returns: str
    """`salloc`, whose user types again after the final warning."""
    back: str
    """Idles, and works again after the final warning."""
    kept: str
    """Idles, and its owner keeps it."""
    terminals: dict[str, Any] = field(default_factory=dict)

    @property
    def idle(self) -> frozenset[str]:
        """Return what idles from the beginning."""
        tasks = (f"{self.array}_0", self.again, self.shell, self.empty, self.quiet)
        return frozenset((*tasks, self.returns, self.back, self.kept))

    @property
    def released(self) -> frozenset[str]:
        """Return what nobody claims back."""
        return self.idle - {self.returns, self.back, self.kept}

    @property
    def never(self) -> frozenset[str]:
        """Return what must run to its own end, but for people's terminals."""
        return frozenset((self.worker, self.wide, f"{self.array}_1", self.back, self.kept))


def submit(slurm: SlurmCluster) -> Jobs:
    """Submit everything and wait until all of it runs and has said what it does."""
    holders(slurm)
    shell, shell_job = slurm.shell(
        MIRA, "srun", "-pinteractive", "-wgpu01", "--gres=gpu:1", *CANCELLED, "--pty", "bash"
    )
    returns, returns_job = slurm.shell(
        OTTO, "salloc", "-Jreturns", "-pinteractive", "-wgpu02", "--gres=gpu:1", *CANCELLED
    )
    jobs = Jobs(
        worker=batch(slurm, MIRA, "gpu01", "play A; until_file end"),
        quiet=batch(slurm, OTTO, "gpu01", "play A; until_file quiet; play H; sleep 900"),
        wide=batch(slurm, MIRA, "gpu03", "play H; play A 0; until_file end", "--gres=gpu:8"),
        array=batch(slurm, OTTO, "gpu02", _TASKS, "--gres=gpu:1", "--array=0-1"),
        again=batch(slurm, MIRA, "gpu02", "play H; sleep 900", "--gres=gpu:1", *CANCELLED),
        back=batch(slurm, OTTO, "gpu04", "play H; until_file back; play A; until_file end"),
        kept=batch(slurm, MIRA, "gpu04", "play H; until_file end"),
        shell=shell_job,
        empty=batch(slurm, OTTO, "gpu01", "sleep 900", "--gres=gpu:1", *CANCELLED),
        returns=returns_job,
        terminals={"shell": shell, "returns": returns},
    )
    for terminal in (shell, returns):
        _idle_context(terminal)
    for job in (*jobs.idle, *jobs.never):
        slurm.await_state(job, "RUNNING")
    slurm.await_true(lambda: _lines(slurm) >= 16, "not every job has said what it does")
    return jobs


_TASKS: Final = (
    "if [ $SLURM_ARRAY_TASK_ID = 0 ]; then play H; sleep 900; fi\nplay A; until_file end"
)


def batch(slurm: SlurmCluster, user: str, node: str, script: str, *options: str) -> str:
    """Submit a script that says what it does, on a node, and return its job."""
    wanted = options or ("--gres=gpu:1",)
    limit = () if any(word.startswith("--time=") for word in wanted) else _SHRUNK
    return slurm.submit(user, f"-w{node}", *limit, *wanted, script=f"{_PLAY}{script}")


def _idle_context(terminal: Any) -> None:
    """Let a shell hold a context on its GPU, by its person's own hands."""
    terminal.sendline('for g in ${SLURM_JOB_GPUS:-$SLURM_STEP_GPUS}; do echo "$g $$ H"; done \\')
    terminal.sendline(">>holders/$SLURMD_NODENAME; echo do''ne")
    terminal.expect(b"done")


def holders(slurm: SlurmCluster) -> Path:
    """Make the files in which jobs say what they do."""
    folder = slurm.work / "holders"
    # Not sticky: the kernel would refuse to append to another's file there.
    folder.mkdir(mode=0o755, exist_ok=True)
    for node in NODES:
        path = folder / node.name
        path.write_text("")
        path.chmod(0o666)
    return folder


def _lines(slurm: SlurmCluster) -> int:
    files = (slurm.work / "holders").iterdir()
    return sum(len(path.read_text().splitlines()) for path in files)
