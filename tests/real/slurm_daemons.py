"""
Starts and stops the daemons of a real Slurm cluster on loopback, all as children of the tests.

Every daemon stays in the foreground and dies with the tests (`setpriv --pdeathsig`), so that a
killed run leaves nothing behind.  Nothing outside the scratch root is written but the cgroups of
the jobs and the test users, which are removed at the end.
"""

import os
import shutil
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from tests.real.slurm_conf import NODES, OPERATOR, USERS, Site, files
from tests.real.slurm_machine import PATH

START_TIMEOUT = 60.0


class Daemons:
    """The daemons of one cluster; `start` returns when every node is idle."""

    def __init__(self, site: Site) -> None:
        self.site = site
        # An interactive step runs $SHELL, which a service or a CI runner does not set.
        own = {"PATH": PATH, "SHELL": "/bin/bash", "SLURM_CONF": str(site.slurm_conf)}
        self.environment = {**os.environ, **own}
        self.laps: dict[str, float] = {}
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Start everything, in the order in which each needs the others."""
        begun = time.monotonic()
        self._lay_out()
        database = self._run("mariadb-install-db", *self._database_layout())
        self._munge()
        assert database.wait(START_TIMEOUT) == 0, self._log("mariadb-install-db")
        self.laps["database laid out"] = time.monotonic() - begun
        self._database()
        self.laps["database"] = time.monotonic() - begun
        self._accounting()
        self.laps["accounting"] = time.monotonic() - begun
        self._controller_and_nodes()
        self.laps["all nodes idle"] = time.monotonic() - begun

    def stop(self) -> None:
        """Stop the nodes and the controller, then accounting, then what they stood on."""
        nodes = [f"slurmd-{node.name}" for node in NODES]
        self._end([*nodes, "slurmctld"])
        self._end(["slurmdbd"])
        self._end(["mariadbd", "munged"])
        self._remove_cgroups()

    # -------------------------------------------------------------- one by one

    def _lay_out(self) -> None:
        root = self.site.root
        root.chmod(0o755)
        for name in ("etc", "log", "run", "munge", "state", "mysql", "dev", "work", "local"):
            (root / name).mkdir()
        (root / "work").chmod(0o1777)
        for node in NODES:
            (root / f"spool-{node.name}").mkdir()
        for name, text in files(self.site).items():
            (root / "etc" / name).write_text(text)
        (root / "etc/slurmdbd.conf").chmod(0o600)
        for minor in range(max(node.gpus for node in NODES)):
            device = root / f"dev/nvidia{minor}"
            os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(195, minor))
            device.chmod(0o666)
        shutil.chown(root / "mysql", "mysql", "mysql")

    def _munge(self) -> None:
        folder = self.site.root / "munge"
        (folder / "key").write_bytes(os.urandom(128))
        for path in (folder, folder / "key"):
            shutil.chown(path, "munge", "munge")
        (folder / "key").chmod(0o400)
        options = {
            "key-file": folder / "key",
            "socket": self.site.socket,
            "pid-file": folder / "pid",
            "log-file": folder / "log",
            "seed-file": folder / "seed",
        }
        written = [f"--{name}={value}" for name, value in options.items()]
        self._run("munged", "--foreground", *written, user="munge")
        self._await("munged", lambda: self._succeeds("munge", "-n", "-S", str(self.site.socket)))

    def _database_layout(self) -> Sequence[str]:
        return (
            "--no-defaults",
            "--user=mysql",
            f"--datadir={self.site.root}/mysql/rows",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
        )

    def _database(self) -> None:
        folder = self.site.root / "mysql"
        users = folder / "users.sql"
        users.write_text(
            "create database slurm_acct_db;"
            " create user slurm@'127.0.0.1' identified by 'slurm';"
            " create user slurm@localhost identified by 'slurm';"
            " grant all on slurm_acct_db.* to slurm@'127.0.0.1';"
            " grant all on slurm_acct_db.* to slurm@localhost;".replace("; ", ";\n")
        )
        self._run(
            "mariadbd",
            "--no-defaults",
            "--user=mysql",
            f"--datadir={folder}/rows",
            f"--socket={folder}/sock",
            f"--pid-file={folder}/pid",
            f"--init-file={users}",
            "--bind-address=127.0.0.1",
            f"--port={self.site.database}",
            "--innodb-buffer-pool-size=128M",
            "--innodb-lock-wait-timeout=900",
            "--innodb-flush-log-at-trx-commit=0",
            "--skip-log-bin",
        )
        self._await("mariadbd", lambda: _listens(self.site.database))

    def _accounting(self) -> None:
        self._run("slurmdbd", "-D")
        self._await("slurmdbd", lambda: _listens(self.site.accounting))
        add = ("sacctmgr", "-i", "-Q", "add")
        self.command(*add, "cluster", "grove")
        self.command(*add, "account", "ml", "Description=ml", "Organization=lab")
        self.command(*add, "user", f"root,{','.join(USERS)}", "Account=ml")
        self.command(
            "sacctmgr", "-i", "-Q", "modify", "user", OPERATOR, "set", "AdminLevel=Operator"
        )

    def _controller_and_nodes(self) -> None:
        self._run("slurmctld", "-D", "-i")
        self._await("slurmctld", lambda: _listens(self.site.controller))
        # All nodes are this machine; under `local` each has what no other one sees.
        mount = f"mount -t tmpfs -o mode=1777 none {self.site.root}/local"
        for node in NODES:
            start = f"{mount} && exec slurmd -D -N {node.name}"
            words = ("--mount", "--propagation", "private", "sh", "-c", start)
            self._run("unshare", *words, name=f"slurmd-{node.name}")
        idle = ("sinfo", "-h", "-N", "-p", "batch", "-t", "idle")
        self._await("slurmd", lambda: len(self.output(*idle).splitlines()) == len(NODES))

    # -------------------------------------------------------------- processes

    def command(self, *argv: str) -> str:
        """Run a command as root and return its output; fail with what it said."""
        done = subprocess.run(
            argv, env=self.environment, capture_output=True, text=True, timeout=30, check=False
        )
        assert done.returncode == 0, f"{' '.join(argv)}: {done.stderr or done.stdout}"
        return done.stdout

    def output(self, *argv: str) -> str:
        """Run a command as root and return what it printed, whatever its status."""
        done = subprocess.run(
            argv, env=self.environment, capture_output=True, text=True, timeout=30, check=False
        )
        return done.stdout

    def pid(self, name: str) -> int:
        """Return the process id of a daemon, such as slurmctld or slurmd-gpu01."""
        return self._running[name].pid

    def _succeeds(self, *argv: str) -> bool:
        return (
            subprocess.run(argv, env=self.environment, capture_output=True, check=False).returncode
            == 0
        )

    def _run(
        self, program: str, *arguments: str, name: str = "", user: str = ""
    ) -> subprocess.Popen[bytes]:
        drop = ("--reuid", user, "--regid", user, "--clear-groups") if user else ()
        with self._log_path(name or program).open("wb") as log:
            child = subprocess.Popen(
                ("setpriv", "--pdeathsig", "KILL", *drop, program, *arguments),
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._running[name or program] = child
        return child

    def _end(self, names: Sequence[str]) -> None:
        children = [self._running.pop(name) for name in names if name in self._running]
        for child in children:
            child.send_signal(signal.SIGTERM)
        for child in children:
            try:
                child.wait(60)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def _await(self, name: str, ready: Callable[[], bool]) -> None:
        until = time.monotonic() + START_TIMEOUT
        while not ready():
            dead = [key for key, child in self._running.items() if child.poll()]
            assert not dead, f"{dead[0]} ended: {self._log(dead[0])}"
            assert time.monotonic() < until, f"{name} does not answer: {self._log(name)}"
            time.sleep(0.02)

    def _log_path(self, name: str) -> Path:
        return self.site.root / "log" / f"{name}.out"

    def _log(self, name: str) -> str:
        logs = [self._log_path(name), self.site.root / "log" / f"{name}.log"]
        return "\n".join(path.read_text()[-2000:] for path in logs if path.exists())

    def _remove_cgroups(self) -> None:
        """End what outlived its slurmd, and remove the folders that slurmd leaves behind."""
        ours = range(self.site.first_job, self.site.first_job + 1000)
        for node in NODES:
            for found in Path("/sys/fs/cgroup").glob(f"*/slurm_{node.name}"):
                for job in found.glob("uid_*/job_*"):
                    if int(job.name.removeprefix("job_")) in ours:
                        _kill_all(job)
                for folder, _, _ in os.walk(found, topdown=False):
                    with suppress(OSError):
                        Path(folder).rmdir()


def _kill_all(job: Path) -> None:
    for procs in job.rglob("cgroup.procs"):
        for pid in procs.read_text(encoding="ascii").split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
