"""How long a look at 2,000 processes takes, drawn and real."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from exporter.attribution import Scene, attribute, platforms
from exporter.kernel.proc import Census
from tests.builders_proc import ProcTree

PROCESSES = 2_000
PERIOD = 15.0


def drawn(root: Path) -> ProcTree:
    """Draw 64 jobs, their processes and as many kernel threads as a large node has."""
    tree = ProcTree(root)
    for pid in range(2, 2 + PROCESSES):
        if pid % 4 == 0:
            tree.add(pid, f"kworker/{pid}", flags=0x0020_8040, cgroup=("0::/",))
            continue
        job = pid % 64
        paths = (f"{n}:{name}:/slurm/uid_1001/job_{job}/step_0/task_0" for n, name in V1)
        tree.add(pid, "python3", cgroup=tuple(paths), command=("python3", "train.py"))
    return tree


V1 = ((6, "freezer"), (5, "devices"), (4, "memory"), (3, "cpuset"), (2, "cpu,cpuacct"))


def milliseconds(work: Callable[[], object], times: int = 9) -> float:
    laps = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        laps.append((time.perf_counter() - begun) * 1e3)
    return statistics.median(laps)


def test_one_pass_over_two_thousand_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    tree = drawn(tmp_path / "proc")
    first = milliseconds(lambda: Census(tree.root).take(), times=3)
    census = Census(tree.root)
    census.take()
    later = milliseconds(census.take)
    asked = platforms()
    scene = Scene(processes=census.take(), holders={}, now=0.0)
    owners = milliseconds(lambda: attribute(asked, scene))

    with capsys.disabled():
        print(
            f"\n/proc, {PROCESSES} processes: first pass {first:.1f} ms, later {later:.1f} ms, "
            f"attribution {owners:.1f} ms; every {PERIOD:g} s that is "
            f"{(later + owners) / PERIOD / 10:.2f} % of a core"
        )
    assert len(attribute(asked, scene)) == 48


def test_one_pass_over_this_machine(capsys: pytest.CaptureFixture[str]):
    census = Census()
    found = census.take()
    later = milliseconds(census.take)

    with capsys.disabled():
        print(f"\n/proc, {len(found)} processes of this machine: {later:.2f} ms a pass")
    assert found
