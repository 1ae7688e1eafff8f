"""What a reader must know before trusting a figure: unseen, unpriced, contradicted, restated."""

from collections.abc import Iterator

from reaper.domain.money.entries import LOOKS
from reaper.domain.money.findings import Compared
from reaper.domain.reason import Words
from reaper.languages.catalogue import said
from reaper.reports import definitions
from reaper.reports.languages import ENGLISH, Tongue
from reaper.reports.week import WeekReport
from reaper.reports.words import HOUR, clean, hours, part, percent

#: Restatements that are listed, the latest of them.
LISTED = 6

#: Findings that are listed one by one.
FINDINGS = 12


def lines(report: WeekReport) -> Iterator[str]:
    """Yield one sentence for each thing to know."""
    total, said = report.total, report.context.tongue.text
    unseen = percent(part(total.unknown, total.allocated))
    yield said("unseen", unseen=hours(total.unknown), held=hours(total.allocated), share=unseen)
    if total.joined:
        yield said("joined", hours=hours(total.joined))
    if total.unpriced:
        models = ", ".join(clean(name) for name in definitions.bare(report))
        yield said("without_price", hours=hours(total.unpriced), models=models)
    if total.one_witness:
        yield said("one_witness", hours=hours(total.one_witness))
    if total.engine_only:
        yield said("engine_only", hours=hours(total.engine_only))
    if report.accounts.begin > report.asked[0]:
        at = report.context.tongue.stamp(report.accounts.begin, report.context.zone)
        yield said("books_begin", at=at)
    yield from looks(report)
    if report.team is None:
        yield from _books(report)
    yield from _restated(report)


def _books(report: WeekReport) -> Iterator[str]:
    total, tongue = report.total, report.context.tongue
    yield tongue.text(
        "identity_holds",
        states=hours(total.states, 3),
        calendar=hours(total.calendar, 3),
        difference=hours(report.difference, 3),
    )
    if report.compared is not None:
        yield reconciled(report.compared, tongue)
    findings = report.accounts.findings
    for finding in findings[:FINDINGS]:
        text, seconds = tongue.phrase(clean(finding.text)), hours(finding.seconds)
        yield tongue.text(
            "finding", subject=tongue.phrase(clean(finding.subject)), finding=text, hours=seconds
        )
    if len(findings) > FINDINGS:
        yield tongue.text("more_findings", number=len(findings) - FINDINGS)


def looks(report: WeekReport) -> Iterator[str]:
    """Yield one sentence for each kind of run at which a person should look, and the newest."""
    tongue = report.context.tongue
    names = {run.run.key: str(run.run) for run in report.accounts.runs}
    for kind in LOOKS:
        words = tongue.text(f"look_{kind}")
        found = [one for one in report.conduct.looks if one.kind == kind]
        for one in found[:FINDINGS]:
            name = clean(names.get(one.run_key, one.run_key))
            yield tongue.text("look", whose=_look(name, one.text, tongue), look=words)
        if len(found) > FINDINGS:
            yield tongue.text("more_looks", number=len(found) - FINDINGS, look=words)


def _look(name: str, text: Words, tongue: Tongue) -> str:
    """Return what a run looks like; advice names its run already."""
    if not text:
        return tongue.phrase(name)
    if name in said(text):
        return tongue.phrase(text)
    return tongue.text("look_of", allocation=tongue.phrase(name), text=tongue.phrase(text))


def reconciled(one: Compared, tongue: Tongue = ENGLISH) -> str:
    """Return how the books agreed with a platform's own."""
    source = clean(one.source)
    if one.theirs is None:
        return tongue.text(
            "not_reconciled", source=source, problem=tongue.phrase(clean(one.problem))
        )
    share = one.difference
    differ = "" if share is None else tongue.text("difference_of", percent=f"{100 * share:+.2f}")
    return tongue.text(
        "reconciled",
        source=source,
        ours=hours(one.ours),
        theirs=hours(one.theirs),
        difference=differ,
    )


def _restated(report: WeekReport) -> Iterator[str]:
    tongue = report.context.tongue
    for one in report.restated[-LISTED:]:
        moved = tongue.join(
            ", ",
            (
                tongue.text(
                    "moved", what=tongue.text(f"moved_{name}"), hours=f"{seconds / HOUR:+,.1f}"
                )
                for name, seconds in sorted(one.deltas.items(), key=lambda each: -abs(each[1]))[:4]
            ),
        )
        why = tongue.text("restated_terms") if one.priced else ""
        what = tongue.text("gpu_h", hours=moved) if moved else tongue.text("money_only")
        yield tongue.text("restated", week=one.week, why=why, version=one.version, moved=what)
