"""Months of Slurm's books become an audit: seconds, memory, and beside them a plain csv loop."""

import csv
import random
import time
from datetime import UTC, datetime, timedelta
from io import StringIO
from resource import RUSAGE_SELF, getrusage

from reaper.app.auditing import read, report, uncollected
from reaper.platforms.slurm.accounting import Told
from reaper.reports.audit import AuditTerms
from tests.sacct_lines import HEAD, line

ROWS = 200_000
"""A busy site writes so many in some months."""
RATIO = 5
"""So many times a plain csv loop an audit should take at most."""
FIRST = datetime(2026, 9, 1, tzinfo=UTC)
TERMS = AuditTerms()


def test_months_of_sacct_are_audited():
    """Printed; no test fails on time."""
    text = "\n".join((HEAD, *rows(random.Random(5)), "")).encode()
    plain = looped(text)
    before, began = resident(), time.process_time()
    with uncollected():
        records = read(text, source="sacct.txt", reader=Told(zone=UTC))
        parsed = time.process_time() - began
        found = report([records], TERMS)
    worked = time.process_time() - began

    assert len(records.jobs) == ROWS
    assert found.jobs == ROWS
    print(
        f"\naudit of {ROWS:,} rows ({len(text) / 2**20:.0f} MiB): {worked:.1f} CPU s, "
        f"{parsed:.1f} s of it reading; {ROWS / worked:,.0f} rows a CPU second; "
        f"{worked / plain:.1f} times a csv loop (limit {RATIO}); "
        f"peak {resident():,.0f} MiB, {before:,.0f} MiB of it before"
    )


def looped(text: bytes) -> float:
    """Return the CPU seconds of what anybody would write first: GPU-seconds by user."""
    began, sums = time.process_time(), {}
    for row in csv.DictReader(StringIO(text.decode()), delimiter="|"):
        counts = (part for part in row["AllocTRES"].split(",") if part.startswith("gres/gpu="))
        gpus = float(next(counts, "=0").partition("=")[2])
        sums[row["User"]] = sums.get(row["User"], 0.0) + gpus * float(row["ElapsedRaw"])
    assert sums
    return time.process_time() - began


def resident() -> float:
    """Return the MiB that this process held at most."""
    return getrusage(RUSAGE_SELF).ru_maxrss / 1024


def rows(chance: random.Random):
    """Give jobs of minutes to days, steps left out, of a thousand users."""
    for number in range(ROWS):
        begin = FIRST + timedelta(seconds=chance.randrange(60 * 86_400))
        lasts = int(chance.lognormvariate(8.0, 2.0)) + 1
        count = chance.choice((1, 1, 1, 2, 4, 8))
        yield line(
            str(100_000 + number),
            user=f"user{chance.randrange(1000)}",
            state=chance.choice(("COMPLETED",) * 6 + ("FAILED", "TIMEOUT", "OUT_OF_MEMORY")),
            submit=stamp(begin - timedelta(seconds=chance.randrange(7200))),
            start=stamp(begin),
            end=stamp(begin + timedelta(seconds=lasts)),
            elapsed=str(lasts),
            tres=f"cpu=8,gres/gpu:a100={count},gres/gpu={count},mem=64G",
        )


def stamp(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}"
