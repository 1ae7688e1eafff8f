"""
A store that looks back on a year of a large cluster, and what a reaper takes to start on it.

The past is written in bulk, a row for each that a reaper would have written: packed days of
letters, tenures and their events, cases, notices.  The last minute is written by turns, so that
records, open tenures and picture are what they are.
"""

import asyncio
import json
import resource
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

import asyncpg

from reaper.cycle.memory import Memory
from reaper.domain.escalation.case import State
from reaper.domain.escalation.notice import Delivery
from reaper.domain.facts.grid import NORMAL
from reaper.domain.money.entries import Event, Tenure, ident_of
from reaper.store.codec import encode
from reaper.store.letters import DAY, pack
from tests import stored
from tests.bench.plant import planted
from tests.bench.whole_cluster import DrawnCluster
from tests.books import run_of, tenure_of
from tests.builders import START

DAYS = 365
LASTS = 24 * 3600.0
"""Seconds that a job lasts: a tenure a device a day."""
CASES_A_DAY = 50
CLUSTER = "bench"
ENDED = f"100000.0.{int(START - 101 * LASTS)}"
"""A run of a hundred days ago."""


async def fill(gpus: int, place: Path, url: str | None = None) -> None:
    """Write the year, then the newest minutes by turns."""
    plant = await planted(place, DrawnCluster(gpus), url=url)
    if url is None:
        _into_file(place / "reaper.sqlite", _past(plant.cluster))
    else:
        await _into_server(url, _past(plant.cluster))
    for turn in range(3):
        await plant.minute(turn)
    await plant.cycle.rest()
    await plant.cycle.store.close()


async def start(gpus: int, place: Path, url: str | None = None) -> dict[str, float]:
    """Start a reaper on it; return wall seconds by step, CPU seconds and MiB of all."""
    cluster, took, now = DrawnCluster(gpus), {}, START + 60 * 10
    began, spent = perf_counter(), process_time()
    plant = await planted(place, cluster, at=now, url=url, remembers=False)
    cycle, store = plant.cycle, plant.cycle.store
    took["open"] = perf_counter() - began
    async with store.reading() as books:
        cycle.memory = await Memory.load(books, now=now, pace=NORMAL)
    took["remember"] = perf_counter() - began - took["open"]
    again = perf_counter()
    await plant.minute(10)
    took["first turn and page"] = perf_counter() - again
    again = perf_counter()
    assert (await plant.questions.explain(ENDED)).row is None
    took["explain of an ended run"] = perf_counter() - again
    took["CPU of all"] = process_time() - spent
    took["MiB at most"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert cycle.memory is not None
    assert len(cycle.memory.records) >= gpus
    await store.close()
    return took


# ------------------------------------------------------------------ a year, in bulk


Laid = tuple[str, str, Iterable[tuple]]
"""A table, its columns but the cluster, and rows of it."""


def _past(cluster: DrawnCluster) -> Iterator[Laid]:
    yield "track_days", "day gpu packed", _days(cluster)
    yield "tenures", "run_key gpu begins ends body", _tenures(cluster)
    yield "events", "number at run_key ident body", _events(cluster)
    yield "cases", "id run_key state opened closed body", _cases()
    yield "notices", "id case_id delivery created body", _notices()
    yield "demand", "minute gpus", _demand()


def _into_file(file: Path, past: Iterable[Laid]) -> None:
    book = sqlite3.connect(file)
    book.execute("PRAGMA synchronous=OFF")
    for table, columns, rows in past:
        names = columns.split()
        marks = ",".join("?" * (len(names) + 1))
        whole = ((CLUSTER, *row) for row in rows)
        book.executemany(f"INSERT INTO {table} (cluster,{','.join(names)}) VALUES ({marks})", whole)  # noqa: S608
    book.commit()
    book.close()


async def _into_server(url: str, past: Iterable[Laid]) -> None:
    book = await asyncpg.connect(url)
    for table, columns, rows in past:
        whole = ((CLUSTER, *row) for row in rows)
        await book.copy_records_to_table(
            table, records=whole, columns=["cluster", *columns.split()]
        )
    await book.execute("ANALYZE")
    await book.close()


def _days(cluster: DrawnCluster) -> Iterator[tuple]:
    last = int(START // 60) // DAY - 2
    kinds = [pack((letters * DAY)[:DAY]) for letters in ("A" * 90 + "H" * 7, "AL", "H" * 60 + "A")]
    names = sorted(device.gpu for node in cluster.nodes for device in node.devices)
    for day in range(last - DAYS, last):
        for number, gpu in enumerate(names):
            yield day, gpu, kinds[number % 3]


def _runs(cluster: DrawnCluster) -> Iterator[tuple[str, list[Tenure]]]:
    """Yield the jobs of a year: each node's holdings, anew every day."""
    for day in range(DAYS, 0, -1):
        began = START - LASTS - day * LASTS
        for node in cluster.nodes:
            for held in node.holdings:
                key = f"{held.ident}.0.{int(began)}"
                gpus = node.devices[held.first : held.first + held.gpus]
                run = replace(run_of(held.ident, started=began), key=key)
                one = tenure_of(held.ident, gpus[0].gpu, began, began + LASTS, run=run)
                yield key, [replace(one, gpu=device.gpu, node=node.name) for device in gpus]


def _tenures(cluster: DrawnCluster) -> Iterator[tuple]:
    for key, tenures in _runs(cluster):
        body = encode(tenures[0])
        for one in tenures:
            yield key, one.gpu, one.begin, one.end, body


def _events(cluster: DrawnCluster) -> Iterator[tuple]:
    number = 0
    for key, tenures in _runs(cluster):
        begin, end = tenures[0].begin, tenures[0].end or 0.0
        for at, kind in ((begin, "run began"), (end, "run ended")):
            number += 1
            event = Event(at=at, kind=kind, run_key=key, text=f"slurm/{tenures[0].run.id}")
            yield number, at, key, ident_of(event), encode(event)


def _opened() -> Iterator[tuple[str, float]]:
    for day in range(DAYS, 0, -1):
        for number in range(CASES_A_DAY):
            yield f"case {day}.{number}", START - (day + number / CASES_A_DAY) * 86400.0


def _cases() -> Iterator[tuple]:
    for name, at in _opened():
        key = f"past {name}"
        case = stored.case(
            name, key=key, opened=at, state=State.CLOSED, closed=at + 7200, outcome="active again"
        )
        yield name, key, case.state.value, at, case.closed, encode(case)


def _notices() -> Iterator[tuple]:
    for name, at in _opened():
        for rung in range(2):
            one = stored.notice(
                f"{name}.{rung}", case_id=name, created=at, delivery=Delivery.DELIVERED
            )
            yield one.id, name, one.delivery.value, at, encode(one)


def _demand() -> Iterator[tuple]:
    last = int(START // 60) - 5
    return ((minute, minute % 7) for minute in range(last - 90 * DAY, last))


async def main() -> None:
    order = json.loads(sys.stdin.readline())
    place = Path(order["directory"])
    if order["do"] == "fill":
        await fill(order["gpus"], place, order["url"])
        print("{}")
    else:
        print(json.dumps(await start(order["gpus"], place, order["url"])))


if __name__ == "__main__":
    asyncio.run(main())
