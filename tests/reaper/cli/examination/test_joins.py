"""What the doctor says where exporters and platforms are each well and never meet."""

from dataclasses import replace

import pytest

from reaper.cli.examination.joins import unjoined
from reaper.domain.facts.allocation import Capacity, Claim
from reaper.domain.facts.device import FOREIGN, Device
from reaper.domain.facts.share import Share
from reaper.ports import Claims, NodeReport
from tests.builders import run
from tests.builders_picture import NOW


def report(node="gpu01", target="", **given) -> NodeReport:
    device = Device(gpu=f"GPU-{node}", node=node, generation=given.pop("generation", "1"))
    known = {"devices": (device,)} | given
    return NodeReport(node=node, target=target or f"{node}:19440", as_of=NOW, **known)


def slurm(*nodes: str, jobs: tuple[str, ...] = (), **states: str):
    capacities = tuple(
        Capacity(node=name, gpus=2, state=states.get(name.partition(".")[0], "up"))
        for name in nodes
    )
    claims = tuple(
        Claim(run=run(ident), places=(), user="mira", as_of=NOW, node_ids=(ident,))
        for ident in jobs
    )
    return {"slurm": Claims(as_of=NOW, claims=claims, capacities=capacities)}


def test_names_that_are_the_same_leave_nothing_to_say():
    assert list(unjoined([report()], slurm("gpu01"))) == []


@pytest.mark.parametrize(
    ("spelt", "name"),
    [("gpu01", "gpu01.example.org"), ("gpu01.example.org", "gpu01"), ("GPU01", "gpu01")],
)
def test_another_spelling_is_told_with_both_names_and_the_cure(spelt, name):
    (found,) = unjoined([report(spelt, "127.0.0.1:19477")], slurm(name))

    assert found.ok is False
    assert found.subject == "exporter 127.0.0.1:19477"
    assert found.what == f"speaks for node {spelt}, which slurm does not have; slurm has {name}"
    assert found.cure == f"start it with --node {name}"


def test_a_node_without_any_exporter_is_named_with_its_gpus():
    (found,) = unjoined([report()], slurm("gpu01", "gpu02", "gpu03", gpu03="down"))

    assert found.ok is False
    assert "gpu02, gpu03 (down); nothing is known of their 4 GPUs" in found.what
    assert "gpu-exporter" in found.cure


def test_only_nodes_that_are_down_without_exporter_are_no_fault():
    (found,) = unjoined([report()], slurm("gpu01", "gpu03", gpu03="down"))

    assert found.ok is None


def test_a_node_whose_exporter_fails_has_one():
    failing = report("gpu02", error="timed out", devices=())
    nameless = NodeReport(node="", target="gpu03.example.org:19440", as_of=NOW, error="timed out")

    assert list(unjoined([report(), failing, nameless], slurm("gpu01", "gpu02", "gpu03"))) == []


def test_an_exporter_of_a_node_that_no_platform_has_is_told_what_there_is():
    found = list(unjoined([report("box7")], slurm("gpu01")))

    assert [item.subject for item in found] == ["exporter box7:19440", "nodes without exporter"]
    assert "box7, which slurm does not have; slurm has gpu01" in found[0].what
    assert "--node" in found[0].cure


@pytest.mark.parametrize(
    ("spelt", "name", "cure"),
    [
        ("gpu01.example.org", "gpu01", "short_names: true"),
        ("gpu01", "gpu01.example.org", "node_label"),
        ("nvidia-dcgm-exporter-57pvc", "gpu01", "node_label"),
    ],
)
def test_a_foreign_exporter_is_cured_by_its_settings(spelt, name, cure):
    found = next(iter(unjoined([report(spelt, generation=FOREIGN)], slurm(name))))

    assert cure in found.cure
    assert "--node" not in found.cure


def test_jobs_that_nodes_see_and_slurm_has_not_are_named():
    share = Share(node="gpu01", gpu="GPU-gpu01", platform="slurm", id="14", start=NOW)
    seen = report(shares=(share, replace(share, id="15")))

    (found,) = unjoined([seen], slurm("gpu01", jobs=("14",)))

    assert found.ok is None
    assert "15 on gpu01" in found.what
    assert "14 on" not in found.what
