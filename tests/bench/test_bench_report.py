"""A year of figures at 10,000 GPUs becomes a report: the time beside the 5 s that are allowed."""

import random
from dataclasses import replace
from datetime import UTC
from decimal import Decimal
from time import perf_counter, process_time

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.calendar import Week
from reaper.domain.money.closing import Closed, Closing, kept_runs
from reaper.domain.money.entries import Event, Tenure
from reaper.domain.money.figures import Costs, Figures, Key, total
from reaper.domain.money.ledger import RunFigures, Terms
from reaper.domain.prices.amounts import Amounts
from reaper.reports.pages import PAGES
from reaper.reports.past import closed, of_week
from reaper.reports.week import Context
from reaper.store import open_store
from reaper.store.codec import encode
from reaper.store.settings import StoreSettings
from tests.bench import test_bench_figures as week_of_jobs
from tests.bench.sizes import sized
from tests.bench.test_bench_store import bytes_of, say
from tests.books import HOUR, priced, run_of, tenure_of

WEEKS = sized(52, 13)
KEYS = 6_400
"""Rows of figures a week: 333,000 a year."""
LAST = Week(year=2026, number=40, zone=UTC)
NOW = LAST.end + 8 * HOUR
CONTEXT = Context(cluster="bench", zone=UTC, zone_name="UTC", terms=Terms(rates=priced("2.5")))


@pytest.fixture
async def store(tmp_path):
    store = await open_store(StoreSettings(directory=tmp_path), cluster="bench")
    yield store
    await store.close()


@pytest.mark.timeout(1800)
async def test_a_report_from_a_year_of_figures(store, tmp_path):
    epoch = await store.lead("bench", 0.0)
    figures = lines(random.Random(3))
    took = []
    for back in range(WEEKS, -1, -1):
        week = invented(LAST.shifted(-back), figures)
        began = perf_counter()
        async with store.transaction(epoch) as books:
            await books.keep_closed(week)
        took.append(perf_counter() - began)

    began = perf_counter()
    async with store.reading() as books:
        report = await of_week(books, CONTEXT, str(LAST), now=NOW)
    page = PAGES["html"](report)
    whole = perf_counter() - began

    assert len(report.trend) == 13
    say(
        f"a page of {len(page) // 1024} KiB from {WEEKS * KEYS:,} rows of figures",
        whole,
        "s",
        "≤ 5",
    )
    say("keeping the figures of a week, slowest", max(took), "s", "≤ 5")
    say("a row of figures in the file", bytes_of(tmp_path, "figures"), "B", "≤ 1,024")


@pytest.mark.timeout(1800)
async def test_a_week_is_rebuilt_from_the_store(store):
    """10,000 GPUs, read, summed and kept as the bookkeeper does it."""
    epoch = await store.lead("bench", 0.0)
    ledger = week_of_jobs.week(random.Random(7))
    begin = week_of_jobs.BEGIN
    async with store.transaction(epoch) as books:
        await books.keep_tenures(ledger.tenures)
        await books.keep_capacity(ledger.capacity)
        await books.append_events(ledger.events)
    for day in range(7):
        first = int(begin // 60) + day * 1440
        tracks = {gpu: track.clip(first, first + 1440) for gpu, track in ledger.tracks.items()}
        async with store.transaction(epoch) as books:
            await books.append_minutes(tracks)
    week = Week(year=2026, number=11, zone=UTC)

    assert abs(week.begin - begin) < 8 * 24 * HOUR
    began, spent = perf_counter(), process_time()
    async with store.reading() as books:
        found = await closed(books, CONTEXT, week, now=begin + 9 * 24 * HOUR)
    read, spent = perf_counter() - began, process_time() - spent
    async with store.transaction(epoch) as books:
        await books.keep_closed(found)

    say(f"a week of {len(ledger.tracks):,} GPUs rebuilt from the store", read, "s", "≤ 60")
    say("of which this program was on a core", spent, "s", "≤ 60")
    say("and kept", perf_counter() - began - read, "s", "≤ 5")


def test_bytes_of_an_allocation_without_a_case():
    """What the ledger keeps of one: its tenure and the two events of its life."""
    tenure = tenure_of(
        "4711",
        "GPU-01234567-89ab-cdef-0123-456789abcdef",
        1.7e9,
        1.7e9 + 36_000.5,
        limit=1.7e9 + 86_400,
        model="NVIDIA H100 80GB HBM3",
        node="gpu0123.cluster.example",
    )
    events = [
        Event(at=1.7e9, kind=kind, run_key=tenure.run.key, text="slurm/4711")
        for kind in ("run began", "run ended")
    ]
    size = sum(len(encode(one)) for one in (tenure, *events)) + key_bytes(tenure)

    say("an allocation of one GPU without a case", size, "B", "≤ 1,024")


def key_bytes(tenure: Tenure) -> int:
    """Return the bytes of the columns beside the bodies, each key once in its table and index."""
    return 2 * (len(tenure.run.key) + len(tenure.gpu) + 3 * 8 + len("bench")) + 2 * 2 * 40


def lines(chance: random.Random) -> dict[Key, Figures]:
    """Figures of 6,400 keys: 400 owners of 40 teams, four classes, four models."""
    found = {}
    while len(found) < KEYS:
        owner = chance.randrange(400)
        key = Key(
            cluster="bench",
            owner=f"user{owner:03}",
            team=f"team{owner % 40:02}",
            purpose=chance.choice(list(Purpose)),
            model=chance.choice(["NVIDIA A100-SXM4-80GB", "NVIDIA H100 80GB HBM3", "L40S", "A40"]),
            partition=chance.choice(["gpu", "dev", "long", "night"]),
        )
        idle = chance.uniform(0, 500) * HOUR
        found[key] = Figures(
            active=chance.uniform(0, 900) * HOUR,
            low=chance.uniform(0, 90) * HOUR,
            idle=idle,
            startup=chance.uniform(0, 9) * HOUR,
            unknown=chance.uniform(0, 9) * HOUR,
            wasted=idle * 0.7,
            high=idle * 0.8,
            avoidable=idle * 0.2,
            costs=Costs(
                **{
                    name: Amounts(by_currency={"EUR": Decimal(idle * part)})
                    for name, part in (
                        ("allocated", 9),
                        ("idle", 1),
                        ("wasted", 0.7),
                        ("high", 0.8),
                    )
                }
            ),
        )
    return found


def invented(week: Week, figures: dict[Key, Figures]) -> Closed:
    whole = total(figures.values())
    runs = tuple(
        RunFigures(
            run=run_of(f"{number}", started=week.begin),
            key=key,
            devices=8,
            nodes=("gpu0001",),
            begin=week.begin,
            end=week.end,
            longest=9 * HOUR,
            figures=one,
        )
        for number, (key, one) in enumerate(figures.items())
    )
    head = Closing(
        week=str(week),
        zone="UTC",
        version=1,
        begin=week.begin,
        end=week.end,
        asked=(week.begin, week.end),
        as_of=week.end,
        total=replace(whole, calendar=whole.states),
        teams={f"team{n:02}": whole for n in range(40)},
    )
    return Closed(closing=head, figures=figures, runs=kept_runs(runs))
