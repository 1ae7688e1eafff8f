"""The audit as text and as JSON."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType

from reaper.domain.audit.bounds import Bounds
from reaper.domain.audit.jobs import Outcome
from reaper.domain.audit.profile import Share
from reaper.domain.audit.spread import Spread
from reaper.reports.audit.content import to_json
from reaper.reports.audit.report import AuditReport
from reaper.reports.audit.words import bound
from reaper.reports.layout import lines, plain, table
from reaper.reports.words import HOUR, NOTHING, clean, hours, money_range, part, percent, stamp

#: Lines of a table; the rest is summed up in one.
SHOWN: Final = 10

#: Things that could not be read, written out; the rest is counted.
LISTED: Final = 20


def text(report: AuditReport) -> str:
    """Return the audit as plain text."""
    return plain(page(report))


def page(report: AuditReport) -> RenderableType:
    """Return the audit for a terminal."""
    return Group(
        lines("What was read", tuple(_sources(report))),
        lines("What it says", tuple(headline(report))),
        *_load(report),
        *_waste(report),
        *_proposals(report),
        *_listed("Findings", report.findings),
        *_listed("Not read", [str(one) for one in report.unread]),
        lines("How it was counted", report.rules),
    )


def headline(report: AuditReport) -> Iterator[str]:
    """Yield the sentences that a person who reads nothing else should read."""
    total = report.total
    covered = percent(total.coverage)
    yield f"{report.jobs:,} jobs held {hours(total.held, 2)} GPU-h; use known of {covered}"
    if total.held > total.unknown:
        zero = f"{hours(total.zero, 2)} GPU-h at exactly 0 %"
        waste = bound(hours(total.least, 2), hours(total.most, 2))
        unused = f"{hours(total.unused, 2)} GPU-h unused in all, mean use {_percent(total.mean)}"
        yield f"{zero}, {unused}"
        yield f"wasted, by the bounds below: {waste} GPU-h"
    if total.unknown:
        perhaps = f"up to {hours(total.perhaps, 2)} of it could be waste"
        yield f"use unknown: {hours(total.unknown, 2)} GPU-h; {perhaps}, or nothing"
    if report.worth is not None and total.held > total.unknown:
        worth = money_range(report.worth.least, report.worth.most)
        bare = f", {hours(report.worth.unpriced, 2)} GPU-h of it without a price"
        yield f"that is worth {worth}" + (bare if report.worth.unpriced else "")
    yield from _full(report)
    yield from _ended(report)
    if report.lost:
        yield f"{report.lost:,} records could not be read and are in no figure; see below"


def _full(report: AuditReport) -> Iterator[str]:
    """Yield how full the stated capacity was, and how much of it nobody held."""
    for one in report.filled:
        span = f"{stamp(one.begin, report.zone)} to {stamp(one.end, report.zone)}"
        whole = f"{hours(one.capacity, 2)} GPU-h of {clean(one.model) or 'capacity'}"
        free = hours(max(0.0, one.capacity - one.held), 2)
        yield (
            f"of {whole} {percent(one.share)} were held, {free} GPU-h by nobody ({span}, "
            "where a capacity is stated)"
        )


def _ended(report: AuditReport) -> Iterator[str]:
    """Yield how many jobs failed and ran out of memory, and how long jobs waited."""
    load = report.profile
    told = [
        f"{percent(part(one.jobs, load.total.jobs))} {name} ({hours(one.held)} GPU-h)"
        for name in (Outcome.FAILED, Outcome.OUT_OF_MEMORY)
        if (one := load.outcomes.get(name)) is not None
    ]
    if told:
        yield f"of the jobs ended: {', '.join(told)}"
    if (wait := load.waits.get("all")) is not None:
        most = f"90 of 100 at most {wait.p90 / HOUR:,.2f} h"
        yield f"jobs waited {wait.median / HOUR:,.2f} h in the median, {most}"


def _sources(report: AuditReport) -> Iterator[str]:
    for records in report.sources:
        lost = sum(not one.kept for one in records.unread)
        counts = f"{records.rows:,} records, {records.steps:,} of them steps, {lost:,} not read"
        yield f"{clean(records.source)}: {records.form}, {counts}"
    yield (
        f"{report.jobs:,} jobs with GPUs, {report.without:,} without, "
        f"{report.waiting:,} that never began"
    )


def _load(report: AuditReport) -> Iterator[Group]:
    load = report.profile
    groups = (
        ("Durations", load.durations),
        ("Sizes", load.sizes),
        ("Classes", load.classes),
        ("How they ended", load.outcomes),
    )
    for title, group in groups:
        if group:
            rows = [_share(name, one, load.total) for name, one in group.items()]
            yield table(title, ("", "jobs", "of all", "GPU-h", "of all"), rows)
    spreads = [_spread(name, *said) for name, said in _spreads(report).items() if said[0]]
    if spreads:
        yield table(
            "Spread over jobs", ("", "jobs", "median", "90 of 100", "most", "mean"), spreads
        )
    if (at_once := load.parallel) is not None:
        begin, end = stamp(at_once.begin, report.zone), stamp(at_once.end, report.zone)
        yield lines(
            "At once",
            (
                f"{begin} to {end}",
                f"jobs: at most {at_once.most_jobs:,}, mean {at_once.mean_jobs:,.1f}",
                f"GPUs: at most {at_once.most_cards:,.1f}, mean {at_once.mean_cards:,.1f}",
            ),
        )


def _share(name: str, one: Share, total: Share) -> tuple[str, ...]:
    jobs, held = percent(part(one.jobs, total.jobs)), percent(part(one.held, total.held))
    return name, f"{one.jobs:,}", jobs, hours(one.held), held


_Said = tuple[Spread | None, float, str]


def _spreads(report: AuditReport) -> dict[str, _Said]:
    """Return what is spread, each with the unit it is shown in."""
    load = report.profile
    found: dict[str, _Said] = {
        "duration": (load.duration, 3600.0, "h"),
        "GPUs": (load.size, 1.0, ""),
    }
    for name, one in load.waits.items():
        found["wait" if name == "all" else f"wait, {name}"] = (one, 3600.0, "h")
    found["host memory a GPU"] = (load.memory_asked, 2.0**30, "GiB")
    found["host memory used of asked"] = (load.memory_used, 0.01, "%")
    found["memory of the fullest GPU"] = (load.gpu_memory, 0.01, "%")
    return found


def _spread(name: str, one: Spread | None, unit: float, sign: str) -> tuple[str, ...]:
    assert one is not None  # noqa: S101 - those without values are left out before
    values = (one.median, one.p90, one.most, one.mean)
    return name, f"{one.count:,}", *(f"{value / unit:,.2f} {sign}".strip() for value in values)


def _waste(report: AuditReport) -> Iterator[Group]:
    groups = (
        ("Waste by class", report.by_class),
        ("Waste by owner", report.by_owner),
        ("Waste by account", report.by_account),
        ("Waste by partition", report.by_partition),
        ("Waste by model", report.by_model),
    )
    columns = ("", "GPU-h", "unknown", "at 0 %", "waste", "of known", "mean use")
    for title, group in groups:
        if any(group) and (len(group) > 1 or title.endswith(("class", "owner"))):
            yield table(title, columns, list(_rows(group)))


def _rows(group: Mapping[str, Bounds]) -> Iterator[tuple[str, ...]]:
    found = list(group.items())
    for name, one in found[:SHOWN]:
        yield clean(name) or NOTHING, *_cells(one)
    if rest := [one for _, one in found[SHOWN:]]:
        yield f"and {len(rest)} more", *_cells(_sum(rest))


def _cells(one: Bounds) -> tuple[str, ...]:
    known = one.held - one.unknown
    if known <= 0:
        return hours(one.held), hours(one.unknown), *("unknown",) * 3, NOTHING
    shares = bound(percent(part(one.least, known)), percent(part(one.most, known)))
    waste = bound(hours(one.least), hours(one.most))
    figures = (hours(one.held), hours(one.unknown), hours(one.zero), waste, shares)
    return *figures, _percent(one.mean)


def _sum(parts: Sequence[Bounds]) -> Bounds:
    return Bounds(*map(sum, zip(*parts, strict=True)))


def _proposals(report: AuditReport) -> Iterator[Group]:
    columns = (
        "policy",
        "jobs",
        "GPU-h",
        "released",
        "returned",
        "at 0 %, away",
        "if unknown idled",
    )
    rows = [
        (
            clean(one.policy),
            f"{one.jobs:,}",
            hours(one.held),
            bound(f"{one.released_least:,}", f"{one.released_most:,}")
            if one.acts
            else "only warns",
            bound(hours(one.least), hours(one.most)),
            hours(one.away),
            hours(one.perhaps),
        )
        for one in report.proposals
    ]
    if rows and report.jobs:
        yield table("What each policy would have returned, in GPU-h", columns, rows)


def _listed(title: str, texts: Sequence[str]) -> Iterator[Group]:
    if texts:
        rest = [f"and {len(texts) - LISTED} more"] if len(texts) > LISTED else []
        yield lines(title, [*map(clean, texts[:LISTED]), *rest])


def _percent(ratio: float | None) -> str:
    return NOTHING if ratio is None else f"{100 * ratio:.2f} %"


PAGES: Final[Mapping[str, Callable[[AuditReport], str]]] = {"text": text, "json": to_json}
"""Every form in which an audit is written."""
