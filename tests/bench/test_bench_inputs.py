"""What it costs to keep what was known of idle runs: seconds of a turn, bytes of a day."""

import random
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from reaper.cycle.evaluation.docket import Docket
from reaper.cycle.evidence.noting import note
from reaper.cycle.item import Standing
from reaper.cycle.rules import Rules
from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.inputs import Entry, Inputs, Sighting, Witnessed, host_name
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.sign import Sign
from reaper.domain.facts.track import Track
from reaper.store import open_store
from reaper.store.letters import DAY
from reaper.store.settings import StoreSettings
from tests.bench.large_cluster import ALLOCATIONS, MINUTES, allocations
from tests.bench.sizes import sized
from tests.builders import MINUTE, START, evidence, policy
from tests.tracks import drawn

LIMIT_SECONDS = 0.5
"""A twentieth of what the reaper does in a minute of 100,000 GPUs."""

ENDED = sized(500_000, 20_000)

RUNS, DAYS = 200, 3
LIMIT_BYTES = 2048.0
FIRST = 20_000 * DAY

QUIET = Inputs(
    owner="user0042",
    team="vision",
    account="vision-lab",
    qos="normal",
    name="jupyter-session",
    purpose=Purpose.INTERACTIVE,
    signs=(Sighting(kind="jupyter", last_seen=1.7e9),),
    devices=(
        Witnessed(
            witnesses=("profiling", "utilisation", "power"),
            signals=("dram", "engine", "memory", "power", "processes", "sm", "tensor"),
        ),
    ),
    host=True,
)


def large() -> tuple[Docket, tuple[Allocation, ...]]:
    """Return a cluster of 100,000 GPUs in which a third idles, each behind a shell."""
    chance = random.Random(7)
    found, records, tracks = [], {}, {}
    sign = Sign(kind="shell", last_seen=START, as_of=START)
    for allocation in allocations():
        found.append(replace(allocation, signs=(sign,)))
        idle = chance.random() < 0.33
        for device in allocation.devices:
            rest = "H" * 60 if idle else "".join(chance.choices("AAAAAL", k=60))
            track = drawn("A" * (MINUTES - 60) + rest)
            tracks[device.gpu] = replace(track, start=int(START // MINUTE) - MINUTES)
            records[device.gpu] = DeviceRecord(device=device, evidence=evidence(60))
    docket = Docket(
        rules=Rules(cluster="c", policies=(policy(),)),
        standing=Standing(cases={}, notices={}, keeps=(), holds=(), intents=(), policy_since={}),
        records=records,
        tracks=tracks,
        waiting=(),
        hosts={},
        now=START,
    )
    return docket, tuple(found)


def test_a_turn_of_a_hundred_thousand_gpus_is_noted() -> None:
    """The first turn writes everything, the second nothing; printed beside the limit."""
    docket, whole = large()
    items = docket.items(whole)
    looked = docket.rules.pace.closed(START) - 1

    began = time.process_time()
    first = note(docket, items, {}, looked=looked, jumps=False)
    written = time.process_time()
    again = note(docket, items, first.held, looked=looked, jumps=False)
    done = time.process_time()

    print(
        f"\nnoted {len(first.entries):,} idle runs of {ALLOCATIONS:,}: {written - began:.2f} s of "
        f"CPU when all are new, {done - written:.2f} s when nothing changes (limit "
        f"{LIMIT_SECONDS:g} s)"
    )
    assert len(first.entries) > 0.3 * ALLOCATIONS
    assert again.entries == ()


async def test_bytes_of_an_idle_day(tmp_path: Path) -> None:
    """A night without a change, an input now and then, and a person who types all day."""
    for name, chance in (("quiet", 0.0), ("an input in an hour", 1 / 60), ("typing", 0.25)):
        place = tmp_path / name.replace(" ", "-")
        place.mkdir()
        await keep(place, chance)
        known, letters = bytes_of(place, "inputs"), bytes_of(place, "track_days")
        print(
            f"\nan idle day of a run, {name}: {known + letters:,.0f} B, {known:,.0f} B known of it "
            f"and {letters:,.0f} B letters of its host (to reach ≤ {LIMIT_BYTES:,.0f} B)"
        )
        assert known > 0


async def test_letters_of_a_minute_beside_the_idle_runs_of_ninety_days(tmp_path: Path) -> None:
    """What is kept of runs that ended costs a turn nothing; printed."""
    store = await open_store(StoreSettings(directory=tmp_path), cluster="bench")
    epoch = await store.lead("bench", 0.0)
    with closing(sqlite3.connect(tmp_path / "reaper.sqlite")) as file:
        ended = ((host_name(f"{number}.0"), FIRST) for number in range(ENDED))
        file.executemany("INSERT INTO frontiers VALUES ('bench', ?, ?)", ended)
        file.commit()

    began = time.perf_counter()
    async with store.transaction(epoch) as books:
        track = Track(start=FIRST + 90 * DAY, letters="A")
        await books.append_minutes({f"GPU-{number}": track for number in range(500)})
    seconds = time.perf_counter() - began
    await store.close()

    print(f"\na minute of 500 GPUs beside {ENDED:,} runs that ended: {seconds:.2f} s")


async def keep(place: Path, chance: float) -> None:
    """Keep some days of runs whose person types by chance from nine to five."""
    dice = random.Random(11)
    store = await open_store(StoreSettings(directory=place), cluster="bench")
    epoch = await store.lead("bench", 0.0)
    begins = range(FIRST, FIRST + DAYS * DAY + 1, 60)
    async with store.transaction(epoch) as books:
        for number in range(RUNS):
            await books.append_inputs(
                list(lived(dice, f"{4_000_000 + number}.0.1700000000", chance))
            )
    for first, end in pairwise(begins):
        async with store.transaction(epoch) as books:
            await books.append_minutes(
                {
                    host_name(f"{4_000_000 + number}.0.1700000000"): Track(
                        start=first, letters=hosted(dice, end - first)
                    )
                    for number in range(RUNS)
                }
            )
    for minute in range(DAYS * 5):
        async with store.transaction(epoch) as books:
            await books.append_minutes({"GPU-0": Track(start=begins[-1] + minute, letters="A")})
    await store.close()


def lived(dice: random.Random, key: str, chance: float) -> list[Entry]:
    """Return the entries of one run: one a day at least, one for each new input."""
    entries: list[Entry] = []
    last = 1.7e9
    for minute in range(DAYS * DAY):
        types = 540 <= minute % DAY < 1020 and dice.random() < chance
        last = (FIRST + minute) * MINUTE if types else last
        if types or minute % DAY == 0:
            inputs = replace(QUIET, signs=(Sighting(kind="jupyter", last_seen=last),))
            before = entries[-1].inputs if minute % DAY else None
            entries.append(Entry(run_key=key, minute=FIRST + minute, inputs=inputs, before=before))
    return entries


def hosted(dice: random.Random, minutes: int) -> str:
    """Return a host that works now and then."""
    return "".join("B" if dice.random() < 0.05 else "Q" for _ in range(minutes))


def bytes_of(place: Path, table: str) -> float:
    """Return the bytes of a table in the file, by run and day."""
    with closing(sqlite3.connect(place / "reaper.sqlite")) as file:
        query = "SELECT sum(pgsize) FROM dbstat WHERE name = ?"
        size = file.execute(query, (table,)).fetchone()[0]
    return float(size / RUNS / DAYS)
