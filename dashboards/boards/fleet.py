# ruff: noqa: INP001 - a folder of scripts, no package
"""The fleet: use, waste, demand and money of a whole cluster."""

from typing import Final

from dashboards import palette
from dashboards.boards.idle import idle_allocations
from dashboards.boards.trust import TRUST
from dashboards.boards.week import DEMAND, MONEY
from dashboards.sketch import (
    BOARD,
    GREEN,
    NO_REAPER,
    ORANGE,
    PER_HOUR,
    RED,
    YELLOW,
    Dashboard,
    Row,
    Sketch,
    asked,
    choices_of_place,
    growth,
)

_MODEL: Final = ("model",)
_PLACE: Final = ("partition", "namespace", "team")
_HELD: Final = 'sum(gpureaper_gpus{@, state=~"idle|unknown|working"})'
_IDLE: Final = 'sum(gpureaper_gpus{@, state="idle"})'
_COST: Final = "sum by (currency) (gpureaper_idle_cost_per_hour{@})"
_NO_RULES: Final = "Not recorded: load alerts/recording.yaml into Prometheus"
_REAPER: Final = "The reaper is not scraped"

NOW: Final = (
    Sketch(
        title="GPUs held",
        says="GPUs that allocations hold, whatever they do with them.",
        unit="short",
        shape="stat",
        width=4,
        decimals=0,
        trend=True,
        empty=_REAPER,
        queries=(asked(_HELD, "held"),),
    ),
    Sketch(
        title="GPUs idle",
        says="GPUs of allocations in which every GPU is idle, by the reaper's rules.",
        unit="short",
        shape="stat",
        width=4,
        decimals=0,
        trend=True,
        empty=_REAPER,
        queries=(asked(_IDLE, "idle"),),
        steps=((0, GREEN), (1, ORANGE)),
    ),
    Sketch(
        title="Idle share",
        says="Idle GPUs over held GPUs: yellow from a tenth on, red from a quarter on.",
        unit="percentunit",
        shape="stat",
        width=4,
        decimals=0,
        trend=True,
        empty=_REAPER,
        queries=(asked(f"{_IDLE} / ({_HELD} > 0)", "share"),),
        steps=((0, GREEN), (0.1, YELLOW), (0.25, RED)),
    ),
    Sketch(
        title="Idle costs",
        says="What the idle GPUs that have a price cost per hour; those without one come on top.",
        unit=PER_HOUR,
        shape="stat",
        width=4,
        decimals=2,
        named=True,
        empty="no price, or not scraped",
        queries=(asked(_COST, "{{currency}}"),),
        steps=((0, GREEN), (0.01, ORANGE)),
    ),
    Sketch(
        title="Waited for",
        says="GPUs that pending jobs ask for, as the platforms tell.",
        unit="short",
        shape="stat",
        width=4,
        decimals=0,
        trend=True,
        empty=_REAPER,
        queries=(asked("sum(gpureaper_waiting_gpus{@})", "waiting"),),
    ),
    Sketch(
        title="GPUs in all",
        says="GPUs of the inventory, held or free.",
        unit="short",
        shape="stat",
        width=4,
        decimals=0,
        trend=True,
        empty=_REAPER,
        queries=(asked("sum(gpureaper_gpus{@})", "in all"),),
    ),
)

USE: Final = (
    Sketch(
        title="GPUs by what they do",
        says="Held and working, held and idle, held and unknown, free: together the inventory.",
        unit="short",
        shape="stack",
        width=12,
        decimals=0,
        empty=_REAPER,
        queries=tuple(
            asked(f'sum(gpureaper_gpus{{@, state="{state}"}})', state) for state, _ in palette.GPUS
        ),
        colours=palette.GPUS,
    ),
    Sketch(
        title="What idle GPUs cost per hour",
        says="The idle GPUs that have a price, in the currency of each.",
        unit="none",
        shape="stack",
        width=12,
        empty=f"Rates are not set up{NO_REAPER}",
        queries=(asked(_COST, "{{currency}}"),),
        colours=(("/.*/", ORANGE),),
    ),
    idle_allocations("Idle allocations", by=_PLACE),
)

WORK: Final = (
    Sketch(
        title="Allocations by verdict",
        says="What the reaper judges each live allocation to be.",
        unit="short",
        shape="stack",
        decimals=0,
        empty=f"Nothing is judged yet{NO_REAPER}",
        queries=(asked("sum by (verdict) (gpureaper_allocations{@})", "{{verdict}}"),),
        colours=palette.VERDICTS,
    ),
    Sketch(
        title="GPU activity",
        says="Means over all GPUs where the signal was seen: active seconds over observed seconds.",
        unit="percentunit",
        top=1,
        empty=_NO_RULES,
        queries=tuple(
            asked(f"avg(cluster:gpunode_{signal}_activity:ratio_rate5m{{@}})", legend)
            for signal, legend in (
                ("sm", "SM"),
                ("tensor", "tensor cores"),
                ("dram", "memory interface"),
            )
        ),
        colours=palette.SIGNALS,
    ),
    Sketch(
        title="Seen by signal",
        says="Share of the time in which each signal was really read; a gap is no idleness.",
        unit="percentunit",
        top=1,
        empty=_NO_RULES,
        queries=(
            asked("avg by (signal) (cluster:gpunode_observed:ratio_rate5m{@})", "{{signal}}"),
        ),
        colours=palette.SIGNALS,
        link=BOARD,
    ),
)

NODES: Final = (
    Sketch(
        title="SM activity by model",
        says="Means over the GPUs of each model; a model that never works may not be wanted.",
        unit="percentunit",
        top=1,
        empty=_NO_RULES,
        queries=(
            asked(
                "avg by (model) (cluster_model:gpunode_sm_activity:ratio_rate5m{@})",
                "{{model}}",
                by=_MODEL,
            ),
        ),
    ),
    Sketch(
        title="Power",
        says="Board power of all GPUs that tell it; MIG instances do not.",
        unit="watt",
        empty=_NO_RULES,
        queries=(asked("sum(instance:gpunode_power_watts:sum{@})", "all GPUs"),),
    ),
    Sketch(
        title="Exporters",
        says="Exporters that answer Prometheus, beside those that it knows.",
        unit="short",
        decimals=0,
        link=BOARD,
        queries=(
            asked('count(up{@, job="gpu-exporter"})', "known"),
            asked('sum(up{@, job="gpu-exporter"})', "answer"),
            asked("sum(gpunode_driver_up{@})", "with a driver"),
        ),
        empty="No exporter is scraped by a job that is called gpu-exporter",
    ),
    Sketch(
        title="Nodes that the reaper cannot judge",
        says="Blind: nothing of the node's GPUs is seen. Doubted: it is not known who holds them.",
        unit="short",
        width=12,
        decimals=0,
        link=BOARD,
        empty=_REAPER,
        queries=(
            asked("sum(gpureaper_node_blind{@})", "blind"),
            asked("sum(gpureaper_node_doubted{@})", "doubted"),
        ),
        colours=(("blind", RED), ("doubted", YELLOW)),
    ),
    Sketch(
        title="Troubles of devices",
        says="GPUs that do not answer, and errors of the driver in an hour; see nodes and devices.",
        unit="short",
        width=12,
        decimals=0,
        link=BOARD,
        queries=(
            asked("sum(cluster:gpunode_device_lost:sum{@})", "lost"),
            growth("cluster", "gpunode_xid_errors_total", legend="Xid"),
        ),
        empty=_NO_RULES,
        colours=(("lost", RED), ("Xid", ORANGE)),
    ),
)

FLEET: Final = Dashboard(
    name="fleet",
    title="GPU fleet: held, working, idle",
    says="What the GPUs do, what is held and idle, what that costs and who waits.",
    rows=(
        Row(title="Now", panels=NOW, height=5),
        Row(title="How far to trust it", panels=TRUST, height=4),
        Row(title="Use", panels=USE, height=8),
        Row(title="This week, in hours and money", panels=MONEY, height=9),
        Row(title="Demand", panels=DEMAND),
        Row(title="What they do", panels=WORK, height=8),
        Row(title="Nodes and devices", panels=NODES),
    ),
    choices=choices_of_place(),
)
