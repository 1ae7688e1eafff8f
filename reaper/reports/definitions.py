"""What the words of a report mean and what it was made with; printed with every page."""

from reaper.reports.languages.tongue import Tongue
from reaper.reports.week import WeekReport
from reaper.schema import duration


def of(report: WeekReport, tongue: Tongue | None = None) -> tuple[str, ...]:
    """Return the definitions, one sentence each, in the report's language or in another."""
    said, terms = tongue or report.context.tongue, report.context.terms
    apart = [
        said.say("waits", duration(wait), said.say(f"class_{name}"))
        for name, wait in sorted(terms.waits.by_purpose.items())
    ]
    waits = duration(terms.waits.otherwise)
    for one in reversed(apart):
        waits = said.say("or", one, waits)
    rates = terms.rates.version if terms.rates.rates else said.say("no_rates")
    policies = ", ".join(report.context.policies) or said.say("none")
    return (
        said.say("means_wasted", waits),
        *(said.say(f"means_{word}") for word in ("range", "low", "reclaimed", "reused", "cash")),
        said.say("means_settings", rates, policies),
        *_pace(report, said),
    )


def bare(report: WeekReport) -> tuple[str, ...]:
    """Return the models with hours that have no price."""
    unknown = report.context.tongue.say("unknown_model")
    return tuple(str(line.name or unknown) for line in report.by("model") if line.figures.unpriced)


def _pace(report: WeekReport, tongue: Tongue) -> tuple[str, ...]:
    pace = report.context.terms.pace
    if pace.normal:
        return ()
    return (tongue.say("fast_pace", duration(pace.step), duration(pace.startup)),)
