"""Nodes from text and from JSON: states with all their flags, and no node that is cut off."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.platforms.slurm.records.gres import count
from reaper.platforms.slurm.records.nodes import read_node_lines, read_nodes
from reaper.platforms.slurm.records.scalars import ShapeError

LINE = (
    "NodeName=gpu01 Arch=x86_64 CoresPerSocket=32  CPUAlloc=3 AvailableFeatures=(null) "
    "Gres=gpu:a100:4 GresDrain=N/A GresUsed=gpu:a100:3(IDX:0-2) NodeAddr=127.0.0.1 "
    "OS=Linux 6.1 #1 SMP State=MIXED+DRAIN ThreadsPerCore=1 Partitions=batch,interactive "
    " BootTime=2026-11-29T15:18:02 CfgTRES=cpu=32,gres/gpu=4 Reason=fan State=IDLE Gres=gpu:9\n"
)


def test_a_line_says_what_a_node_has_and_what_is_given_out():
    (node,) = read_node_lines(LINE)

    assert (node.name, count(node.gpus), node.used) == ("gpu01", 4, 3)
    assert node.partitions == ("batch", "interactive")


def test_what_an_operator_writes_into_a_reason_changes_nothing():
    (node,) = read_node_lines(LINE)

    assert node.states == {"MIXED", "DRAIN"}


def test_a_node_that_does_not_answer_is_marked():
    (node,) = read_node_lines(LINE.replace("MIXED+DRAIN", "IDLE*"))

    assert node.states == {"IDLE", "NOT_RESPONDING"}


def test_a_node_without_resources_has_no_gpus_and_none_given_out():
    line = "NodeName=cn1 Gres=(null) GresUsed= State=IDLE Partitions=batch \n"

    (node,) = read_node_lines(line)

    assert (node.gpus, node.used) == ((), 0)


def test_a_gpu_node_that_does_not_say_what_is_used_is_unknown():
    (node,) = read_node_lines("NodeName=g1 Gres=gpu:4 GresUsed= State=IDLE \n")

    assert node.used is None


@pytest.mark.parametrize("said", [LINE[:-1], LINE[:90], LINE[:60] + "\n", "No nodes?\n"])
def test_a_text_that_breaks_off_is_refused(said):
    with pytest.raises(ShapeError):
        read_node_lines(said)


@pytest.mark.parametrize(
    ("old", "new", "quoted"),
    [
        (" GresUsed=gpu:a100:3(IDX:0-2)", "", "no GresUsed"),
        (" Gres=gpu:a100:4", "", "no Gres"),
        ("gpu:a100:3(IDX:0-2)", "gpu:a100:x(IDX:0-2)", "'gpu:a100:x(IDX:0-2)'"),
        ("Gres=gpu:a100:4 ", "Gres=gpu:a100 ", "'gpu:a100'"),
        (" State=MIXED+DRAIN", " ", "no State"),
    ],
)
def test_what_cannot_be_read_of_a_node_is_quoted_and_its_use_unknown(old, new, quoted):
    line = LINE.replace(" Reason=fan State=IDLE Gres=gpu:9", "")

    odd, whole = read_node_lines(line.replace(old, new) + line.replace("gpu01", "gpu02"))

    assert quoted in odd.unclear
    assert odd.used is None
    assert (whole.name, whole.used, whole.unclear) == ("gpu02", 3, "")


def test_a_type_that_nobody_configured_is_written_as_null():
    (node,) = read_node_lines(LINE.replace("gpu:a100:3(", "gpu:(null):3("))

    assert (node.used, node.unclear) == (3, "")


NODE = {
    "name": "n1",
    "state": ["IDLE"],
    "gres": "gpu:2",
    "gres_used": "gpu:1(IDX:0)",
    "partitions": ["batch"],
    "reservation": "",
}
JUNK = st.none() | st.integers() | st.text(max_size=8) | st.lists(st.integers(), max_size=2)


@given(st.sampled_from(sorted(NODE.keys() - {"name"})), JUNK)
def test_junk_in_any_optional_field_never_blinds_another_node(key, value):
    odd, whole = read_nodes({"nodes": [NODE | {key: value}, NODE | {"name": "n2"}]})

    assert (odd.name, whole.name, whole.used, whole.unclear) == ("n1", "n2", 1, "")


@pytest.mark.parametrize("name", [None, "", 5])
def test_a_node_without_a_name_fails_the_answer(name):
    with pytest.raises(ShapeError):
        read_nodes({"nodes": [NODE | {"name": name}]})


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_by_name(said):
    try:
        read_node_lines(said)
    except ShapeError:
        return


def test_flags_beside_the_state_count_too():
    record = {
        "name": "n1",
        "state": "idle",
        "state_flags": ["DRAIN"],
        "gres": "gpu:2",
        "gres_used": "gpu:1",
        "partitions": ["batch"],
    }

    (node,) = read_nodes({"nodes": [record]})

    assert (node.states, node.used) == ({"IDLE", "DRAIN"}, 1)
