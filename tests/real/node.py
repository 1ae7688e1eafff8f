"""What real tests of the node's own facts share: a sight, a cgroup, a person at a terminal."""

import os
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from exporter.clock import SystemClock
from exporter.collectors.sight import Places, Sight
from exporter.sampling.calls import Calls
from exporter.sampling.snapshot import Device, DeviceProcess, DeviceProcesses
from tests.components import absent

CGROUP = Path("/sys/fs/cgroup")
GPU = "GPU-test"
_PATIENCE = 60.0


def sight(*pids: int) -> Sight:
    """See one device with these processes on it."""
    clock = SystemClock()
    on_it = tuple(DeviceProcess(pid=pid) for pid in pids)
    return Sight(
        driver=None,
        devices=(Device(uuid=GPU, index=0, minor=0, gres_index="0"),),
        processes=(DeviceProcesses(gpu=GPU, at=clock.monotonic(), processes=on_it),),
        clock=clock,
        calls=Calls(None, clock.monotonic),
    )


def places() -> Places:
    """Look at this machine itself."""
    return Places()


def eventually(check: Callable[[], object]) -> object:
    """Return the first true answer; fail when none comes."""
    end = time.monotonic() + _PATIENCE
    while not (found := check()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)
    return found


@contextmanager
def job_cgroup(node: str, job: int, step: str) -> Iterator[Path]:
    """Make the real cgroup of a job's step as Slurm does, v1 or v2, and remove it."""
    unified = (CGROUP / "cgroup.controllers").exists()
    if unified:
        root = CGROUP / "system.slice" / f"{node}_slurmstepd.scope"
        folder = root / f"job_{job}" / f"step_{step}" / "user" / "task_0"
    else:
        root = CGROUP / "freezer" / f"slurm_{node}"
        folder = root / "uid_0" / f"job_{job}" / f"step_{step}"
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        absent(f"missing component: a writable cgroup tree at {CGROUP} ({error})")
    try:
        yield folder
    finally:
        _remove(root)


def _remove(root: Path) -> None:
    for folder in sorted((path for path in root.rglob("*") if path.is_dir()), reverse=True):
        folder.rmdir()
    root.rmdir()


@contextmanager
def running(*command: str, cgroup: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command, in a cgroup if one is given, and end it."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
    try:
        if cgroup is not None:
            (cgroup / "cgroup.procs").write_text(str(process.pid))
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def node_name() -> str:
    """Return a node name that no other run uses."""
    return f"test{uuid.uuid4().hex[:8]}"


def age(terminal: str, seconds: float) -> float:
    """Set back when a terminal was last typed into; return that moment."""
    then = time.time() - seconds
    os.utime(terminal, (then, time.time()))
    return then
