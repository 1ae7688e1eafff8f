"""Older JSON and texts of real clusters: 22.05's scalars, GRES lists of hundreds of nodes."""

import json
import re
from collections import Counter

from reaper.platforms.slurm.records.gres import count, gpus
from reaper.platforms.slurm.records.jobs import read_jobs
from reaper.platforms.slurm.records.nodes import read_nodes
from tests.public_traces import public


def test_2205_jobs_without_gpus_are_read():
    body = public("slurm", "json", "telegraf-slurmrestd-v0.0.38-22.05.9-jobs.json").read_text()

    jobs = read_jobs(json.loads(body))

    assert [(job.id, job.at_work, job.limit) for job in jobs] == [
        (20464, True, 3600),
        (20468, True, 3600),
        (23772, False, 3600),
    ]
    assert not any(items for job in jobs for items in job.gpus)


def test_2205_nodes_keep_their_flags():
    body = public("slurm", "json", "telegraf-slurmrestd-v0.0.38-22.05.9-nodes.json").read_text()

    nodes = read_nodes(json.loads(body))

    assert nodes[0].states == {"IDLE", "DRAIN"}
    assert all(node.used == 0 and not node.gpus for node in nodes)


def test_a_cluster_with_nine_other_resources_counts_its_gpus():
    said = public("slurm", "text", "osc-sinfo-gres-unique.txt").read_text()
    configured = re.findall(r"(?m)\S*\bgpu:a100:\d+\S*", said)

    found = Counter(
        count(item for item in gpus(text) if item.model == "a100")
        for text in configured
        if "IDX" not in text
    )

    assert found == {2: 248, 3: 24, 4: 24}
