"""
For whom a report is: the whole cluster under pseudonyms, or one team with its own names.

Pseudonyms count within one report, so that no list of names can be tried against them and two
reports say nothing of one person together.
"""

from collections.abc import Mapping
from dataclasses import replace

from reaper.domain.facts.allocation import Run
from reaper.domain.money.conduct import Conduct, Look
from reaper.domain.money.figures import total
from reaper.domain.money.findings import OVERLAP, Finding
from reaper.domain.money.ledger import Accounts, RunFigures
from reaper.reports.week import WeekReport


def extract(report: WeekReport, team: str) -> WeekReport:
    """Return the report of one team: what it held; what nobody held is in no team's."""
    accounts = report.accounts
    figures = {key: one for key, one in accounts.figures.items() if key.team == team and key.owner}
    runs = tuple(run for run in accounts.runs if run.key.team == team)
    own = {run.run.key for run in runs}
    heads = tuple(
        replace(head, total=head.teams[team]) for head in report.trend if team in head.teams
    )
    return replace(
        report,
        accounts=replace(
            accounts,
            figures=figures,
            total=total(figures.values()),
            runs=runs,
            findings=(),
            tails=(),
        ),
        actions={},
        conduct=Conduct(
            outcomes={key: one for key, one in report.conduct.outcomes.items() if key in own},
            looks=tuple(one for one in report.conduct.looks if one.run_key in own),
        ),
        latest=tuple(event for event in report.latest if event.run_key in own),
        trend=heads,
        before={key: one for key, one in report.before.items() if key[0] == team},
        restated=(),
        compared=None,
        team=team,
    )


def veiled(report: WeekReport) -> WeekReport:
    """Return the report with persons, allocations and nodes under pseudonyms."""
    owners = {
        line.name: f"owner {number}" if line.name else ""
        for number, line in enumerate(report.by("owner"), start=1)
    }
    runs = {
        run.run.key: _pseudonym(run.run, number)
        for number, run in enumerate(report.accounts.runs, start=1)
    }
    outcomes = report.conduct.outcomes
    return replace(
        report,
        accounts=_accounts(report.accounts, owners, runs),
        latest=(),
        conduct=replace(
            report.conduct,
            outcomes={runs[key].key: one for key, one in outcomes.items() if key in runs},
            looks=tuple(_look(one, runs) for one in report.conduct.looks),
        ),
        veiled=True,
    )


def _look(one: Look, runs: Mapping[str, Run]) -> Look:
    """Return a look without its words; what is not listed has no number either."""
    run = runs.get(one.run_key)
    return replace(one, run_key=run.key if run else "an owner's work", text="")


def _pseudonym(run: Run, number: int) -> Run:
    return replace(run, platform="allocation", id=str(number), key=f"allocation {number}")


def _accounts(accounts: Accounts, owners: Mapping[str, str], runs: Mapping[str, Run]) -> Accounts:
    figures = {
        replace(key, owner=owners.get(key.owner, "")): one for key, one in accounts.figures.items()
    }
    return replace(
        accounts,
        figures=figures,
        runs=tuple(_run(run, owners, runs[run.run.key]) for run in accounts.runs),
        findings=tuple(_finding(one) for one in accounts.findings),
    )


def _finding(one: Finding) -> Finding:
    return replace(one, text="claimed by several runs together") if one.kind == OVERLAP else one


def _run(run: RunFigures, owners: Mapping[str, str], pseudonym: Run) -> RunFigures:
    key = replace(run.key, owner=owners.get(run.key.owner, ""))
    return replace(run, run=pseudonym, key=key, nodes=())
