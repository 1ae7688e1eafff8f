"""
The report as JSON for programs; `format` grows when a field changes its meaning.

Hours are GPU-hours, money is by currency; both are rounded far below what matters, so sums of
lines may differ from totals in the last digit.
"""

import json
from dataclasses import fields
from typing import Any, Final

from reaper.domain.money.conduct import Conduct
from reaper.domain.money.figures import Costs, Figures
from reaper.domain.money.findings import Compared
from reaper.domain.money.ledger import RunFigures
from reaper.domain.money.proposals import propose
from reaper.domain.prices.amounts import Amounts
from reaper.languages.catalogue import said
from reaper.reports import definitions
from reaper.reports.languages import ENGLISH
from reaper.reports.week import Line, WeekReport
from reaper.reports.words import HOUR, iso

FORMAT: Final = 1


def render(report: WeekReport) -> str:
    """Return the report as indented JSON."""
    return json.dumps(content(report), indent=1, ensure_ascii=False) + "\n"


def content(report: WeekReport) -> dict[str, Any]:
    """Return the report as plain values."""
    accounts, context = report.accounts, report.context
    return {
        "format": FORMAT,
        "cluster": context.cluster,
        "week": report.week,
        "whole": report.whole,
        "zone": context.zone_name,
        "begin": iso(accounts.begin),
        "end": iso(accounts.end),
        "as_of": iso(accounts.as_of),
        "at_least": report.at_least,
        "identity": {
            **{name: _hours(seconds) for name, seconds in report.identity},
            "sum": _hours(report.total.states),
            "calendar": _hours(report.total.calendar),
        },
        "total": figures(report.total),
        "by_owner": [_line(line) for line in report.by("owner")],
        "by_team": [_line(line) for line in report.by("team")],
        "by_class": [_line(line) for line in report.by("purpose")],
        "by_model": [_line(line) for line in report.by("model")],
        "allocations": [_run(run) for run in report.top],
        **_happened(report),
        "closing": report.version or None,
        "team": report.team,
        "pseudonyms": report.veiled,
        **_past(report),
        "conduct": _conduct(report.conduct),
        "proposals": _proposals(report),
        "rate_card": context.terms.rates.version if context.terms.rates.rates else None,
        "policies": list(context.policies),
        "exemptions_until": [None if end is None else iso(end) for end in context.exemptions],
        "normal_pace": context.terms.pace.normal,
        "definitions": list(definitions.of(report, ENGLISH)),
    }


def _happened(report: WeekReport) -> dict[str, Any]:
    return {
        "events": dict(report.actions),
        "latest_events": [
            {
                "at": iso(one.at),
                "kind": one.kind,
                "run": one.run_key,
                "by": one.by,
                "text": said(one.text),
            }
            for one in report.latest
        ],
        "findings": [
            {
                "kind": one.kind,
                "subject": one.subject,
                "gpu_hours": _hours(one.seconds),
                "text": one.text,
            }
            for one in report.accounts.findings
        ],
        "reconciliation": _compared(report.compared),
    }


def _compared(one: Compared | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "source": one.source,
        "gpu_hours": _hours(one.ours),
        "their_gpu_hours": None if one.theirs is None else _hours(one.theirs),
        "difference": None if one.difference is None else round(one.difference, 6),
        "problem": one.problem,
    }


def _past(report: WeekReport) -> dict[str, Any]:
    return {
        "trend": [
            {
                "week": head.week,
                "closing": head.version,
                "policies": list(head.policies),
                **figures(head.total),
            }
            for head in report.trend
        ],
        "restated": [
            {
                "week": one.week,
                "closing": one.version,
                "at": iso(one.at),
                "terms_changed": one.priced,
                "gpu_hours": {name: _hours(delta) for name, delta in one.deltas.items()},
            }
            for one in report.restated
        ],
    }


def _proposals(report: WeekReport) -> list[dict[str, Any]]:
    found = propose(report.accounts) if report.team is None else ()
    return [
        {
            "kind": one.kind,
            "subject": one.subject,
            "title": one.title,
            "arithmetic": one.arithmetic,
            "gpu_hours": _hours(one.seconds),
            "worth": _amounts(one.worth),
        }
        for one in found
    ]


def _conduct(done: Conduct) -> dict[str, Any]:
    waited, idle = done.demand, done.idle_before_release
    return {
        "warned": done.warned,
        "kept": done.kept,
        "disputed": done.disputed,
        "upheld": done.upheld,
        "disputed_per_warned": done.false_alarms,
        "back_at_work": done.back_at_work,
        "given_back": done.given_back,
        "released": done.released,
        "would_release": done.would_release,
        "failed": done.failed,
        "reverted": done.reverted,
        "idle_hours_before_release": None if idle is None else _hours(idle),
        "looks": [
            {"kind": one.kind, "run": one.run_key, "text": said(one.text)} for one in done.looks
        ],
        "asked_gpu_hours": _hours(waited.asked),
        "waiting_share": round(waited.share, 6),
        "waiting_peak_gpus": waited.peak,
        "median_queue_wait_hours": None if done.queue_wait is None else _hours(done.queue_wait),
    }


def figures(one: Figures) -> dict[str, Any]:
    """Return figures in GPU-hours with their ratios and costs."""
    sums = {
        part.name: _hours(getattr(one, part.name)) for part in fields(one) if part.name != "costs"
    }
    return {
        **sums,
        "allocated": _hours(one.allocated),
        "pause": _hours(one.pause),
        "coverage": None if one.coverage is None else round(one.coverage, 6),
        "costs": _costs(one.costs),
    }


def _costs(costs: Costs) -> dict[str, dict[str, float]]:
    return {part.name: _amounts(getattr(costs, part.name)) for part in fields(costs)}


def _amounts(amounts: Amounts) -> dict[str, float]:
    return {name: round(float(amounts.of(name)), 4) for name in amounts.currencies}


def _line(line: Line) -> dict[str, Any]:
    return {"name": line.name, **figures(line.figures)}


def _run(run: RunFigures) -> dict[str, Any]:
    return {
        "allocation": str(run.run),
        "run": run.run.key,
        "owner": run.key.owner,
        "team": run.key.team,
        "class": run.key.purpose,
        "model": run.key.model,
        "partition": run.key.partition,
        "devices": run.devices,
        "nodes": list(run.nodes),
        "begin": iso(run.begin),
        "end": None if run.end is None else iso(run.end),
        "longest_idle_hours": _hours(run.longest),
        **figures(run.figures),
    }


def _hours(seconds: float) -> float:
    return round(seconds / HOUR, 6) + 0.0
