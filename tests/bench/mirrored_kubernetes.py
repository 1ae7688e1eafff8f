"""
Mirrors a large cluster in a process of its own, and says what that takes.

Takes the address of an API server and for how many seconds it follows; prints a line of JSON.
"""

import asyncio
import json
import sys
from pathlib import Path
from time import perf_counter

import aiohttp

from reaper.domain.facts.allocation import Inventory
from reaper.edge.clock import SystemClock
from reaper.edge.kubernetes import Access, Connection
from reaper.platforms.kubernetes.holder import KubernetesHolder
from reaper.platforms.kubernetes.mirror import Mirror


class Way:
    """The way to it, without files."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def access(self) -> Access:
        return Access(server=self.url)

    def renew(self) -> None:
        """Nothing is kept."""


def resident() -> dict[str, float]:
    """Return MiB of this process by the kernel's name: now, and at most."""
    lines = (line.split() for line in Path("/proc/self/status").read_text().splitlines())
    return {words[0]: int(words[1]) / 1024 for words in lines if words[0] in ("VmRSS:", "VmHWM:")}


async def asked(url: str) -> int:
    async with aiohttp.ClientSession() as session, session.get(f"{url}/asked") as answer:
        return (await answer.json())["asked"]


async def main(url: str, seconds: float) -> None:
    clock = SystemClock()
    before = resident()["VmRSS:"]
    mirror = Mirror(Connection("large", Way(url), clock), clock, patience=120.0)
    holder = KubernetesHolder((mirror,))
    begun = perf_counter()
    seen = await mirror.seen()
    start = perf_counter() - begun
    cycles = []
    for _ in range(3):
        begun = perf_counter()
        claims = await holder.claims(Inventory())
        cycles.append(perf_counter() - begun)
    count = await asked(url)
    await clock.sleep(seconds)
    told = {
        "pods": len(seen.pods),
        "owners": len(seen.owners),
        "claims": len(claims.claims),
        "doubted": sum(bool(one.doubt) for one in claims.claims),
        "start": start,
        "cycles": cycles,
        "before": before,
        "resident": resident(),
        "requests": (await asked(url) - count) * 60 / seconds,
    }
    await mirror.close()
    print(json.dumps(told))


asyncio.run(main(sys.argv[1], float(sys.argv[2])))
