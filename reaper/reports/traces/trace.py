"""A recorded file as usage, and its sums by user, class and node."""

from collections.abc import Mapping
from dataclasses import dataclass

from reaper.domain.audit.usage import Usage, Used, grouped, total
from reaper.domain.facts.allocation import Purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What a file holds: usage records, from when to when in its own words, and how it was read."""

    records: tuple[Usage, ...]
    first: str
    last: str
    rules: tuple[str, ...]
    """How fields were understood; printed with the figures."""
    findings: tuple[str, ...] = ()
    """What in the file deserves a second look; no figure leaves it out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceReport:
    """The figures of a recorded file; groups are ordered by what they held at zero."""

    source: str
    form: str
    first: str
    last: str
    runs: int
    total: Used
    by_class: Mapping[str, Used]
    by_user: Mapping[str, Used]
    by_node: Mapping[str, Used]
    by_run: Mapping[str, Used]
    rules: tuple[str, ...]
    findings: tuple[str, ...]

    @property
    def interactive_share(self) -> float | None:
        """Return which part of all that was held at zero interactive work held."""
        interactive = self.by_class.get(Purpose.INTERACTIVE)
        if interactive is None or not self.total.zero:
            return None
        return interactive.zero / self.total.zero


def summarised(trace: Trace, *, form: str, source: str) -> TraceReport:
    """Return the figures of a file."""
    runs = {record.run for record in trace.records if record.run}
    return TraceReport(
        source=source,
        form=form,
        first=trace.first,
        last=trace.last,
        runs=len(runs),
        total=total(trace.records),
        by_class=grouped(trace.records, lambda record: record.purpose),
        by_user=grouped(trace.records, lambda record: record.owner),
        by_node=grouped(trace.records, lambda record: record.node),
        by_run=grouped(trace.records, lambda record: record.run),
        rules=trace.rules,
        findings=trace.findings,
    )
