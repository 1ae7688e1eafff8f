"""
Takes whole minutes of a large cluster in a process of its own, and prints what each part took.

Reads one line of JSON (`gpus`, `minutes`: how each minute is, of `warm`, `churning` and `quiet`,
`pages`: whether the nodes' pages are `fetched`, `parsed` or what they mean is `given`, `directory`
and `url` of the store, `profile`: a file for one of the last turn) and writes one line.
"""

import asyncio
import gc
import json
import resource
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from reaper.app.running import SELDOM
from tests.bench.asked_nodes import asked_nodes
from tests.bench.plant import Eye, planted
from tests.bench.whole_cluster import DrawnCluster


async def main() -> None:
    order = json.loads(sys.stdin.readline())
    gpus, place = order["gpus"], Path(order["directory"])
    plant = await planted(place, DrawnCluster(gpus), url=order.get("url"), cluster=f"bench{gpus}")
    async with AsyncExitStack() as stack:
        if order["pages"] == "fetched":
            plant.asked = await stack.enter_async_context(asked_nodes(gpus, plant.cycle.clock))
        elif order["pages"] == "parsed":
            plant.eyes = [Eye(node) for node in plant.cluster.nodes]
        gc.collect()
        gc.freeze()
        gc.set_threshold(*SELDOM)
        found = []
        for turn, kind in enumerate(order["minutes"]):
            before, last = _written(), turn == len(order["minutes"]) - 1
            spent = await plant.minute(
                turn,
                whole=kind != "warm" and order["pages"] != "given",
                churns=kind == "churning",
                profile=Path(order["profile"]) if last else None,
            )
            found.append({"cpu": spent.cpu, "wall": spent.wall, "written": _written() - before})
    sentence = (await plant.questions.status()).sentence
    await plant.cycle.store.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"minutes": found, "said": sentence, "bytes": peak}))


def _written() -> int:
    """Return the bytes that this process has asked to be written."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar"))


if __name__ == "__main__":
    asyncio.run(main())
