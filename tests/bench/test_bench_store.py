"""What the store takes for a cluster of 8,000 devices, on SQLite, beside what it may take."""

import random
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from time import perf_counter

import pytest

from reaper.domain.facts.device import Device
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.track import Track
from reaper.store import open_store
from reaper.store.letters import DAY, pack
from reaper.store.settings import StoreSettings

DEVICES = 8000
GPUS = tuple(f"GPU-{number:08x}-6e1c-4b5f-9a77-0123456789ab" for number in range(DEVICES))
PORTIONS = DEVICES // 200
NOON = 20_000 * DAY + 720


@pytest.fixture
async def store(tmp_path):
    store = await open_store(StoreSettings(directory=tmp_path), cluster="bench")
    yield store
    await store.close()


async def test_one_minute_of_letters(store):
    epoch = await store.lead("bench", 0.0)
    await append(store, epoch, NOON, 1)

    took = await timed(lambda: append(store, epoch, NOON + 1, 1))

    say("append a minute of 8,000 devices", took, "s", "≤ 0.5")


async def test_one_minute_of_records(store):
    epoch = await store.lead("bench", 0.0)
    records = [record(gpu) for gpu in GPUS]
    await keep(store, epoch, records)

    took = await timed(lambda: keep(store, epoch, records))

    say("replace the records of 8,000 devices", took, "s", "≤ 0.5")


async def test_loading_records(store):
    await keep(store, await store.lead("bench", 0.0), [record(gpu) for gpu in GPUS])

    async def load():
        async with store.reading() as books:
            return await books.records()

    say("load the records of 8,000 devices", await timed(load), "s", "≤ 2")


async def test_loading_five_hours(store):
    await append(store, await store.lead("bench", 0.0), NOON, 330)

    async def load():
        async with store.reading() as books:
            return await books.tracks(GPUS, NOON + 30, NOON + 330)

    say("load 300 minutes of 8,000 devices", await timed(load), "s", "≤ 2")


async def test_packing_a_day(store, tmp_path):
    epoch = await store.lead("bench", 0.0)
    await append(store, epoch, 20_000 * DAY, DAY)
    midnight = 20_001 * DAY

    took = [await timed(partial(append, store, epoch, midnight + n, 1)) for n in range(PORTIONS)]

    say("append a minute while a day is packed, slowest", max(took), "s", "≤ 0.5")
    say("a packed day in the file, of 48 changes", bytes_of(tmp_path, "track_days"), "B", "≤ 400")


@pytest.mark.parametrize("changes", [10, 50, 100])
def test_bytes_of_a_day(changes):
    days = [drawn(random.Random(seed), DAY, DAY / changes) for seed in range(200)]

    size = sum(len(pack(letters)) for letters in days) / len(days)

    say(f"a device-day of {changes} changes", size, "B", "≤ 400")


async def append(store, epoch: int, first: int, minutes: int):
    chance = random.Random(first)
    tracks = {gpu: Track(start=first, letters=drawn(chance, minutes, 30)) for gpu in GPUS}
    async with store.transaction(epoch) as books:
        await books.append_minutes(tracks)


async def keep(store, epoch: int, records: list[DeviceRecord]):
    async with store.transaction(epoch) as books:
        await books.keep_records(records)


def drawn(chance: random.Random, minutes: int, stretch: float) -> str:
    letters = ""
    while len(letters) < minutes:
        letters += chance.choice("AHEL?") * (1 + int(chance.expovariate(1 / stretch)))
    return letters[:minutes]


def record(gpu: str) -> DeviceRecord:
    signals = ("sm", "tensor", "dram", "engine")
    seen = dict.fromkeys(signals, 86399.123456)
    return DeviceRecord(
        device=Device(gpu=gpu, node=f"node{gpu[4:12]}", index=3, minor=3, model="NVIDIA H100 80GB"),
        reading=Reading(
            gpu=gpu, at=1.7e9, epoch="1:gpm:2", observed=seen, active=seen, above=(1.0,) * 4
        ),
        stretch="i",
        evidence=Evidence(seconds=3600.0, seen=seen, active=seen, above=(0.0,) * 4, joules=2.1e5),
        watts_held=tuple((watts, 40) for watts in range(68, 76)),
    )


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    begun = perf_counter()
    await work()
    return perf_counter() - begun


def bytes_of(directory: Path, table: str) -> float:
    """Return the bytes of a row, with its keys and its share of the pages."""
    with closing(sqlite3.connect(directory / "reaper.sqlite")) as file:
        size = file.execute("SELECT sum(pgsize) FROM dbstat WHERE name = ?", (table,)).fetchone()[0]
        rows = file.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
    return float(size / rows)


def say(what: str, figure: float, unit: str, limit: str) -> None:
    print(f"\n{what}: {figure:.3g} {unit} (to reach {limit} {unit})")
