"""Recorded answers of a real Prometheus beside a real dcgm-exporter, with their known answers."""

import json

from reaper.activity.prometheus.gauges.dcgm import sampled
from reaper.activity.prometheus.gauges.hints import of_slurm_job_exporter
from reaper.activity.prometheus.queries.answer import RawSeries, matrix, vector
from tests.public_traces import public

HELD = "GPU-c4529c8d-69c4-b61d-e0bc-7b2460096005"
OWNER = ("kubernetes", "dynamo-workload/vllm-agg-0-vllmdecodeworker-s65j5")


def recorded(name: str) -> list[RawSeries]:
    """Read a recorded instant answer as the samples of a minute."""
    path = public("metrics", "dcgm-exporter", f"aicr-prometheus-api-{name}.json")
    content = json.loads(path.read_text(encoding="utf-8"))
    for item in content["data"]["result"]:
        item["values"] = [item.pop("value")]
    return list(matrix(json.dumps(content).encode(), whose="recorded"))


def devices() -> dict:
    rows = [row for name in ("gpu-util", "fb-used", "power") for row in recorded(name)]
    found = sampled(rows, short_names=False, exporters={}, end=1773114100.0)
    return {item.device.gpu: item for item in found}


def test_sixteen_gpus_on_two_nodes_are_found_once_each():
    found = devices()

    assert len(found) == 16
    assert {item.device.node for item in found.values()} == {"gpu-node-1", "gpu-node-2"}
    assert {item.device.model for item in found.values()} == {"NVIDIA H100 80GB HBM3"}


def test_what_was_scraped_is_no_owner_and_the_one_pod_is():
    owners = {gpu: list(item.shares) for gpu, item in devices().items() if item.shares}

    assert owners == {HELD: [OWNER]}


def test_a_served_model_at_rest_holds_memory_and_does_nothing():
    signals = devices()[HELD].signals()

    assert list(signals["memory"].values()) == [74166 * 2**20]
    assert list(signals["engine"].values()) == [0.0]


def test_the_sum_of_power_is_the_boards_and_no_more():
    watts = [sum(item.signals()["power"].values()) for item in devices().values()]

    assert len(watts) == 16
    assert all(50 < item < 130 for item in watts)


def test_a_recorded_answer_is_cut_into_series_and_numbers():
    path = public("metrics", "dcgm-exporter", "aicr-prometheus-api-fb-used.json")
    found = vector(path.read_bytes(), whose="recorded")

    assert len(found.values) == len(found.metrics()) == 16
    assert sum(found.values) == 74166.0


def test_jobs_of_slurm_job_exporter_are_known_and_their_indices_name_no_gpu():
    path = public("metrics", "other", "slurm-job-exporter-readme.prom")
    rows = [
        {"metric": labelled(line), "value": [0, line.rsplit(" ", 1)[1]]}
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("slurm_job_utilization_gpu{")
    ]
    body = json.dumps({"status": "success", "data": {"resultType": "vector", "result": rows}})
    hints = list(of_slurm_job_exporter(vector(body.encode(), whose="recorded"), 0.0))

    assert [(item.id, item.gpu, item.proof) for item in hints] == [
        ("1", "", False),
        ("2", "", False),
        ("4", "", False),
    ]


def labelled(line: str) -> dict[str, str]:
    inner = line[line.index("{") + 1 : line.index("}")]
    pairs = (part.partition("=") for part in inner.split('",'))
    return {"instance": "gpu01:9798", **{name: value.strip('"') for name, _, value in pairs}}
