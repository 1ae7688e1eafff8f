"""Months of Slurm's books become an audit: rows a second, and how long a large site waits."""

import random
import time
import tracemalloc
from datetime import UTC, datetime, timedelta

from reaper.app.auditing import read, report
from reaper.platforms.slurm.accounting import Told
from reaper.reports.audit import AuditTerms
from tests.sacct_lines import HEAD, line

ROWS = 50_000
"""A busy site writes so many in a month."""
FIRST = datetime(2026, 9, 1, tzinfo=UTC)
TERMS = AuditTerms()


def test_a_month_of_sacct_is_audited():
    """Printed; no test fails on time."""
    text = "\n".join((HEAD, *rows(random.Random(5)), "")).encode()
    began = time.perf_counter(), time.process_time()
    records = read(text, source="sacct.txt", reader=Told(zone=UTC))
    parsed = time.perf_counter() - began[0]
    found = report([records], TERMS)
    took, worked = time.perf_counter() - began[0], time.process_time() - began[1]

    assert len(records.jobs) == ROWS
    assert found.jobs == ROWS
    print(
        f"\naudit of {ROWS:,} rows ({len(text) / 2**20:.0f} MiB): {took:.1f} s, "
        f"{parsed:.1f} s of it reading; {ROWS / worked:,.0f} rows a CPU second; "
        f"{peak(text[: len(text) // 10]) * 10:.0f} MiB"
    )


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


def peak(text: bytes) -> float:
    """Return the MiB that a tenth of the rows takes at most."""
    tracemalloc.start()
    read(text, source="sacct.txt", reader=Told(zone=UTC))
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found / 2**20
