"""
Asks an engine for minutes as a reaper does, in a process of its own, and prints what it took.

Reads one line of JSON (`url`, `ends`: the ends of minutes in Unix seconds), writes one line.
"""

import asyncio
import json
import re
import resource
import sys
import time
from urllib.request import ProxyHandler, build_opener

from reaper.activity.prometheus.activity import PrometheusActivity
from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.edge.clock import JumpingClock

OPENER = build_opener(ProxyHandler({}))


def engine_worked(url: str) -> float:
    """Return the CPU seconds that the engine has taken, by its own word."""
    with OPENER.open(f"{url}/metrics", timeout=60) as answer:
        found = re.search(rb"^process_cpu_seconds_total ([0-9.e+]+)", answer.read(), re.MULTILINE)
    return float(found[1]) if found else 0.0


async def main() -> None:
    order = json.loads(sys.stdin.readline())
    clock = JumpingClock(at=order["ends"][0] + 1)
    engine = {"url": order["url"], "timeout": "60s", "concurrency": 2}
    settings = PrometheusSettings.model_validate({"engines": [engine], "delay": "0s"})
    found = []
    async with PrometheusActivity(settings, clock=clock) as activity:
        for end in order["ends"]:
            clock.jump(end + 1)
            engine_began = engine_worked(order["url"])
            began, worked = time.perf_counter(), time.process_time()
            answer = await activity.readings(0)
            while answer.as_of < end or not answer.nodes:
                answer = await activity.readings(0)
            found.append(
                {
                    "seconds": time.perf_counter() - began,
                    "worked": time.process_time() - worked,
                    "engine": engine_worked(order["url"]) - engine_began,
                    "readings": sum(len(report.readings) for report in answer.nodes),
                    "errors": sorted({report.error for report in answer.nodes if report.error}),
                    "bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
                }
            )
    print(json.dumps(found))


asyncio.run(main())
