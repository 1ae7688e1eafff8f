"""Where only a foreign exporter answers, a claim's devices are told by the whole or by a map."""

import json

from reaper.activity.prometheus.gauges.dcgm import sampled
from reaper.activity.prometheus.queries.answer import RawSeries, matrix
from reaper.domain.facts.allocation import Inventory, Place, unite
from reaper.domain.facts.device import FOREIGN
from reaper.domain.facts.placing import placed
from reaper.domain.facts.share import Share
from tests.builders import START, claim, device
from tests.public_traces import public

NODE = "gpu01"


def devices(count: int = 4, **given: object) -> dict:
    shown = {"generation": FOREIGN, "gres_index": None, **given}
    return {NODE: tuple(device(index, **shown) for index in range(count))}


def label(job: str, index: int, *, node: str = NODE) -> Share:
    gpu = f"GPU-{node}-{index}"
    return Share(node=node, gpu=gpu, platform="slurm", id=job, start=START, proof=False)


def gpus(claims) -> list[list[str]]:
    return [[place.gpu for place in one.places] for one in claims]


def test_a_claim_on_every_gpu_of_a_node_holds_all_its_devices():
    found = placed([claim(gpus=4)], (), devices(), {NODE: 4})

    assert gpus(found) == [[f"GPU-gpu01-{index}" for index in range(4)]]


def test_a_claim_on_all_that_is_left_to_see_holds_nothing_known():
    """One card fell silent: which of the others is whose, nobody says."""
    held = claim(gpus=3)

    assert placed([held], (), devices(3), {NODE: 4}) == (held,)


def test_a_claim_on_a_part_of_a_node_is_told_by_the_prologs_map():
    found = placed([claim("7", gpus=2)], (label("7", 1), label("7", 3)), devices(), {NODE: 4})

    assert gpus(found) == [["GPU-gpu01-1", "GPU-gpu01-3"]]


def test_a_map_that_names_another_number_of_devices_tells_nothing():
    held = claim("7", gpus=2)

    assert placed([held], (label("7", 1),), devices(), {NODE: 4}) == (held,)


def test_a_label_of_a_job_that_ended_names_nobody():
    held = claim("7", gpus=1)

    assert placed([held], (label("6", 1),), devices(), {NODE: 4}) == (held,)


def test_a_node_with_an_exporter_of_ours_is_told_by_its_indices_alone():
    held = claim("7", gpus=1)
    ours = devices(generation="boot 1", gres_index=0)

    assert placed([held], (label("7", 1),), ours, {NODE: 1}) == (held,)


def test_two_runs_that_a_map_gives_one_device_are_both_doubted():
    claims = [claim("7", gpus=1), claim("8", gpus=1)]
    there = devices()
    found = placed(claims, (label("7", 1), label("8", 1)), there, {NODE: 4})
    united = unite(found, (), Inventory(devices=there))

    assert united.contested == {"GPU-gpu01-1"}
    assert all(item.doubt for item in united.allocations)


def test_an_owner_is_named_on_the_recorded_pages_of_a_real_dcgm_exporter():
    nodes = recorded("")
    held = whole(len(nodes["gpu-node-1"]))
    found = placed([held], (), nodes, {"gpu-node-1": 8, "gpu-node-2": 8})
    (united,) = unite(found, (), Inventory(devices=nodes)).allocations

    assert (united.doubt, united.owner, len(united.devices)) == ("", "mira", 8)


def test_a_job_label_on_the_recorded_pages_names_the_owner_of_two_devices():
    nodes, shares = recorded("4711"), labels("4711")
    held = claim("4711", node="gpu-node-1", gpus=2)
    found = placed([held], shares, nodes, {"gpu-node-1": 8})
    (united,) = unite(found, (), Inventory(devices=nodes)).allocations

    assert united.doubt == ""
    assert set(united.gpus) == {share.gpu for share in shares}


def whole(count: int):
    places = tuple(Place(node="gpu-node-1", index=index) for index in range(count))
    return claim(node="gpu-node-1", gpus=count, places=places)


def rows(job: str) -> list[RawSeries]:
    path = public("metrics", "dcgm-exporter", "aicr-prometheus-api-gpu-util.json")
    content = json.loads(path.read_text(encoding="utf-8"))
    for item in content["data"]["result"]:
        item["values"] = [item.pop("value")]
        if item["metric"]["Hostname"] == "gpu-node-1" and item["metric"]["gpu"] in {"2", "5"}:
            item["metric"] |= {"hpc_job": job} if job else {}
    return list(matrix(json.dumps(content).encode(), whose="recorded"))


def recorded(job: str) -> dict:
    found: dict = {}
    for item in sampled(rows(job), short_names=False, exporters={}, end=START):
        found[item.device.node] = (*found.get(item.device.node, ()), item.device)
    return found


def labels(job: str) -> tuple[Share, ...]:
    found = sampled(rows(job), short_names=False, exporters={}, end=START)
    return tuple(share for item in found for share in item.shares.values() if share.id == job)
