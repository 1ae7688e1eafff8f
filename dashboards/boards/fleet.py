# ruff: noqa: INP001 - a folder of scripts, no package
"""The fleet: use, waste, demand and money of a whole cluster."""

from typing import Final

from dashboards.sketch import (
    ALLOCATION,
    BOARD,
    GOOD_TO_BAD,
    GREEN,
    HOURS,
    RED,
    YELLOW,
    Choice,
    Column,
    Dashboard,
    Row,
    Sketch,
    asked,
    growth,
    legend_of,
    mean,
)

_MODEL: Final = ("model",)
_QUEUE: Final = ("partition",)
_PLACE: Final = ("partition", "namespace")
_WEEK: Final = 'span="this_week"'

NOW: Final = (
    Sketch(
        title="GPUs held and idle",
        says="GPUs of allocations in which every GPU is idle, by the reaper's rules.",
        unit="short",
        shape="stat",
        width=4,
        queries=(asked('sum(gpureaper_gpus{@, state="idle"})'),),
        steps=((0, GREEN), (1, YELLOW), (16, RED)),
    ),
    Sketch(
        title="They burn",
        says="What the idle GPUs that have a price cost per hour; those without one come on top.",
        unit="suffix: /h",
        shape="stat",
        width=4,
        queries=(asked("sum by (currency) (gpureaper_idle_cost_per_hour{@})", "{{currency}}"),),
    ),
    Sketch(
        title="Idle without a price",
        says="Idle GPUs that no rate fits: unpriced is never zero.",
        unit="short",
        shape="stat",
        width=4,
        queries=(asked("sum(gpureaper_idle_unpriced_gpus{@})"),),
        steps=((0, GREEN), (1, YELLOW)),
    ),
    Sketch(
        title="Seen of the held GPUs",
        says="Coverage: what is not seen is unknown, never idle. Below 90 % nothing is released.",
        unit="percentunit",
        shape="stat",
        width=4,
        queries=(asked("min(gpureaper_coverage_ratio{@})"),),
        steps=((0, RED), (0.9, YELLOW), (0.95, GREEN)),
    ),
    Sketch(
        title="GPUs that jobs wait for",
        says="Asked for by pending jobs, as the platforms tell.",
        unit="short",
        shape="stat",
        width=4,
        queries=(asked("sum(gpureaper_waiting_gpus{@})"),),
    ),
    Sketch(
        title="Standing stops",
        says="Pauses, tripped interlocks and holds: while one stands for all, nothing is released.",
        unit="short",
        shape="stat",
        width=4,
        queries=(asked("sum(gpureaper_holds{@})"),),
        steps=GOOD_TO_BAD,
    ),
)

USE: Final = (
    Sketch(
        title="GPUs by what they do",
        says="Held and idle, held and unknown, held and working, free: together the inventory.",
        unit="short",
        shape="stack",
        width=12,
        queries=(asked("sum by (state) (gpureaper_gpus{@})", "{{state}}"),),
    ),
    Sketch(
        title="Allocations by verdict",
        says="What the reaper judges each live allocation to be.",
        unit="short",
        shape="stack",
        width=12,
        queries=(asked("sum by (verdict) (gpureaper_allocations{@})", "{{verdict}}"),),
    ),
    Sketch(
        title="Idle allocations",
        says="Since when, how many GPUs, what they cost per hour; owners only where switched on.",
        unit="none",
        shape="table",
        width=24,
        queries=(
            asked(f"sum by ({ALLOCATION}) (gpureaper_allocation_idle_seconds{{@}})", by=_PLACE),
            asked(f"sum by ({ALLOCATION}) (gpureaper_allocation_idle_gpus{{@}})", by=_PLACE),
            asked(
                f"sum by ({ALLOCATION}) (gpureaper_allocation_idle_cost_per_hour{{@}})", by=_PLACE
            ),
        ),
        columns=(Column(name="idle for", unit="s"), Column(name="GPUs"), Column(name="per hour")),
    ),
    Sketch(
        title="GPU activity",
        says="Means over all GPUs where the signal was seen: active seconds over observed seconds.",
        unit="percentunit",
        top=1,
        queries=(mean("sm"), mean("tensor"), mean("dram")),
    ),
    Sketch(
        title="Seen by signal",
        says="Share of the time in which each signal was really read; a gap is no idleness.",
        unit="percentunit",
        top=1,
        queries=(
            asked(
                "avg by (signal) (rate(gpunode_observed_seconds_total{@}[$__rate_interval]))",
                "{{signal}}",
            ),
        ),
        link=BOARD,
    ),
    Sketch(
        title="Power",
        says="Board power of all GPUs that tell it; MIG instances do not.",
        unit="watt",
        queries=(asked("sum(gpunode_power_watts{@})", "all GPUs"),),
    ),
)

MONEY: Final = (
    Sketch(
        title="Wasted this week",
        says="Hours of GPUs that were held idle for longer than the threshold, so far this week.",
        unit="h",
        shape="stat",
        width=4,
        queries=(
            asked(
                f"sum(gpureaper_week_figure_gpu_seconds{{@, {_WEEK}, "
                f'figure="wasted", model=~"$model"}}) / {HOURS}'
            ),
        ),
    ),
    Sketch(
        title="What that cost",
        says="Wasted hours that have a price, in the currency of each.",
        unit="none",
        shape="stat",
        width=4,
        queries=(
            asked(
                f"sum by (currency) (gpureaper_week_cost{{@, {_WEEK}, "
                'figure="wasted", model=~"$model"})',
                "{{currency}}",
            ),
        ),
    ),
    Sketch(
        title="The week's GPU-hours by state",
        says="Every GPU-hour of this week once, by what the GPU did; unknown is shown, never cut.",
        unit="h",
        shape="bars",
        queries=(
            asked(
                f"sum by (state) (gpureaper_week_gpu_seconds{{@, {_WEEK}}}) / {HOURS}",
                "{{state}}",
                by=_MODEL,
            ),
        ),
    ),
    Sketch(
        title="What the week came to",
        says="Figures of this week in GPU-hours: wasted, avoidable, reclaimed, used again.",
        unit="h",
        shape="bars",
        queries=(
            asked(
                f"sum by (figure) (gpureaper_week_figure_gpu_seconds{{@, {_WEEK}}}) / {HOURS}",
                "{{figure}}",
                by=_MODEL,
            ),
        ),
    ),
)

DEMAND: Final = (
    Sketch(
        title="Requests that wait",
        says="Pending requests for GPUs by partition and class.",
        unit="short",
        shape="stack",
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
        queries=tuple(
            asked(
                f"histogram_quantile({share}, "
                "sum by (le) (rate(gpureaper_wait_seconds_bucket{@}[6h])))",
                legend,
                by=_QUEUE,
            )
            for share, legend in ((0.5, "half"), (0.9, "nine tenths"))
        ),
    ),
    Sketch(
        title="Runs that ended in an hour",
        says="By how they ended; running out of memory is told apart from failing.",
        unit="short",
        shape="stack",
        queries=(growth("outcome", "gpureaper_runs_ended_total", by=_QUEUE),),
    ),
)

NODES: Final = (
    Sketch(
        title="Exporters",
        says="Exporters that answer Prometheus, beside those that it knows.",
        unit="short",
        link=BOARD,
        queries=(
            asked('sum(up{@, job="gpu-exporter"})', "answer"),
            asked('count(up{@, job="gpu-exporter"})', "known"),
            asked("sum(gpunode_driver_up{@})", "with a driver"),
        ),
    ),
    Sketch(
        title="Nodes that the reaper cannot judge",
        says="Blind: nothing of the node's GPUs is seen. Doubted: it is not known who holds them.",
        unit="short",
        link=BOARD,
        queries=(
            asked("sum(gpureaper_node_blind{@})", "blind"),
            asked("sum(gpureaper_node_doubted{@})", "doubted"),
        ),
    ),
    Sketch(
        title="Troubles of devices",
        says="GPUs that do not answer, and errors of the driver in an hour; see nodes and devices.",
        unit="short",
        link=BOARD,
        queries=(
            asked("sum(gpunode_device_lost{@})", "lost"),
            asked("sum(increase(gpunode_xid_errors_total{@}[1h]))", "Xid"),
        ),
    ),
)

FLEET: Final = Dashboard(
    name="fleet",
    title="GPU fleet: held, working, idle",
    says="What the GPUs do, what is held and idle, what that costs and who waits.",
    rows=(
        Row(title="Now", panels=NOW, height=5),
        Row(title="Use", panels=USE, height=9),
        Row(title="This week, in hours and money", panels=MONEY),
        Row(title="Demand", panels=DEMAND),
        Row(title="Nodes and devices", panels=NODES),
    ),
    choices=(
        Choice(name="model", label="Model", family="gpureaper_week_gpu_seconds"),
        Choice(name="partition", label="Partition", family="gpureaper_waiting_requests"),
        Choice(name="namespace", label="Namespace", family="gpureaper_allocation_idle_seconds"),
    ),
)
