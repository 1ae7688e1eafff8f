"""The figures of a recorded file as text and as JSON."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from rich.console import Group, RenderableType

from reaper.domain.audit.usage import Used
from reaper.reports.layout import lines, plain, table
from reaper.reports.traces.trace import TraceReport
from reaper.reports.words import HOUR, NOTHING, clean, hours, part, percent

#: Lines of a table; the rest is summed up in one.
SHOWN: Final = 10

_COLUMNS: Final = ("held", "at 0 %", "< 1 %", "< 5 %", "< 10 %", "used", "unused", "mean")


def text(report: TraceReport) -> str:
    """Return the figures as plain text."""
    return plain(page(report))


def page(report: TraceReport) -> RenderableType:
    """Return the figures for a terminal."""
    total = report.total
    things = f"{report.runs} runs" if report.runs else f"{total.records} node-hours"
    zero = f"{hours(total.zero, 2)} at exactly 0 % ({percent(part(total.zero, total.held))})"
    unused = f"{hours(total.unused, 2)} unused"
    head = (
        f"{clean(report.first)} to {clean(report.last)}; {things}",
        f"held {hours(total.held, 2)} GPU-h, of which {zero} and {unused}",
        *_interactive(report),
        *_servers(report),
    )
    return Group(
        lines(f"{clean(report.source)}: {report.form}", head),
        table("GPU-hours", ("", *_COLUMNS), [("all", *_cells(total))]),
        *_groups(report),
        lines("How it was read", (*report.rules, *map(clean, report.findings))),
    )


def to_json(report: TraceReport) -> str:
    """Return the figures as indented JSON; hours are GPU-hours."""
    return json.dumps(content(report), indent=1, ensure_ascii=False) + "\n"


def content(report: TraceReport) -> dict[str, Any]:
    """Return the figures as plain values."""
    groups = {"by_class": report.by_class, "by_user": report.by_user, "by_node": report.by_node}
    return {
        "source": report.source,
        "form": report.form,
        "first": report.first,
        "last": report.last,
        "runs": report.runs,
        "total": _values(report.total),
        "interactive_share_of_zero": report.interactive_share,
        **{name: _named(group) for name, group in groups.items()},
        "by_run": _named(report.by_run),
        "rules": list(report.rules),
        "findings": list(report.findings),
    }


PAGES: Final[Mapping[str, Callable[[TraceReport], str]]] = {"text": text, "json": to_json}
"""Every form in which these figures are written."""


def _interactive(report: TraceReport) -> tuple[str, ...]:
    share = report.interactive_share
    if share is None:
        return ()
    held = report.by_class["interactive"].held
    of_all = percent(part(held, report.total.held))
    return (f"interactive work held {of_all} of all, and {percent(share)} of what was at 0 %",)


def _servers(report: TraceReport) -> Iterator[str]:
    """Yield, where only servers are known, in how many hours each did nothing."""
    for name, used in () if report.runs else report.by_node.items():
        zero, kept = used.zero_seconds / HOUR, used.zero_with_memory_seconds / HOUR
        of_all = f"{zero:g} of {used.seconds / HOUR:g} hours at 0 %"
        yield f"{clean(name)}: {of_all}, device memory held in {kept:g} of them"


def _groups(report: TraceReport) -> Iterator[Group]:
    groups = (
        ("By class", report.by_class),
        ("By user", report.by_user),
        ("By node", report.by_node),
        ("By run", report.by_run),
    )
    for title, group in groups:
        named = {name: used for name, used in group.items() if name}
        if named and not (title == "By class" and len(named) == 1):
            yield table(title, ("", *_COLUMNS), list(_rows(named)))


def _rows(group: Mapping[str, Used]) -> Iterator[tuple[str, ...]]:
    found = list(group.items())
    for name, used in found[:SHOWN]:
        yield clean(name), *_cells(used)
    if rest := found[SHOWN:]:
        together = sum((used for _, used in rest), Used())
        yield f"and {len(rest)} more", *_cells(together)


def _cells(used: Used) -> tuple[str, ...]:
    figures = (used.held, used.zero, used.below_1, used.below_5, used.below_10, used.used)
    mean = NOTHING if used.mean is None else f"{100 * used.mean:.2f} %"
    return (*(hours(one, 2) for one in (*figures, used.unused)), mean)


def _named(group: Mapping[str, Used]) -> dict[str, Any]:
    return {name: _values(used) for name, used in group.items() if name}


def _values(used: Used) -> dict[str, Any]:
    sums = {
        "held": used.held,
        "unknown": used.unknown,
        "zero": used.zero,
        "zero_with_memory": used.zero_with_memory,
        "below_1_percent": used.below_1,
        "below_5_percent": used.below_5,
        "below_10_percent": used.below_10,
        "used": used.used,
        "unused": used.unused,
    }
    return {
        "records": used.records,
        "hours": round(used.seconds / HOUR, 3),
        "hours_at_zero": round(used.zero_seconds / HOUR, 3),
        "hours_at_zero_with_memory": round(used.zero_with_memory_seconds / HOUR, 3),
        "gpu_hours": {name: round(value / HOUR, 3) + 0.0 for name, value in sums.items()},
        "mean_utilisation": None if used.mean is None else round(used.mean, 6),
    }
