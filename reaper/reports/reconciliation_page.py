"""Our books against the scheduler's, as text and as JSON."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any, Final

from reaper.domain.audit.reconciliation import TOLERANCE, Difference, Reconciliation
from reaper.reports.layout import lines, plain, table
from reaper.reports.words import HOUR, NOTHING, clean, hours, iso, stamp

#: Runs that differ, written out; the rest is summed up in one line.
SHOWN: Final = 20
_QUOTED: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """A reconciliation with what it was made of; `source` is whose books ours were held against."""

    found: Reconciliation
    source: str
    zone: tzinfo
    opened: float
    """From when on our books know the cluster; the span begins no earlier."""
    asked: tuple[float, float]


def text(told: Reconciled) -> str:
    """Return it as plain text."""
    found, zone = told.found, told.zone
    span = f"{stamp(found.begin, zone)} to {stamp(found.end, zone)}"
    page = [lines(f"Our books and those of {told.source}, {span}", tuple(_sentences(told)))]
    if found.differences:
        columns = ("run", "owner", "ours GPU-h", "theirs", "difference", "why")
        rows = [_row(one) for one in found.differences[:SHOWN]]
        if rest := found.differences[SHOWN:]:
            rows.append(_rest(rest))
        page.append(table("Runs that differ", columns, rows, words=2))
    return "\n".join(plain(one) for one in page)


def to_json(told: Reconciled) -> str:
    """Return it as indented JSON; hours are device-hours."""
    found = told.found
    values: dict[str, Any] = {
        "source": told.source,
        "begin": iso(found.begin),
        "end": iso(found.end),
        "our_gpu_hours": _hours(found.ours),
        "their_gpu_hours": _hours(found.theirs),
        "difference": None if found.difference is None else round(found.difference, 6),
        "agrees": found.agrees,
        "tolerance": TOLERANCE,
        "runs": found.runs,
        "requeued": found.requeued,
        "repeated_records": found.repeated,
        "clipped": found.clipped,
        "shared_gpu_hours": _hours(found.shared),
        "unread": list(found.unread),
        "differences": [
            {
                "run": one.id,
                "owner": one.owner,
                "our_gpu_hours": _hours(one.ours),
                "their_gpu_hours": _hours(one.theirs),
                "reason": one.reason,
            }
            for one in found.differences
        ],
    }
    return json.dumps(values, indent=1, ensure_ascii=False) + "\n"


PAGES: Final[Mapping[str, Callable[[Reconciled], str]]] = {"text": text, "json": to_json}
"""Every form in which a reconciliation is written."""


def _sentences(told: Reconciled) -> Iterator[str]:
    found = told.found
    share = NOTHING if found.difference is None else f"{100 * found.difference:+.2f} %"
    sums = f"ours {hours(found.ours, 2)} GPU-h, theirs {hours(found.theirs, 2)}: {share}"
    bound = f"{100 * TOLERANCE:g} %"
    yield sums + (f", within {bound}" if found.agrees else f", more than {bound}: look at the runs")
    yield (
        f"{found.runs:,} runs, {found.requeued:,} jobs of them requeued, {found.clipped:,} cut to "
        f"the span or still running, {found.repeated:,} records repeated and counted once"
    )
    if found.shared:
        yield (
            f"parts of GPUs held with us: {hours(found.shared, 2)} GPU-h; the scheduler counts no "
            "GPU for them, they are in neither sum"
        )
    if found.unread:
        first = "; ".join(clean(one) for one in found.unread[:_QUOTED])
        yield f"{len(found.unread):,} records of theirs cannot be read, in neither sum: {first}"
    if told.asked[0] < found.begin:
        yield f"our books begin on {stamp(told.opened, told.zone)}: nothing before is compared"


def _row(one: Difference) -> tuple[str, ...]:
    difference = f"{(one.ours - one.theirs) / HOUR:+,.2f}"
    figures = hours(one.ours, 2), hours(one.theirs, 2), difference
    return clean(one.id), clean(one.owner) or NOTHING, *figures, one.reason


def _rest(rest: tuple[Difference, ...]) -> tuple[str, ...]:
    ours, theirs = sum(one.ours for one in rest), sum(one.theirs for one in rest)
    difference = f"{(ours - theirs) / HOUR:+,.2f}"
    return f"and {len(rest)} more", "", hours(ours, 2), hours(theirs, 2), difference, ""


def _hours(seconds: float) -> float:
    return round(seconds / HOUR, 3) + 0.0
