"""What the words of a report mean and what it was made with; printed with every page."""

from reaper.reports.week import WeekReport
from reaper.schema import duration


def of(report: WeekReport) -> tuple[str, ...]:
    """Return the definitions, one sentence each."""
    terms = report.context.terms
    apart = [f"{duration(wait)} ({name})" for name, wait in sorted(terms.waits.by_purpose.items())]
    waits = " or ".join([*apart, duration(terms.waits.otherwise)])
    rates = terms.rates.version if terms.rates.rates else "none: every hour is unpriced"
    policies = ", ".join(report.context.policies) or "none"
    return (
        f"wasted: idle in unbroken stretches of at least {waits}; shorter idle is pause",
        (
            "range: its high end takes what was unseen for idle, so that idle stretches which "
            "unseen minutes cut too short join and count; unseen is never idle below that"
        ),
        "low: some work, too little to count as active; it is never waste",
        "reclaimed: from release to the run's own limit, at most 24 h",
        "re-used: work of other owners on those GPUs while no other was free",
        "cash: only on nodes paid by the hour, after they ended; what is owned saves no cash",
        f"rate card {rates}; policies {policies}",
        *_pace(report),
    )


def bare(report: WeekReport) -> tuple[str, ...]:
    """Return the models with hours that have no price."""
    lines = (line for line in report.by("model") if line.figures.unpriced)
    return tuple(line.name or "unknown model" for line in lines)


def _pace(report: WeekReport) -> tuple[str, ...]:
    pace = report.context.terms.pace
    if pace.normal:
        return ()
    faster = f"a minute of the grid lasts {duration(pace.step)}, start-up {duration(pace.startup)}"
    return (f"PACE NOT NORMAL: {faster}; these are no real figures",)
