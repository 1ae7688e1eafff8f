"""What a cluster for tests borrows of this machine: ports, users, a way to confine jobs."""

import fcntl
import os
import pwd
import random
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.components import SBIN
from tests.real.slurm_conf import USERS

PATH = f"{SBIN}:{os.environ.get('PATH', os.defpath)}"


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on, below those that connections take for themselves."""
    sockets: list[socket.socket] = []
    while len(sockets) < count:
        item = socket.socket()
        try:
            item.bind(("127.0.0.1", random.randrange(16_000, 32_000)))
            sockets.append(item)
        except OSError:
            item.close()
    ports = [item.getsockname()[1] for item in sockets]
    for item in sockets:
        item.close()
    return ports


@contextmanager
def users() -> Iterator[None]:
    """Make the test users; the last of several test runs on a machine removes them again."""
    lock = os.open("/run/lock/gpu-reaper-test-users", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_SH)
    for name in USERS:
        if not _known(name):
            subprocess.run(
                ("useradd", "--no-create-home", "--no-user-group", "--shell", "/bin/bash", name),
                env={**os.environ, "PATH": PATH},
                check=False,
            )
    try:
        yield
    finally:
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for name in USERS:
                subprocess.run(
                    ("userdel", "--force", name),
                    env={**os.environ, "PATH": PATH},
                    capture_output=True,
                    check=False,
                )
        os.close(lock)


def _known(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def cgroup_plugin() -> str:
    """Return which cgroup plugin can confine jobs on this machine, or ""."""
    mounted = Path("/sys/fs/cgroup")
    if os.access(mounted / "devices", os.W_OK) and os.access(mounted / "freezer", os.W_OK):
        return "cgroup/v1"
    if (mounted / "cgroup.controllers").exists() and os.access(mounted, os.W_OK):
        return "cgroup/v2"
    return ""
