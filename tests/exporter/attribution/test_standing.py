"""What is said of each device's holder, and where nothing can be said."""

import pytest

from exporter.attribution import Allocation, Scene
from exporter.attribution.standing import Look, standings
from exporter.sampling.snapshot import Absent, Device, DeviceProcess, DeviceProcesses
from exporter.sampling.sources import SourceState
from tests.builders_proc import process

CARD = Device(uuid="GPU-0", index=0)
OFF = SourceState(source="kubelet", state="off")
OK = SourceState(source="kubelet", state="ok")
FAILING = SourceState(source="kubelet", state="failing")


def standing(*pids, allocations=(), kubelet=OFF, others=(), reading=None, at=100.0):
    """Return what is said of a card on which `pids` have a context."""
    listed = tuple(DeviceProcess(pid=pid) for pid in pids)
    found = reading or DeviceProcesses(gpu="GPU-0", at=98.0, processes=listed)
    look = Look(
        scene=Scene(
            processes={one.pid: one for one in others},
            holders={"GPU-0": frozenset(pids)},
            now=0.0,
            devices=(CARD,),
        ),
        allocations=tuple(allocations),
        readings=(found,),
        kubelet=kubelet,
        at=at,
    )
    (only,) = standings(look)
    return only


def allocation(*pids, platform="slurm", devices=("GPU-0",)):
    return Allocation(
        platform=platform,
        key="1@2",
        members=tuple(process(pid) for pid in pids),
        devices=frozenset(devices),
    )


def test_a_device_with_an_allocations_process_is_held():
    found = standing(71, allocations=[allocation(71)])

    assert (found.state, found.source, found.reason) == ("held", "driver", "")


def test_its_age_is_that_of_the_oldest_word():
    assert standing(71, allocations=[allocation(71)]).at == 98.0
    assert standing(71, allocations=[allocation(71)], at=90.0).at == 90.0


def test_a_device_given_away_without_a_process_is_assigned():
    found = standing(allocations=[allocation(71, platform="kubernetes")], kubelet=OK)

    assert (found.state, found.source) == ("assigned", "kubelet")


def test_a_device_that_nobody_holds_is_free():
    assert standing().state == "free"


@pytest.mark.parametrize(
    "others", [[process(9, name="slurmd")], [process(9, name="slurmstepd")]], ids=["slurmd", "step"]
)
def test_on_a_node_of_slurm_nobody_on_it_does_not_mean_free(others):
    found = standing(others=others)

    assert (found.state, "its controller knows" in found.reason) == ("unknown", True)


def test_beside_a_job_on_another_device_it_is_unknown_too():
    assert standing(allocations=[allocation(71, devices=("GPU-1",))]).state == "unknown"


@pytest.mark.parametrize(
    ("kubelet", "state"), [(OK, "free"), (OFF, "unknown"), (FAILING, "unknown")]
)
def test_on_a_node_of_pods_the_kubelet_must_say_so(kubelet, state):
    pods = [allocation(71, platform="kubernetes", devices=("GPU-1",))]

    assert standing(allocations=pods, kubelet=kubelet).state == state


def test_processes_that_are_not_to_be_seen_leave_it_unknown():
    found = standing(71)

    assert (found.state, "hostPID" in found.reason) == ("unknown", True)


def test_a_device_whose_processes_are_unknown_is_unknown_with_the_reason():
    lost = Absent(state="lost", reason="the GPU is lost")
    reading = DeviceProcesses(gpu="GPU-0", at=98.0, processes=lost)

    assert standing(reading=reading).reason == "the GPU is lost"


def test_a_device_that_was_not_listed_yet_is_unknown():
    reading = DeviceProcesses(gpu="GPU-9", at=98.0, processes=())

    assert standing(reading=reading).state == "unknown"
