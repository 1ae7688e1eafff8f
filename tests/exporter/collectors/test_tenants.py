"""Who of several allocations on one device kept it busy."""

import pytest

from exporter.attribution import Allocation, Scene
from exporter.collectors.ownership import View
from exporter.collectors.sight import Sight
from exporter.collectors.tenants import TenantsCollector
from exporter.sampling.calls import Calls
from exporter.sampling.snapshot import Absent, Device, ProcessUse
from tests.builders_proc import process
from tests.exporter.fakes import StillClock

CARDS = (Device(uuid="GPU-0", index=0), Device(uuid="GPU-1", index=1))
FIRST, SECOND = ("slurm", "1@5"), ("host", "72@9")
LOST = Absent(state="lost", reason="gone")


class Seen:
    """An ownership with one view, and a driver that tells processes apart."""

    def __init__(self, latest, busy):
        self.latest = latest
        self._busy = busy
        self.asked = []

    def busy(self, device):
        self.asked.append(device.uuid)
        return ProcessUse(gpu=device.uuid, at=7.0, busy=self._busy)


def allocation(name, *pids, devices=("GPU-0",)):
    platform, key = name
    members = tuple(process(pid) for pid in pids)
    return Allocation(platform=platform, key=key, members=members, devices=frozenset(devices))


def view(*allocations, served=()):
    processes = {member.pid: member for one in allocations for member in one.members}
    processes |= {pid: process(pid, program="mps") for pid in served}
    scene = Scene(processes=processes, holders={}, now=0.0, devices=CARDS)
    return View(scene=scene, allocations=allocations)


SHARED = view(allocation(FIRST, 70, 71), allocation(SECOND, 72))


def uses(busy, latest=SHARED):
    seen = Seen(latest, busy)
    clock = StillClock()
    sight = Sight(
        driver=seen, devices=CARDS, processes=(), clock=clock, calls=Calls(None, clock.monotonic)
    )
    return TenantsCollector(seen).collect(sight), seen.asked


def tenants(busy, latest=SHARED):
    ((use,), _) = uses(busy, latest)
    return use.tenants


def test_a_shared_device_is_split_among_its_tenants():
    assert tenants({71: 0.5, 72: 0.25}) == {FIRST: 0.5, SECOND: 0.25}


def test_the_processes_of_a_tenant_add_up_to_one_at_most():
    assert tenants({70: 0.75, 71: 0.5}) == {FIRST: 1.0, SECOND: 0.0}


def test_a_device_with_one_tenant_is_not_asked():
    assert uses({70: 0.5}, view(allocation(FIRST, 70))) == ((), [])


def test_only_the_shared_device_is_asked():
    assert uses({}, SHARED)[1] == ["GPU-0"]


def test_nothing_is_asked_before_anybody_is_known():
    assert uses({}, None) == ((), [])


def test_what_the_driver_does_not_tell_is_unknown_for_all():
    assert tenants(LOST) is LOST


def test_a_busy_stranger_leaves_all_unknown():
    assert tenants({99: 0.1}).state == "stale"


def test_a_stranger_at_rest_leaves_all_known():
    assert tenants({99: 0.0, 72: 0.5}) == {FIRST: 0.0, SECOND: 0.5}


def test_an_mps_server_hides_whose_work_it_does():
    served = view(allocation(FIRST, 70), allocation(SECOND, 72), served=(50,))

    assert tenants({50: 0.9}, served).state == "unsupported"


@pytest.mark.parametrize("busy", [{}, {70: 0.0}])
def test_tenants_at_rest_are_named_with_zero(busy):
    assert tenants(busy) == {FIRST: 0.0, SECOND: 0.0}
