"""What a reader must know before trusting a figure: unseen, unpriced, contradicted, restated."""

from collections.abc import Iterator

from reaper.domain.money.entries import LOOKS
from reaper.domain.money.findings import Compared
from reaper.reports import definitions
from reaper.reports.week import WeekReport
from reaper.reports.words import HOUR, clean, hours, part, percent, stamp

#: Restatements that are listed, the latest of them.
LISTED = 6

#: Findings that are listed one by one.
FINDINGS = 12


def lines(report: WeekReport) -> Iterator[str]:
    """Yield one sentence for each thing to know."""
    total, zone = report.total, report.context.zone
    unseen = percent(part(total.unknown, total.allocated))
    yield f"Unseen: {hours(total.unknown)} of {hours(total.allocated)} held GPU-h ({unseen})."
    if total.joined:
        yield (
            f"Seen idle in stretches that unseen minutes cut too short: {hours(total.joined)} "
            "GPU-h; in the high end, beside the unseen, and in no other figure."
        )
    if total.unpriced:
        models = ", ".join(clean(name) for name in definitions.bare(report))
        yield f"Without a price: {hours(total.unpriced)} GPU-h of {models}; in no sum of money."
    if total.one_witness:
        yield f"Idle by one witness only, not counted as wasted: {hours(total.one_witness)} GPU-h."
    if total.engine_only:
        yield f"Engine busy without any work, inside low: {hours(total.engine_only)} GPU-h."
    if report.accounts.begin > report.asked[0]:
        yield f"The books begin on {stamp(report.accounts.begin, zone)}."
    yield from looks(report)
    if report.team is None:
        yield from _books(report)
    yield from _restated(report)


def _books(report: WeekReport) -> Iterator[str]:
    calendar = hours(report.total.calendar, 3)
    yield (
        f"Identity: all states add up to {hours(report.total.states, 3)} GPU-h, the calendar has "
        f"{calendar}; difference {hours(report.difference, 3)}."
    )
    if report.compared is not None:
        yield reconciled(report.compared)
    findings = report.accounts.findings
    for finding in findings[:FINDINGS]:
        yield f"{clean(finding.subject)}: {clean(finding.text)} ({hours(finding.seconds)} GPU-h)."
    if len(findings) > FINDINGS:
        yield f"{len(findings) - FINDINGS} more contradictions of this kind."


def looks(report: WeekReport) -> Iterator[str]:
    """Yield one sentence for each kind of run at which a person should look, and the newest."""
    names = {run.run.key: str(run.run) for run in report.accounts.runs}
    for kind, words in LOOKS.items():
        found = [one for one in report.conduct.looks if one.kind == kind]
        for one in found[:FINDINGS]:
            yield _look(clean(names.get(one.run_key, one.run_key)), clean(one.text), words)
        if len(found) > FINDINGS:
            yield f"{len(found) - FINDINGS} more; {words}."


def _look(name: str, text: str, words: str) -> str:
    """Return what a run looks like; advice names its run already."""
    told = text if name in text else ": ".join(filter(None, (name, text)))
    return f"{told}; {words}."


def reconciled(one: Compared) -> str:
    """Return how the books agreed with a platform's own."""
    source = clean(one.source)
    if one.theirs is None:
        return f"Not reconciled with {source}: {clean(one.problem)}."
    share = "" if one.difference is None else f", a difference of {100 * one.difference:+.2f} %"
    return (
        f"Reconciled with the books of {source}: {hours(one.ours)} GPU-h here, "
        f"{hours(one.theirs)} there{share}."
    )


def _restated(report: WeekReport) -> Iterator[str]:
    for one in report.restated[-LISTED:]:
        moved = ", ".join(
            f"{name.replace('_', ' ')} {seconds / HOUR:+,.1f}"
            for name, seconds in sorted(one.deltas.items(), key=lambda each: -abs(each[1]))[:4]
        )
        why = " under new prices or thresholds" if one.priced else ""
        what = f"{moved} GPU-h" if moved else "money only"
        yield f"{one.week} was restated{why} (version {one.version}): {what}."
