# ruff: noqa: INP001 - a folder of scripts, no package
"""Teams and owners: who holds what is idle, and what the week came to for whom."""

from typing import Final

from dashboards.boards.idle import idle_allocations
from dashboards.sketch import (
    GPU_HOURS,
    GREEN,
    HOURS,
    NO_REAPER,
    RED,
    YELLOW,
    Dashboard,
    Row,
    Sketch,
    asked,
    choices_of_place,
    legend_of,
    of_team,
)

_TEAM: Final = ("team",)
_PLACE: Final = ("team", "partition", "namespace")
_WHOSE: Final = ("team", "model")
_THIS: Final = 'span="this_week"'
_LAST: Final = 'span="last_week"'
_NOT_IDLE: Final = f"No allocation of the chosen teams is idle{NO_REAPER}"
_NO_WEEK: Final = f"No figures of the chosen teams and this week yet{NO_REAPER}"
_SHARES: Final = ((0, GREEN), (0.1, YELLOW), (0.25, RED))


def _share(span: str) -> tuple[str, str]:
    wasted = f'sum by (team) (gpureaper_week_figure_gpu_seconds{{@, {span}, figure="wasted"}})'
    held = (
        f"sum by (team) (gpureaper_week_gpu_seconds{{@, {span}, "
        'state=~"active|low|idle|startup|unknown"})'
    )
    return asked(of_team(f"sort_desc({wasted} / ({held} > 0))"), "{{team}}", by=_WHOSE)


NOW: Final = (
    Sketch(
        title="Idle GPUs by team",
        says="GPUs of idle allocations; a team without a name is not in the directory of people.",
        unit="short",
        shape="stack",
        width=12,
        decimals=0,
        empty=_NOT_IDLE,
        queries=(
            asked(
                of_team("sum by (team) (gpureaper_allocation_idle_gpus{@})"), "{{team}}", by=_PLACE
            ),
        ),
    ),
    Sketch(
        title="What they cost per hour by team",
        says="Idle GPUs that have a price, by team and currency.",
        unit="none",
        shape="stack",
        width=12,
        empty=f"Nothing is idle that has a price{NO_REAPER}",
        queries=(
            asked(
                of_team("sum by (team, currency) (gpureaper_allocation_idle_cost_per_hour{@})"),
                "{{team}} {{currency}}",
                by=_PLACE,
            ),
        ),
    ),
    idle_allocations("Idle allocations of the teams", by=_PLACE),
)

WEEK: Final = (
    Sketch(
        title="Wasted this week by team",
        says="GPU-hours held idle for longer than the threshold, so far this week.",
        unit=GPU_HOURS,
        shape="bars",
        decimals=0,
        empty=_NO_WEEK,
        queries=(
            asked(
                of_team(
                    "sort_desc(sum by (team) (gpureaper_week_figure_gpu_seconds"
                    f'{{@, {_THIS}, figure="wasted"}}) / {HOURS})'
                ),
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
        decimals=0,
        empty=_NO_WEEK,
        queries=(_share(_THIS),),
        steps=_SHARES,
    ),
    Sketch(
        title="What it cost",
        says="Wasted hours that have a price, by team and currency.",
        unit="locale",
        shape="bars",
        decimals=0,
        empty=f"No prices, or nothing wasted{NO_REAPER}",
        queries=(
            asked(
                of_team(
                    "sort_desc(sum by (team, currency) "
                    f'(gpureaper_week_cost{{@, {_THIS}, figure="wasted"}}))'
                ),
                "{{team}} {{currency}}",
                by=_WHOSE,
            ),
        ),
    ),
    Sketch(
        title="GPU-hours by class",
        says="What teams held this week, by what their allocations are for.",
        unit=GPU_HOURS,
        shape="bars",
        decimals=0,
        empty=_NO_WEEK,
        queries=(
            asked(
                f"sort_desc(sum by (class) (gpureaper_week_gpu_seconds{{@, {_THIS}, "
                f'state=~"active|low|idle|startup|unknown"}}) / {HOURS})',
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
        top=1,
        decimals=0,
        empty=f"No week is closed yet{NO_REAPER}",
        queries=(_share(_LAST),),
        steps=_SHARES,
    ),
    Sketch(
        title="Idle GPUs by owner",
        says="Now, the twenty owners with most; where the reaper's page names owners.",
        unit="short",
        shape="bars",
        decimals=0,
        empty=f"None is idle, or owners_on_metrics is off{NO_REAPER}",
        queries=(
            asked(
                "sort_desc(topk(20, sum by (team, owner) "
                '(gpureaper_allocation_idle_gpus{@, owner!=""})))',
                legend_of("owner, team"),
                by=_PLACE,
            ),
        ),
    ),
)

TEAM: Final = Dashboard(
    name="team",
    title="GPU teams and owners",
    says="Which teams hold what is idle, and what the week came to for each of them.",
    rows=(
        Row(title="Now", panels=NOW, height=8),
        Row(title="The week", panels=WEEK, height=8),
    ),
    choices=choices_of_place(),
    span="7d",
)
