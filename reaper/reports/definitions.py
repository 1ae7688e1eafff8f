"""What the words of a report mean and what it was made with; printed with every page."""

from reaper.reports.languages import Tongue
from reaper.reports.week import WeekReport
from reaper.schema import duration


def of(report: WeekReport, tongue: Tongue | None = None) -> tuple[str, ...]:
    """Return the definitions, one sentence each, in the report's language or in another."""
    said, terms = tongue or report.context.tongue, report.context.terms
    apart = [
        said.text("waits", span=duration(wait), purpose=said.text(f"class_{name}"))
        for name, wait in sorted(terms.waits.by_purpose.items())
    ]
    waits = duration(terms.waits.otherwise)
    for one in reversed(apart):
        waits = said.text("or", one=one, last=waits)
    rates = terms.rates.version if terms.rates.rates else said.text("no_rates")
    policies = ", ".join(report.context.policies) or said.text("none")
    return (
        said.text("means_wasted", waits=waits),
        *(said.text(f"means_{word}") for word in ("range", "low", "reclaimed", "reused", "cash")),
        said.text("means_settings", rates=rates, policies=policies),
        *_pace(report, said),
    )


def bare(report: WeekReport) -> tuple[str, ...]:
    """Return the models with hours that have no price."""
    unknown = report.context.tongue.text("unknown_model")
    return tuple(str(line.name or unknown) for line in report.by("model") if line.figures.unpriced)


def _pace(report: WeekReport, tongue: Tongue) -> tuple[str, ...]:
    pace = report.context.terms.pace
    if pace.normal:
        return ()
    return (tongue.text("fast_pace", step=duration(pace.step), startup=duration(pace.startup)),)
