"""What is free: whole GPUs on nodes that are up, by a scheduler that says what it gave out."""

import pytest

from reaper.cycle.snapshot.room import Room, room
from reaper.domain.facts.allocation import Capacity
from reaper.domain.facts.device import Device
from reaper.edge.clock import JumpingClock
from reaper.platforms.slurm.holder import SlurmHolder
from reaper.platforms.slurm.poll import Poll
from reaper.platforms.slurm.records.nodes import read_node_lines
from tests.reaper.platforms.slurm.drawn import NOON, SlurmInMemory

LINE = "NodeName={} Gres={} GresUsed={} State={} Partitions=normal\n"


def free(*capacities: Capacity, devices: tuple[Device, ...] = (), seen: tuple[str, ...] = ()):
    there: dict[str, list[Device]] = {}
    for one in devices:
        there.setdefault(one.node, []).append(one)
    return room(capacities, (), there, seen)


async def counted(*nodes: tuple[str, str, str, str]) -> tuple[Capacity, ...]:
    lines = "".join(LINE.format(*node) for node in nodes)
    slurm = SlurmInMemory(nodes=read_node_lines(lines))
    poll = Poll(slurm, JumpingClock(at=NOON))
    return (await SlurmHolder(poll, cluster="grove").claims(None)).capacities


async def test_of_a_cluster_with_drained_down_and_cut_nodes_only_whole_usable_gpus_are_free():
    nodes = await counted(
        ("up1", "gpu:a100:4", "gpu:a100:0(IDX:N/A)", "IDLE"),
        ("drained1", "gpu:a100:4", "gpu:a100:0(IDX:N/A)", "IDLE+DRAIN"),
        ("down1", "gpu:a100:4", "gpu:a100:0(IDX:N/A)", "DOWN*"),
        ("mig1", "gpu:1g.10gb:21", "gpu:1g.10gb:0(IDX:N/A)", "IDLE"),
    )

    assert free(*nodes) == Room(gpus=4, slices=21)


async def test_on_a_node_of_both_kinds_each_is_counted_by_itself():
    nodes = await counted(
        ("a", "gpu:a800:7,gpu:2g.20gb:3", "gpu:a800:5(IDX:0-4),gpu:2g.20gb:1(IDX:7)", "MIXED")
    )

    assert free(*nodes) == Room(gpus=2, slices=2)


@pytest.mark.parametrize("state", ["down", "drained", "reserved"])
def test_a_node_that_is_not_up_gives_nothing(state):
    assert free(Capacity(node="a", gpus=4, allocated=1, state=state)) == Room()


def test_what_the_scheduler_does_not_tell_is_not_known_to_be_free():
    assert free(Capacity(node="a", gpus=4)) == Room()


def test_slices_without_a_type_are_known_by_the_nodes_own_devices():
    cut = tuple(
        Device(gpu=f"MIG-{n}", node="a", mig_profile="1g.10gb", parent="GPU-1") for n in "12"
    )
    card = Device(gpu="GPU-2", node="a")

    assert free(Capacity(node="a", gpus=3, allocated=0), devices=(*cut, card)) == Room(
        gpus=1, slices=2
    )
    assert free(Capacity(node="a", gpus=3, allocated=2), devices=(*cut, card)) == Room(slices=1)


def test_a_node_that_no_scheduler_counts_is_counted_by_its_devices():
    devices = (Device(gpu="GPU-1", node="a"), Device(gpu="GPU-2", node="a"))

    assert free(devices=devices, seen=("a",)) == Room(gpus=2)
