# ruff: noqa: INP001 - a folder of scripts, no package
"""Teams and owners: who holds what is idle, and what the week came to for whom."""

from typing import Final

from dashboards.sketch import (
    ALLOCATION,
    HOURS,
    Choice,
    Column,
    Dashboard,
    Row,
    Sketch,
    asked,
)

_TEAM: Final = ("team",)
_PLACE: Final = ("team", "partition", "namespace")
_WHOSE: Final = ("team", "model")
_THIS: Final = 'span="this_week"'
_LAST: Final = 'span="last_week"'


def _share(span: str) -> tuple[str, str]:
    wasted = f'sum by (team) (gpureaper_week_figure_gpu_seconds{{@, {span}, figure="wasted"}})'
    held = (
        f"sum by (team) (gpureaper_week_gpu_seconds{{@, {span}, "
        'state=~"active|low|idle|startup|unknown"})'
    )
    return asked(f"{wasted} / ({held} > 0)", "{{team}}", by=_WHOSE)


NOW: Final = (
    Sketch(
        title="Idle GPUs by team",
        says="GPUs of idle allocations; a team without a name is not in the directory of people.",
        unit="short",
        shape="stack",
        width=12,
        queries=(asked("sum by (team) (gpureaper_allocation_idle_gpus{@})", "{{team}}", by=_TEAM),),
    ),
    Sketch(
        title="What they cost per hour by team",
        says="Idle GPUs that have a price, by team and currency.",
        unit="none",
        shape="stack",
        width=12,
        queries=(
            asked(
                "sum by (team, currency) (gpureaper_allocation_idle_cost_per_hour{@})",
                "{{team}} {{currency}}",
                by=_TEAM,
            ),
        ),
    ),
    Sketch(
        title="Idle allocations of the teams",
        says="Since when, how many GPUs, what they cost per hour; owners only where switched on.",
        unit="none",
        shape="table",
        width=24,
        queries=tuple(
            asked(f"sum by ({ALLOCATION}) (gpureaper_allocation_idle_{what}{{@}})", by=_PLACE)
            for what in ("seconds", "gpus", "cost_per_hour")
        ),
        columns=(Column(name="idle for", unit="s"), Column(name="GPUs"), Column(name="per hour")),
    ),
    Sketch(
        title="Idle GPUs by owner",
        says="Only where the reaper's page names owners; an empty name is everybody together.",
        unit="short",
        shape="bars",
        width=24,
        queries=(
            asked(
                "topk(20, sum by (team, owner) (gpureaper_allocation_idle_gpus{@}))",
                "{{team}} {{owner}}",
                by=_TEAM,
            ),
        ),
    ),
)

WEEK: Final = (
    Sketch(
        title="Wasted this week by team",
        says="GPU-hours held idle for longer than the threshold, so far this week.",
        unit="h",
        shape="bars",
        queries=(
            asked(
                "sum by (team) (gpureaper_week_figure_gpu_seconds"
                f'{{@, {_THIS}, figure="wasted"}}) / {HOURS}',
                "{{team}}",
                by=_WHOSE,
            ),
        ),
    ),
    Sketch(
        title="Share of what was held",
        says="Wasted over held GPU-hours of this week; a small team can waste a large share.",
        unit="percentunit",
        shape="bars",
        top=1,
        queries=(_share(_THIS),),
    ),
    Sketch(
        title="What it cost",
        says="Wasted hours that have a price, by team and currency.",
        unit="none",
        shape="bars",
        queries=(
            asked(
                f'sum by (team, currency) (gpureaper_week_cost{{@, {_THIS}, figure="wasted"}})',
                "{{team}} {{currency}}",
                by=_WHOSE,
            ),
        ),
    ),
    Sketch(
        title="GPU-hours by class",
        says="What teams held this week, by what their allocations are for.",
        unit="h",
        shape="bars",
        width=12,
        queries=(
            asked(
                f"sum by (class) (gpureaper_week_gpu_seconds{{@, {_THIS}, "
                f'state=~"active|low|idle|startup|unknown"}}) / {HOURS}',
                "{{class}}",
                by=_WHOSE,
            ),
        ),
    ),
    Sketch(
        title="Last week, as it was closed",
        says="Share of the held GPU-hours that was wasted, of the last closed week.",
        unit="percentunit",
        shape="bars",
        width=12,
        top=1,
        queries=(_share(_LAST),),
    ),
)

TEAM: Final = Dashboard(
    name="team",
    title="GPU teams and owners",
    says="Which teams hold what is idle, and what the week came to for each of them.",
    rows=(
        Row(title="Now", panels=NOW, height=9),
        Row(title="The week", panels=WEEK, height=8),
    ),
    choices=(
        Choice(name="team", label="Team", family="gpureaper_week_gpu_seconds"),
        Choice(name="model", label="Model", family="gpureaper_week_gpu_seconds"),
        Choice(name="partition", label="Partition", family="gpureaper_allocation_idle_seconds"),
        Choice(name="namespace", label="Namespace", family="gpureaper_allocation_idle_seconds"),
    ),
    span="7d",
)
