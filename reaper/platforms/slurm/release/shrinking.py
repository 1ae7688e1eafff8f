"""
How a time limit is shrunk so that the job's own end-of-limit signal fires, and put back.

Slurm counts limits in minutes.  It sends a job's signal up to a minute early, and looks for jobs
that are due every 30 seconds.
"""

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from reaper.platforms.slurm.records.lead import LONGEST
from reaper.platforms.slurm.records.record import Job

#: What remains at least besides the job's lead: a controller's clock may differ; seconds.
LEAST: Final = 30.0
#: What remains at most besides the job's lead; seconds.
MOST: Final = 180.0

_FORMER = re.compile(r"former TimeLimit=(UNLIMITED|\d+) Requeue=([01])\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Former:
    """What a job had before we touched it: its limit in minutes (None for none) and its flag."""

    limit: int | None
    requeue: bool

    def __str__(self) -> str:
        limit = "UNLIMITED" if self.limit is None else self.limit
        return f"former TimeLimit={limit} Requeue={int(self.requeue)}"


def former(receipt: str) -> Former | None:
    """Return what a receipt says of the time before, or None."""
    found = _FORMER.search(receipt)
    if found is None:
        return None
    limit = None if found[1] == "UNLIMITED" else int(found[1])
    return Former(limit=limit, requeue=found[2] == "1")


def shrunk(job: Job, *, now: float, lead: float) -> int | None:
    """Return the limit in minutes that ends a job soonest, or None where it ends as soon anyway."""
    wanted = lead + LEAST
    if job.limit is not None and job.ends is not None:
        cut = math.floor((job.ends - now - wanted) / 60)
        return job.limit - cut if cut >= 1 else None
    ran = now - job.paused + job.ran_before_pause if job.paused else now - job.started
    return max(1, math.ceil((ran + wanted) / 60))


def soon(job: Job, *, now: float) -> bool:
    """Tell whether a job ends as soon as a shrunk one does."""
    return job.ends is not None and job.ends - now <= LONGEST + MOST


def restored(job: Job, *, until: float | None) -> int | None:
    """Return the limit in minutes that makes a job end at `until` again; None for none."""
    if until is None:
        return None
    if job.limit is None or job.ends is None:
        return max(1, math.ceil((until - job.started) / 60))
    return job.limit + max(0, round((until - job.ends) / 60))


def clock_time(instant: float) -> str:
    """Write an instant for people, in UTC."""
    return datetime.fromtimestamp(instant, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
