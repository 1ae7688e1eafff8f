"""How long a whole large cluster takes to judge from its tracks."""

import random
import resource
import time

from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.grid import NORMAL
from reaper.domain.judgement.bench import Seen
from reaper.domain.judgement.idleness import judge
from tests.bench.large_cluster import ALLOCATIONS, GPUS, MINUTES, allocations
from tests.builders import START, evidence
from tests.tracks import drawn

LIMIT_SECONDS = 5.0
LIMIT_BYTES = 1024**3


def cluster() -> tuple[list[Allocation], dict[str, Seen]]:
    """Return a cluster in which a third idles and the rest works with pauses."""
    chance = random.Random(7)
    found, seen = [], {}
    for allocation in allocations():
        found.append(allocation)
        idle = chance.random() < 0.33
        for device in allocation.devices:
            work = "".join(chance.choices("AAAAAL", k=MINUTES // 2))
            rest = "H" * (MINUTES // 2) if idle else work
            seen[device.gpu] = Seen(track=drawn(work + rest), evidence=evidence(MINUTES // 2))
    return found, seen


def test_a_hundred_thousand_gpus_are_judged_from_their_tracks() -> None:
    """Printed beside the limit; no test fails on time."""
    whole, seen = cluster()
    began, worked = time.perf_counter(), time.process_time()

    verdicts = [
        judge(
            allocation,
            {gpu: seen[gpu] for gpu in allocation.gpus},
            now=START,
            pace=NORMAL,
        )
        for allocation in whole
    ]

    took, cpu = time.perf_counter() - began, time.process_time() - worked
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    idle = sum(1 for verdict in verdicts if verdict.is_idle)
    print(
        f"\njudged {ALLOCATIONS * GPUS:,} GPUs in {ALLOCATIONS:,} allocations from "
        f"{MINUTES} min of letters: {took:.2f} s, {cpu:.2f} s of CPU (limit {LIMIT_SECONDS:g} s), "
        f"{memory / 2**20:.0f} MiB resident (limit {LIMIT_BYTES / 2**20:.0f} MiB); {idle} idle"
    )
    assert 0.3 * ALLOCATIONS < idle < 0.36 * ALLOCATIONS
