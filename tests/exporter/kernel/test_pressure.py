from pathlib import Path

import pytest

from exporter.attribution import Allocation
from exporter.kernel.cgroupfs import CgroupTree
from exporter.kernel.pressure import Gauge
from exporter.kernel.proc import Process
from exporter.sampling.snapshot import Absent
from tests.builders_proc import process

V1 = (("cpuacct", "/slurm/uid_1001/job_14"),)
V2 = (("", "/system.slice/slurmstepd.scope/job_14"),)


def job(*members: Process, folders: tuple[tuple[str, str], ...] = ()) -> tuple[Allocation, ...]:
    return (Allocation(platform="slurm", key="14@5", members=members, folders=folders),)


@pytest.fixture
def gauge(tmp_path: Path) -> Gauge:
    return Gauge(CgroupTree(tmp_path / "cgroup"), tmp_path / "proc")


def write(root: Path, path: str, text: str) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


def read(gauge: Gauge, allocations: tuple[Allocation, ...], now: float, resource: str):
    return gauge.read(allocations, now)["slurm", "14@5"][resource]


def test_cpu_time_is_v1s_own_count(gauge: Gauge, tmp_path: Path):
    write(tmp_path, "cgroup/cpuacct/slurm/uid_1001/job_14/cpuacct.usage", "33146523011972\n")

    assert read(gauge, job(process(1, cpu=5), folders=V1), 0, "cpu") == 33146.523011972


def test_cpu_time_is_v2s_own_count(gauge: Gauge, tmp_path: Path):
    path = "cgroup/system.slice/slurmstepd.scope/job_14/cpu.stat"
    write(tmp_path, path, "usage_usec 126686\nuser_usec 49043\n")

    assert read(gauge, job(process(1, cpu=5), folders=V2), 0, "cpu") == 0.126686


def test_cpu_time_is_else_the_processes_sum(gauge: Gauge):
    assert read(gauge, job(process(1, cpu=5), process(2, cpu=2.5)), 0, "cpu") == 7.5


def test_the_processes_sum_never_falls(gauge: Gauge):
    read(gauge, job(process(1, cpu=5), process(2, cpu=2)), 0, "cpu")
    without = read(gauge, job(process(2, cpu=3)), 15, "cpu")
    reused = read(gauge, job(process(1, start=9, cpu=1), process(2, cpu=3)), 30, "cpu")

    assert (without, reused) == (8, 9)


def test_the_share_stuck_in_the_kernel_is_integrated(gauge: Gauge):
    both = job(process(1, state="D"), process(2))
    gauge.read(both, 0)
    gauge.read(both, 15)

    assert read(gauge, both, 30, "uninterruptible") == 15


def test_a_gap_adds_no_time_stuck(gauge: Gauge):
    stuck = job(process(1, state="D"))
    gauge.read(stuck, 0)

    assert read(gauge, stuck, 3600, "uninterruptible") == 0


def test_stalls_are_the_kernels_totals(gauge: Gauge, tmp_path: Path):
    folder = "cgroup/system.slice/slurmstepd.scope/job_14"
    text = "some avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\nfull avg10=0.00 total=1\n"
    for name in ("cpu", "io", "memory"):
        write(tmp_path, f"{folder}/{name}.pressure", text)

    found = gauge.read(job(process(1), folders=V2), 0)["slurm", "14@5"]

    assert [found[f"{name}_stall"] for name in ("cpu", "io", "memory")] == [2.5] * 3


@pytest.mark.parametrize("resource", ["cpu_stall", "io_stall", "memory_stall", "block_io"])
def test_what_the_kernel_does_not_give_is_absent_with_a_reason(gauge: Gauge, resource: str):
    found = read(gauge, job(process(1, blocked=3), folders=V1), 0, resource)

    assert isinstance(found, Absent)
    assert found.reason


def test_block_io_is_counted_where_the_kernel_accounts_delays(gauge: Gauge, tmp_path: Path):
    write(tmp_path, "proc/sys/kernel/task_delayacct", "1\n")
    read(gauge, job(process(1, blocked=1), process(2, blocked=2)), 0, "block_io")

    assert read(gauge, job(process(2, blocked=4)), 15, "block_io") == 5


def test_an_ended_allocation_begins_anew(gauge: Gauge):
    gauge.read(job(process(1, cpu=5)), 0)
    gauge.read((), 15)

    assert read(gauge, job(process(1, cpu=7)), 30, "cpu") == 7


@pytest.mark.parametrize("text", ["", "x", "usage_usec \n", "-5", "\x00\xff"])
def test_half_written_files_are_no_figures(gauge: Gauge, tmp_path: Path, text: str):
    folder = "cgroup/system.slice/slurmstepd.scope/job_14"
    for name in ("cpu.stat", "io.pressure", "cpuacct.usage"):
        write(tmp_path, f"{folder}/{name}", text)

    found = gauge.read(job(process(1, cpu=5), folders=V2), 0)["slurm", "14@5"]

    assert found["cpu"] == 5
    assert isinstance(found["io_stall"], Absent)
