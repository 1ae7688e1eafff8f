"""Draws months of sacct's rows in a process of its own, audits them, and says what it took."""

import csv
import json
import random
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

from reaper.app.books.auditing import Audit, uncollected
from reaper.platforms.slurm.accounting import Told
from reaper.reports.audit import PAGES, AuditTerms
from tests.sacct_lines import HEAD, line

FIRST = datetime(2026, 9, 1, tzinfo=UTC)


def main() -> None:
    """Take `rows` and `path` from standard input; print seconds of CPU and MiB as JSON."""
    order = json.loads(sys.stdin.readline())
    path, count = Path(order["path"]), order["rows"]
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{HEAD}\n")
        file.writelines(f"{row}\n" for row in rows(random.Random(5), count))
    plain, before = looped(path), resident()
    began = time.process_time()
    with uncollected():
        audit = Audit(AuditTerms(), Told(zone=UTC))
        with path.open("rb") as raw:
            audit.add(raw, source=path.name)
        found = audit.report()
        assert PAGES["json"](found)
    took = time.process_time() - began
    assert found.jobs == count
    print(json.dumps({"loop": plain, "audit": took, "before": before, "peak": resident()}))


def looped(path: Path) -> float:
    """Return the CPU seconds of what anybody would write first: GPU-seconds by user."""
    began, sums = time.process_time(), {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="|"):
            counts = (part for part in row["AllocTRES"].split(",") if part.startswith("gres/gpu="))
            gpus = float(next(counts, "=0").partition("=")[2])
            sums[row["User"]] = sums.get(row["User"], 0.0) + gpus * float(row["ElapsedRaw"])
    assert sums
    return time.process_time() - began


def resident() -> float:
    """Return the MiB that this process held at most."""
    return getrusage(RUSAGE_SELF).ru_maxrss / 1024


def rows(chance: random.Random, count: int) -> Iterator[str]:
    """Give jobs of minutes to days, steps left out, of a thousand users."""
    for number in range(count):
        begin = FIRST + timedelta(seconds=chance.randrange(60 * 86_400))
        lasts = int(chance.lognormvariate(8.0, 2.0)) + 1
        gpus = chance.choice((1, 1, 1, 2, 4, 8))
        yield line(
            str(100_000 + number),
            user=f"user{chance.randrange(1000)}",
            state=chance.choice(("COMPLETED",) * 6 + ("FAILED", "TIMEOUT", "OUT_OF_MEMORY")),
            submit=stamp(begin - timedelta(seconds=chance.randrange(7200))),
            start=stamp(begin),
            end=stamp(begin + timedelta(seconds=lasts)),
            elapsed=str(lasts),
            tres=f"cpu=8,gres/gpu:a100={gpus},gres/gpu={gpus},mem=64G",
        )


def stamp(at: datetime) -> str:
    return at.isoformat(timespec="seconds")[:19]


if __name__ == "__main__":
    main()
