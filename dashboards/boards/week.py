# ruff: noqa: INP001 - a folder of scripts, no package
"""The fleet's week in hours and money, and its queue."""

from typing import Final

from dashboards import palette
from dashboards.sketch import (
    GPU_HOURS,
    GREEN,
    HOURS,
    NO_REAPER,
    ORANGE,
    Sketch,
    asked,
    growth,
    legend_of,
)

_MODEL: Final = ("model", "team")
_QUEUE: Final = ("partition",)
_WEEK: Final = 'span="this_week"'
_WASTED: Final = f'@, {_WEEK}, figure="wasted"'
_TOLD: Final = 'figure=~"wasted|high|avoidable|reclaimed|given_back|reused|cash"'
_NO_WEEK: Final = f"No figures of this week yet{NO_REAPER}"

MONEY: Final = (
    Sketch(
        title="Wasted this week",
        says="Hours of GPUs that were held idle for longer than the threshold, so far this week.",
        unit=GPU_HOURS,
        shape="stat",
        width=4,
        decimals=0,
        empty="none, or not scraped",
        queries=(
            asked(f"sum(gpureaper_week_figure_gpu_seconds{{{_WASTED}}}) / {HOURS}", by=_MODEL),
        ),
        steps=((0, GREEN), (0.01, ORANGE)),
    ),
    Sketch(
        title="What that cost",
        says="Wasted hours that have a price, in the currency of each.",
        unit="locale",
        shape="stat",
        width=4,
        decimals=0,
        named=True,
        empty="none, or not scraped",
        queries=(
            asked(
                f"sum by (currency) (gpureaper_week_cost{{{_WASTED}}})", "{{currency}}", by=_MODEL
            ),
        ),
        steps=((0, GREEN), (0.01, ORANGE)),
    ),
    Sketch(
        title="The week's GPU-hours by state",
        says="Every GPU-hour of this week once, by what the GPU did; unknown is shown, never cut.",
        unit=GPU_HOURS,
        shape="bars",
        decimals=0,
        empty=_NO_WEEK,
        queries=(
            asked(
                f"sort_desc(sum by (state) (gpureaper_week_gpu_seconds{{@, {_WEEK}}}) / {HOURS})",
                "{{state}}",
                by=("model",),
            ),
        ),
        colours=palette.STATES,
    ),
    Sketch(
        title="What the week came to",
        says="High: wasted with unknown taken as idle. Reclaimed: at most; reused: at least.",
        unit=GPU_HOURS,
        shape="bars",
        decimals=0,
        empty=_NO_WEEK,
        queries=(
            asked(
                "sort_desc(sum by (figure) "
                f"(gpureaper_week_figure_gpu_seconds{{@, {_WEEK}, {_TOLD}}}) / {HOURS})",
                "{{figure}}",
                by=_MODEL,
            ),
        ),
        colours=palette.FIGURES,
    ),
)

DEMAND: Final = (
    Sketch(
        title="Requests that wait",
        says="Pending requests for GPUs by partition and class.",
        unit="short",
        shape="stack",
        decimals=0,
        empty=f"No job waits for GPUs{NO_REAPER}",
        queries=(
            asked(
                "sum by (partition, class) (gpureaper_waiting_requests{@})",
                legend_of("partition, class"),
                by=_QUEUE,
            ),
        ),
    ),
    Sketch(
        title="How long runs waited",
        says="From submission to start: half and nine tenths of the runs that began in six hours.",
        unit="s",
        empty=f"No run with GPUs began in this time{NO_REAPER}",
        queries=tuple(
            asked(
                f"histogram_quantile({share}, "
                "sum by (le) (rate(gpureaper_wait_seconds_bucket{@}[6h])))",
                legend,
                by=_QUEUE,
            )
            for share, legend in ((0.5, "half of them at most"), (0.9, "nine tenths at most"))
        ),
    ),
    Sketch(
        title="Runs that ended in an hour",
        says="By how they ended; running out of memory is told apart from failing.",
        unit="short",
        shape="stack",
        decimals=0,
        empty=f"No run with GPUs ended in this time{NO_REAPER}",
        queries=(growth("outcome", "gpureaper_runs_ended_total", by=_QUEUE),),
        colours=palette.OUTCOMES,
    ),
)
