"""A pod is known by its UID: no page of the exporter names pods, containers or namespaces."""

import re

import pytest

from exporter.attribution.allocation import Scene
from exporter.attribution.kubernetes import KubernetesPlatform
from exporter.contract import node_key
from exporter.contract.catalog import FAMILIES
from tests.builders_proc import process

NAMES = {"pod", "pod_name", "container", "container_name", "namespace", "image", "name"}
UID = "0a5e0b1c-7d2f-4a51-9c0e-6d4b2a1c9f10"


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_no_series_has_a_label_for_a_name(family):
    assert not NAMES & set(family.labels)


def test_what_stands_for_a_pod_is_its_uid_and_its_start():
    pod, box = f"kubepods-pod{UID.replace('-', '_')}.slice", f"cri-containerd-{'4f' * 32}.scope"
    one = process(1, cgroup=f"/kubepods.slice/{pod}/{box}")
    scene = Scene(processes={1: one}, holders={"GPU-0": frozenset((1,))}, now=one.start)
    (found,) = KubernetesPlatform().allocations(scene)

    assert node_key.parse(found.key).id == UID
    assert re.fullmatch(rf"{UID}@\d+", found.key)
