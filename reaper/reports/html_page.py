"""
The report as one self-contained page: the first sheet for a manager, the annex for who asks.

It prints as it stands: light, on A4, the first sheet on one page.
"""

from collections.abc import Mapping
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context as TemplateContext

from reaper.domain.money.figures import Figures, total
from reaper.domain.money.proposals import propose
from reaper.domain.prices.rates import CASH_KINDS
from reaper.reports import charts, definitions, quality, shares
from reaper.reports.languages import Marking, Tongue
from reaper.reports.story import comparison, exempted, headline, what_came_back
from reaper.reports.week import WeekReport
from reaper.reports.words import (
    clean,
    hours,
    iso,
    model,
    money,
    money_range,
    part,
    percent,
)

#: Rows of the first sheet's table; the annex has them all.
ROWS: Final = 8

#: Models with a bar of their own on the first sheet.
MODELS: Final = 4


def render(report: WeekReport) -> str:
    """Return the report as HTML."""
    return ENVIRONMENT.get_template("week.html").render(
        _words(marked(report), report.context.tongue)
    )


def marked(report: WeekReport) -> WeekReport:
    """Return a report in whose pages lines without words of their language are marked."""
    return report.told(Marking.of(report.context.tongue))


def _words(report: WeekReport, plain: Tongue) -> Mapping[str, Any]:
    """Return what the template is told; drawings, which are no text, speak a plain tongue."""
    tongue = report.context.tongue
    bars = shares.bars(report)
    weeks = [(head.week.partition("-")[2], head.total) for head in report.trend]
    weeks.append((report.week.partition("-")[2] or tongue.text("now"), report.total))
    marks = charts.changed(report.trend, report.context.policies) if report.team is None else ()
    cells = shares.cells(report)
    return {
        "report": report,
        "context": report.context,
        "total": report.total,
        "zone": report.context.zone,
        "tongue": tongue,
        "plain": plain,
        "say": tongue.text,
        "headline": headline(report),
        "comparison": comparison(report),
        "back": what_came_back(report),
        "exempted": exempted(report),
        "owned": not any(rate.kind in CASH_KINDS for rate in report.context.terms.rates.rates),
        "bars": bars,
        "first_bars": bars[: MODELS + 1] if report.team is None else bars[:1],
        "states": shares.STATES,
        "seen_states": {piece.state for bar in bars for piece in bar.parts},
        "trend": charts.trend(weeks, marks, plain),
        "weeks": weeks,
        "marks": [(number, weeks[at][0], _policies(report, at)) for number, at in _counted(marks)],
        "classes": report.by("purpose"),
        "cells": cells,
        "first_cells": cells[:ROWS],
        "proposals": propose(report.accounts) if report.team is None else (),
        "quality": tuple(quality.lines(report)),
        "definitions": definitions.of(report),
        "quarter": _quarter(report),
        "parts": shares.parts,
        "charts": charts,
    }


def _counted(marks: tuple[int, ...]) -> list[tuple[int, int]]:
    return list(enumerate(marks, start=1))


def _policies(report: WeekReport, at: int) -> str:
    """Return what policies a week of the trend had that the one before had not."""
    known = [*(head.policies for head in report.trend), report.context.policies]
    new = [policy for policy in known[at] if policy not in known[at - 1]]
    gone = [policy for policy in known[at - 1] if policy not in known[at]]
    return ", ".join(new) or report.context.tongue.text(
        "policies_without", policies=", ".join(gone)
    )


def _quarter(report: WeekReport) -> Figures:
    """Return the figures of the calendar quarter so far, this week included."""
    year, _, number = report.week.partition("-W")
    if not number:
        return report.total
    now = _quarter_of(report.week)
    same = [
        head.total
        for head in report.trend
        if head.week.startswith(year) and _quarter_of(head.week) == now
    ]
    return total((*same, report.total))


def _quarter_of(week: str) -> int:
    """Return the quarter of an ISO week; a fifty-third week is in the last one."""
    return min(3, (int(week[-2:]) - 1) // 13)


@pass_context
def _lasting(context: TemplateContext, seconds: float) -> str:
    return _tongue(context).clocked(seconds)


@pass_context
def _stamp(context: TemplateContext, at: float) -> str:
    report: WeekReport = context["report"]
    return _tongue(context).stamp(at, report.context.zone)


@pass_context
def _phrase(context: TemplateContext, text: str) -> str:
    return _tongue(context).phrase(clean(text))


@pass_context
def _counted_form(context: TemplateContext, number: int, key: str) -> str:
    return _tongue(context).text(key, count=number)


def _tongue(context: TemplateContext) -> Tongue:
    report: WeekReport = context["report"]
    return report.context.tongue


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("reaper.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        hours=hours,
        percent=percent,
        money=money,
        model=model,
        clean=clean,
        iso=iso,
        lasting=_lasting,
        stamp=_stamp,
        phrase=_phrase,
        counted=_counted_form,
    )
    environment.globals.update(part=part, money_range=money_range)
    return environment


ENVIRONMENT: Final = _environment()
"""Templates with the words and numbers of every page."""
