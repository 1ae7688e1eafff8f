"""What the tests need beside Python: real daemons and tools, each with its cure.

`require("slurm")` skips the test, loudly, on a machine that lacks it.
With `CI` set it fails instead: a green run there means that everything ran.
"""

import os
import shutil
from ctypes.util import find_library
from dataclasses import dataclass
from typing import NoReturn

import pytest

SBIN = "/usr/local/sbin:/usr/sbin:/sbin"
"""Daemons live here, and the PATH of a plain user seldom says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A thing that tests may need: its commands and libraries, and their Debian packages."""

    commands: tuple[str, ...]
    packages: str
    root: bool = False
    libraries: tuple[str, ...] = ()

    def missing(self) -> str:
        """Say what is missing on this machine; empty when nothing is."""
        absent = [command for command in self.commands if find(command) is None]
        absent += [f"lib{name}" for name in self.libraries if find_library(name) is None]
        if absent:
            return f"no {', '.join(absent)}; install with: apt-get install {self.packages}"
        if self.root and os.geteuid() != 0:
            return "must run as root; run: sudo make test"
        return ""


COMPONENTS = {
    "slurm": Component(
        commands=("slurmctld", "slurmd", "slurmdbd", "squeue", "munged", "mariadbd", "setpriv"),
        packages="slurmctld slurmd slurmdbd slurm-client munge mariadb-server",
        root=True,
    ),
    "slurmrestd": Component(commands=("slurmrestd",), packages="slurmrestd"),
    "promtool": Component(commands=("promtool",), packages="prometheus"),
    "prometheus": Component(commands=("prometheus",), packages="prometheus"),
    "alertmanager": Component(
        commands=("prometheus-alertmanager", "amtool"), packages="prometheus-alertmanager"
    ),
    "victoria-metrics": Component(
        commands=("victoria-metrics", "vmalert"), packages="victoria-metrics"
    ),
    "postgresql": Component(commands=("pg_createcluster", "setpriv"), packages="postgresql"),
    "slapd": Component(commands=("slapd", "slapadd", "openssl"), packages="slapd openssl"),
    "tmux": Component(commands=("tmux",), packages="tmux"),
    "screen": Component(commands=("screen",), packages="screen"),
    "chromium": Component(commands=("chromium",), packages="chromium"),
    "compiler": Component(commands=("cc",), packages="gcc libc6-dev"),
    "systemd": Component(commands=("systemd-analyze",), packages="systemd"),
    "make": Component(commands=("make",), packages="make"),
    "openssl": Component(commands=("openssl",), packages="openssl"),
    "setpriv": Component(commands=("setpriv",), packages="util-linux"),
    "kubernetes": Component(
        commands=("etcd", "openssl", "setpriv", "nice"), packages="etcd-server openssl"
    ),
    "kueue": Component(commands=("unshare", "mount"), packages="util-linux mount", root=True),
    "kubelet": Component(
        commands=("containerd", "ctr", "runc", "busybox", "unshare", "nsenter"),
        packages="containerd runc containernetworking-plugins busybox-static util-linux",
        root=True,
    ),
    "pango": Component(commands=(), libraries=("pangoft2-1.0",), packages="libpangoft2-1.0-0"),
    "root": Component(commands=(), packages="", root=True),
}
"""Every component by name; add a row together with its packages in deploy/setup/packages/."""


FORBIDDEN = "this machine does not allow it"
"""How the reason begins where a kernel or a container forbids what no package brings."""


def require(*names: str) -> None:
    """Skip the running test or module, or fail it under CI, when a named component is missing."""
    problems = [f"{name}: {why}" for name in names if (why := COMPONENTS[name].missing())]
    if problems:
        absent("missing component: " + "; ".join(problems))


def absent(reason: str) -> NoReturn:
    """End the running test or module: a failure under CI, a skip elsewhere."""
    if under_ci():
        pytest.fail(f"{reason} (a component may not be missing where CI is set)", pytrace=False)
    pytest.skip(reason, allow_module_level=True)


def find(command: str) -> str | None:
    """Find a command on PATH or among the daemons."""
    return shutil.which(command, path=f"{os.environ.get('PATH', os.defpath)}:{SBIN}")


def under_ci() -> bool:
    """Say whether this run must not miss anything."""
    return os.environ.get("CI", "").lower() not in {"", "0", "false"}
