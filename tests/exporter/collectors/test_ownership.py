"""The three collectors of ownership over a drawn /proc, as the worker runs them."""

from pathlib import Path

import pytest

from exporter.collectors import collectors
from exporter.collectors.allocation import AllocationCollector, _slurmd
from exporter.collectors.ownership import Ownership
from exporter.collectors.pressure import PressureCollector
from exporter.collectors.session import SessionCollector
from exporter.collectors.sight import Places, Sight
from exporter.sampling.calls import CallBoard, Calls
from exporter.sampling.snapshot import Absent, Device, DeviceProcess, DeviceProcesses, GresIndex
from tests.builders_proc import BOOT, ProcTree
from tests.exporter.fakes import StillClock

BATCH = ("6:freezer:/slurm_gpu01/uid_1001/job_14/step_batch", "0::/")


class Node:
    """A drawn node, its collectors, and one device."""

    def __init__(self, root: Path) -> None:
        self.proc = ProcTree(root / "proc")
        self.clock = StillClock()
        self.places = Places(
            node="gpu01",
            proc=str(self.proc.root),
            cgroup=str(root / "cgroup"),
            dev=str(root / "dev"),
            slurmd=str(root / "slurmd"),
            gres_map=str(root / "gres"),
            jobstats_map="",
        )
        ownership = Ownership(self.places)
        self.allocation = AllocationCollector(ownership, self.places)
        self.session = SessionCollector(ownership, self.places)
        self.pressure = PressureCollector(ownership, self.places)

    def sight(
        self,
        *pids: int,
        unknown: bool = False,
        avoided: tuple[str, ...] = (),
        calls: Calls | None = None,
        gres_index: str = "",
    ) -> Sight:
        listed = tuple(DeviceProcess(pid=pid) for pid in pids)
        absent = Absent(state="lost", reason="the device does not answer")
        reading = DeviceProcesses(
            gpu="GPU-0", at=self.clock.now, processes=absent if unknown else listed
        )
        return Sight(
            driver=None,
            devices=(Device(uuid="GPU-0", index=0, minor=0, gres_index=gres_index),),
            processes=(reading,),
            clock=self.clock,
            calls=calls or Calls(None, self.clock.monotonic),
            avoided=frozenset(avoided),
        )


@pytest.fixture
def node(tmp_path: Path) -> Node:
    return Node(tmp_path)


def test_a_jobs_process_on_a_device_is_a_share(node: Node):
    node.proc.add(71, cgroup=BATCH, start=50)

    (share,) = node.allocation.collect(node.sight(71)).shares

    assert (share.gpu, share.platform, share.allocation) == ("GPU-0", "slurm", f"14@{BOOT + 50}")


def test_a_device_whose_processes_are_unknown_has_no_share(node: Node):
    node.proc.add(71, cgroup=BATCH)

    assert node.allocation.collect(node.sight(71, unknown=True)).shares == ()


def test_a_jobs_signals_are_told_without_a_device(node: Node):
    node.proc.add(70, "slurmstepd", cgroup=BATCH)
    node.proc.add(71, ppid=70, cgroup=BATCH, caught=("USR1",))

    found = node.allocation.collect(node.sight()).caught

    assert [one.signal for one in found if one.caught] == ["USR1"]
    assert {one.target for one in found} == {"batch"}


def test_signals_of_an_avoided_process_are_not_caught(node: Node):
    node.proc.add(71, cgroup=BATCH, caught=("USR1",))
    node.allocation.collect(node.sight())
    node.clock.pause(15)

    found = node.allocation.collect(node.sight(avoided=("pid 71", "gpu 3", "pid x"))).caught

    assert found
    assert not any(one.caught for one in found)


def test_an_index_comes_from_the_nodes_own_map(node: Node):
    Path(node.places.gres_map).mkdir()
    (Path(node.places.gres_map) / "3").write_text("GPU-0")

    (found,) = node.allocation.collect(node.sight()).gres

    assert (found.gpu, found.index, found.source) == ("GPU-0", "3", "map")


def test_a_driver_that_knows_its_indices_is_not_asked_about_them(node: Node):
    Path(node.places.gres_map).mkdir()
    (Path(node.places.gres_map) / "3").write_text("GPU-0")

    assert node.allocation.collect(node.sight(gres_index="0")).gres == ()


def test_sessions_carry_kind_and_uid_alone(node: Node):
    node.proc.add(70, "bash", cgroup=BATCH)
    node.proc.add(71, "rsession", ppid=70, uid=1001, cgroup=BATCH, command=("rsession", "secret"))

    (session,) = node.session.collect(node.sight()).sessions

    assert (session.kind, session.uid, session.last_activity) == ("rstudio", 1001, None)
    assert "secret" not in repr(session)


def test_pressures_are_what_the_kernel_gives(node: Node):
    node.proc.add(71, cgroup=BATCH, cpu=2.5)

    found = node.pressure.collect(node.sight()).pressures

    assert {one.resource: one.seconds for one in found} == {"cpu": 2.5, "uninterruptible": 0.0}
    assert {one.allocation for one in found} == {f"14@{BOOT + 100}"}


@pytest.mark.parametrize("people", [True, False])
def test_sessions_are_looked_at_only_where_people_may_be(node: Node, people: bool):
    names = [one.name for one in collectors(node.places, people=people)]

    assert ("session" in names) is people
    assert {"allocation", "pressure"} < set(names)


def test_one_census_serves_a_round(node: Node):
    node.proc.add(71, cgroup=BATCH)
    sight = node.sight(71)
    node.allocation.collect(sight)
    node.proc.add(72, "rsession", cgroup=BATCH)

    assert node.session.collect(sight).sessions == ()


def test_the_next_round_has_a_census_of_its_own(node: Node):
    node.proc.add(71, cgroup=BATCH)
    node.allocation.collect(node.sight(71))
    node.proc.add(72, "rsession", cgroup=BATCH)

    assert node.session.collect(node.sight(71)).sessions


def test_every_call_is_withdrawn(node: Node):
    node.proc.add(71, cgroup=BATCH)
    board = CallBoard.create()
    calls = Calls(board, node.clock.monotonic)

    for collector in (node.allocation, node.session, node.pressure):
        collector.collect(node.sight(71, calls=calls))

    assert board.current() is None
    board.close()


def test_a_tree_that_is_no_proc_costs_the_turn_and_says_why(node: Node):
    (node.proc.root / "stat").unlink()

    with pytest.raises(OSError, match="no boot time"):
        node.allocation.collect(node.sight())


def test_a_pid_that_was_given_to_another_process_holds_nothing(node: Node):
    sight = node.sight(71)
    begun = node.clock.wall() - BOOT + 0.5
    node.clock.pause(1)
    node.proc.add(71, cgroup=BATCH, start=begun)

    found = node.allocation.collect(sight)

    assert found.shares == ()
    assert [one.state for one in found.ownership] == ["unknown"]


def test_a_holder_whose_clock_was_set_back_stays_a_holder(node: Node):
    node.proc.add(71, cgroup=BATCH, start=node.clock.wall() - BOOT + 3600)

    assert node.allocation.collect(node.sight(71)).shares


def test_a_device_without_anybody_is_free(node: Node):
    (found,) = node.allocation.collect(node.sight()).ownership

    assert (found.gpu, found.state) == ("GPU-0", "free")


def test_the_kubelet_that_is_not_asked_is_off(node: Node):
    assert ("kubelet", "off") in {
        (one.source, one.state) for one in node.allocation.collect(node.sight()).sources
    }


def test_what_the_kernel_does_not_account_is_named_with_its_reason(node: Node):
    node.proc.add(71, cgroup=BATCH)

    found = {one.source: one for one in node.pressure.collect(node.sight()).sources}

    assert found["pressure cpu"].state == "ok"
    assert "psi=1" in found["pressure io_stall"].reason
    assert "task_delayacct" in found["pressure block_io"].reason


def test_an_order_of_gpus_that_is_unknown_is_named():
    known = GresIndex(gpu="GPU-0", index="0", source="map")
    doubted = GresIndex(gpu="GPU-1", index="", source="unknown: map says 1, slurmd says 2")

    assert _slurmd(()) == ()
    assert [one.state for one in _slurmd((known,))] == ["ok"]
    assert [(one.state, one.reason) for one in _slurmd((known, doubted))] == [
        ("failing", "unknown: map says 1, slurmd says 2")
    ]


def test_a_node_that_slurm_spells_otherwise_is_told_as_a_source(node: Node):
    node.proc.add(71, cgroup=("6:freezer:/slurm_gpu01.example.org/uid_1/job_14/step_0", "0::/"))

    found = {one.source: one for one in node.allocation.collect(node.sight(71)).sources}

    assert found["node_name"].state == "failing"
    assert "gpu01.example.org, this exporter calls it gpu01" in found["node_name"].reason
