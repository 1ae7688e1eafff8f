"""Real processes in real cgroups are attributed to the jobs that they would belong to."""

import os
import shutil
import socket
import stat
import time
from pathlib import Path

import pytest

from exporter.attribution import platforms
from exporter.attribution.gres import Found
from exporter.attribution.slurmd import SlurmdListing
from exporter.collectors.allocation import AllocationCollector
from exporter.collectors.ownership import Ownership
from exporter.collectors.pressure import PressureCollector
from exporter.kernel.proc import Census, signal_masks
from exporter.sampling.snapshot import Device
from tests.components import require
from tests.real.node import GPU, eventually, job_cgroup, node_name, places, running, sight


def test_a_process_in_a_jobs_cgroup_is_the_jobs():
    require("root")
    node = node_name()
    with (
        job_cgroup(node, 4711, "batch") as cgroup,
        running("sleep", "600", cgroup=cgroup) as sleeper,
    ):
        started = Census().take()[sleeper.pid].start
        collector = AllocationCollector(Ownership(places()), places())

        (share,) = collector.collect(sight(sleeper.pid)).shares

    assert (share.gpu, share.platform, share.share) == (GPU, "slurm", 1.0)
    assert share.allocation == f"4711@{int(started)}"
    assert abs(time.time() - started) < 60


def test_a_requeued_job_has_another_key():
    require("root")
    node = node_name()
    collector = AllocationCollector(Ownership(places()), places())
    keys = []
    for _ in range(2):
        with (
            job_cgroup(node, 4711, "batch") as cgroup,
            running("sleep", "600", cgroup=cgroup) as sleeper,
        ):
            (share,) = collector.collect(sight(sleeper.pid)).shares
            keys.append(share.allocation)
        time.sleep(1.1)

    assert keys[0] != keys[1]


def test_another_nodes_job_is_not_ours():
    require("root")
    with (
        job_cgroup(node_name(), 4711, "batch") as cgroup,
        running("sleep", "600", cgroup=cgroup) as sleeper,
    ):
        processes = Census().take()
        (slurm, *_) = platforms(node_name())
        ours = Ownership(places()).view(sight(sleeper.pid)).scene

        assert sleeper.pid in processes
        assert list(slurm.allocations(ours)) == []


def test_a_process_without_a_job_is_bare():
    with running("sleep", "600") as sleeper:
        collector = AllocationCollector(Ownership(places()), places())

        (share,) = collector.collect(sight(sleeper.pid)).shares

    assert share.platform in {"host", "container", "kubernetes"}
    if share.platform == "host":
        assert share.allocation.startswith(f"{sleeper.pid}@")


def test_the_signals_of_a_real_shell_are_read():
    with running("bash", "-c", "trap : USR1 TERM; echo ready; sleep 600 & wait") as shell:
        assert shell.stdout is not None
        shell.stdout.readline()

        def caught() -> list[int]:
            masks = signal_masks("/proc", shell.pid)
            assert masks is not None
            return [number for number in (10, 12, 15) if masks.catches(number)]

        # A shell blocks signals for the moment in which it forks.
        assert eventually(lambda: caught() == [10, 15])


def test_cpu_time_of_a_real_process_grows():
    with running("sh", "-c", "while :; do :; done") as worker:
        collector = PressureCollector(Ownership(places()), places())

        def used() -> float:
            found = collector.collect(sight(worker.pid)).pressures
            return sum(one.seconds for one in found if one.resource == "cpu")

        first = used()

        assert eventually(lambda: used() > first)


CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}
AuthType=auth/none
GresTypes=gpu
SlurmdLogFile={root}/log
SlurmdSpoolDir={root}/spool
NodeName=gpu01 NodeHostname={host} CPUs=2 Gres=gpu:h100:2,gpu:l40:2
PartitionName=p Nodes=ALL
"""
RESOURCES = """\
AutoDetect=off
NodeName=gpu01 Name=gpu Type=l40 File={root}/nvidia0
NodeName=gpu01 Name=gpu Type=h100 File={root}/nvidia3
NodeName=gpu01 Name=gpu Type=l40 File={root}/nvidia2
NodeName=gpu01 Name=gpu Type=h100 File={root}/nvidia1
"""


@pytest.fixture
def slurm_files(tmp_path: Path) -> Path:
    require("slurm")
    words = {"root": tmp_path, "host": socket.gethostname().partition(".")[0]}
    (tmp_path / "slurm.conf").write_text(CONFIGURATION.format(**words))
    (tmp_path / "gres.conf").write_text(RESOURCES.format(**words))
    for minor in range(4):
        os.mknod(tmp_path / f"nvidia{minor}", 0o600 | stat.S_IFCHR, os.makedev(195, minor))
    return tmp_path


def test_a_real_slurmd_lists_devices_in_the_order_of_their_indices(slurm_files: Path):
    # The order of types in slurm.conf rules, then that of gres.conf: not the files' numbers.
    command = slurm_files / "slurmd"
    program = shutil.which("slurmd", path="/usr/sbin:/sbin:/usr/local/sbin")
    command.write_text(f'#!/bin/sh\nSLURM_CONF={slurm_files}/slurm.conf exec {program} "$@"\n')
    command.chmod(0o755)
    devices = tuple(Device(uuid=f"GPU-{n}", index=n, minor=n) for n in range(4))
    listing = SlurmdListing(str(command), "gpu01", Path("/proc"))

    found: Found | None = None
    while found is None:
        found = listing.look(devices, 0.0)

    assert found == {"GPU-3": 0, "GPU-1": 1, "GPU-0": 2, "GPU-2": 3}
