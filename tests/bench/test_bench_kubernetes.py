"""What it takes to hold 10,000 pods with GPUs on 2,000 nodes: memory, a cycle, the first lists."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.sizes import sized
from tests.project import ROOT

PODS = sized(10_000, 400)
NODES = sized(2_000, 80)
FOLLOWED = sized(130, 3)
"""Seconds in which requests are counted."""
HERE = Path(__file__).parent
LIMITS = {"memory": 300, "cycle": 3.0, "start": 30.0}


@pytest.fixture
def url() -> Iterator[str]:
    order = json.dumps({"pods": PODS, "nodes": NODES})
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.large_kubernetes"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as server:
        server.stdin.write(f"{order}\n")
        server.stdin.flush()
        yield json.loads(server.stdout.readline())["url"]
        server.stdin.close()


def test_a_cluster_of_ten_thousand_pods_is_held(url):
    done = subprocess.run(
        [sys.executable, str(HERE / "mirrored_kubernetes.py"), url, str(FOLLOWED)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )
    told = json.loads(done.stdout)
    resident, cycles = told["resident"], ", ".join(f"{one:.2f}" for one in told["cycles"])

    print(f"\n{told['pods']} pods on {NODES} nodes, {told['claims']} workloads")
    print(f"first lists  {told['start']:6.2f} s (limit {LIMITS['start']:g})")
    print(f"a cycle      {cycles} s (limit {LIMITS['cycle']:g})")
    print(
        f"resident     {resident['VmRSS:']:6.0f} MiB, at most {resident['VmHWM:']:.0f} "
        f"(limit {LIMITS['memory']}), {told['before']:.0f} before"
    )
    print(f"requests     {told['requests']:6.1f} a minute while nothing breaks")
    assert told["pods"] == PODS
    assert told["owners"] == PODS // 4
    assert told["claims"] == PODS // 4
