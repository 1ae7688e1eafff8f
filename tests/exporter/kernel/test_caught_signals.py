import pytest

from exporter.attribution import Allocation
from exporter.kernel.caught_signals import SIGNALS, caught, targets
from exporter.kernel.proc import Process, SignalMasks
from tests.builders_proc import process

POD = "/kubepods/pod0a5e0b1c-7d2f-4a51-9c0e-6d4b2a1c9f10"
BOX, OTHER = "4f" * 32, "5e" * 32


def step(pid: int, name: str, *, ppid: int = 1, program: str = "") -> Process:
    cgroup = f"/slurm/uid_1001/job_14/step_{name}/task_0"
    return process(pid, ppid=ppid, program=program, cgroup=cgroup)


def job(*members: Process) -> Allocation:
    return Allocation(platform="slurm", key="14@5", members=members)


def pod(*members: Process) -> Allocation:
    return Allocation(platform="kubernetes", key="pod@5", members=members)


def pids(allocation: Allocation) -> dict[str, list[int]]:
    return {target: [one.pid for one in found] for target, found in targets(allocation).items()}


def test_a_batch_signal_reaches_the_batch_shell_alone():
    daemon = step(10, "batch", program="slurmstepd")

    found = pids(job(daemon, step(11, "batch", ppid=10), step(12, "batch", ppid=11)))

    assert found == {"batch": [11]}


def test_the_batch_shell_is_found_without_its_daemon():
    assert pids(job(step(11, "batch", ppid=10), step(12, "batch", ppid=11))) == {"batch": [11]}


def test_a_step_signal_may_reach_every_process_of_every_step():
    found = pids(
        job(step(11, "batch"), step(21, "0"), step(22, "0", ppid=21), step(31, "interactive"))
    )

    assert found == {"batch": [11], "step": [21, 22, 31]}


def test_slurms_own_processes_receive_nothing():
    assert pids(job(step(10, "0", program="slurmstepd"), step(11, "extern", ppid=10))) == {}


def test_a_pod_signal_reaches_the_first_process_of_each_container():
    found = pids(
        pod(
            process(10, cgroup=f"{POD}/{BOX}"),
            process(11, ppid=10, cgroup=f"{POD}/{BOX}"),
            process(20, cgroup=f"{POD}/{OTHER}"),
            process(30, cgroup=f"{POD}/{'6d' * 32}", program="pause"),
        )
    )

    assert found == {"pod": [10, 20]}


def test_bare_processes_and_containers_have_no_target():
    assert pids(Allocation(platform="host", key="71@5", members=(process(71),))) == {}


def masks(catching: dict[int, set[str]]):
    def read(pid: int) -> SignalMasks | None:
        if pid not in catching:
            return None
        bits = sum(1 << (SIGNALS[name] - 1) for name in catching[pid])
        return SignalMasks(caught=bits, ignored=0, blocked=0)

    return read


def told(allocation: Allocation, catching: dict[int, set[str]]) -> dict[tuple[str, str], bool]:
    found = caught(allocation, masks(catching))
    return {(one.target, one.signal): one.caught for one in found}


def test_every_signal_of_every_target_is_answered():
    found = told(job(step(11, "batch"), step(21, "0")), {11: {"USR1"}, 21: set()})

    assert len(found) == 2 * 6
    assert [key for key, value in found.items() if value] == [("batch", "USR1")]


@pytest.mark.parametrize(
    ("second", "expected"), [({"USR1"}, True), ({"USR2"}, False), (set(), False)]
)
def test_all_receivers_must_catch_it(second: set[str], expected: bool):
    found = told(job(step(21, "0"), step(22, "0")), {21: {"USR1"}, 22: second})

    assert found["step", "USR1"] is expected


def test_an_unreadable_receiver_catches_nothing():
    found = told(job(step(21, "0"), step(22, "0")), {21: {"USR1"}})

    assert not any(found.values())
