"""
Asks an engine for minutes as a reaper does, in a process of its own, and prints what it took.

Reads one line of JSON (`url`, `ends`: the ends of minutes in Unix seconds), writes one line.
"""

import asyncio
import json
import resource
import sys
import time
from urllib.request import ProxyHandler, build_opener

from reaper.activity.prometheus.activity import PrometheusActivity
from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.edge.clock import JumpingClock

OPENER = build_opener(ProxyHandler({}))


#: CPU seconds, queries and the series that they read, as VictoriaMetrics counts them.
COUNTS = {
    "engine": "process_cpu_seconds_total",
    "queries": 'vm_http_requests_total{path="/api/v1/query"}',
    "series": "vm_series_read_per_query_sum",
}


def engine_counts(url: str) -> dict[str, float]:
    """Return the numbers of the engine's own page; zero where one is not there."""
    with OPENER.open(f"{url}/metrics", timeout=60) as answer:
        page = answer.read().decode()
    lines = dict(line.rsplit(" ", 1) for line in page.splitlines() if not line.startswith("#"))
    return {name: float(lines.get(series, 0.0)) for name, series in COUNTS.items()}


async def main() -> None:
    order = json.loads(sys.stdin.readline())
    clock = JumpingClock(at=order["ends"][0] + 1)
    engine = {"url": order["url"], "timeout": "60s", "concurrency": 2}
    settings = PrometheusSettings.model_validate({"engines": [engine], "delay": "0s"})
    found = []
    async with PrometheusActivity(settings, clock=clock) as activity:
        for end in order["ends"]:
            clock.jump(end + 1)
            before = engine_counts(order["url"])
            began, worked = time.perf_counter(), time.process_time()
            answer = await activity.readings(0)
            while answer.as_of < end or not answer.nodes:
                answer = await activity.readings(0)
            seconds, worked = time.perf_counter() - began, time.process_time() - worked
            after = engine_counts(order["url"])
            found.append(
                {
                    **{name: after[name] - before[name] for name in COUNTS},
                    "seconds": seconds,
                    "worked": worked,
                    "readings": sum(len(report.readings) for report in answer.nodes),
                    "errors": sorted({report.error for report in answer.nodes if report.error}),
                    "bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
                }
            )
    print(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main())
