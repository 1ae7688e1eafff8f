# ruff: noqa: INP001 - a folder of scripts, no package
"""The reaper itself: its health, what it decides, what it refuses, what arrives."""

from typing import Final

from dashboards import palette
from dashboards.sketch import (
    BOARD,
    GOOD_TO_ODD,
    GREEN,
    NO_REAPER,
    RED,
    YELLOW,
    Dashboard,
    Row,
    Sketch,
    asked,
    growth,
)

NOW: Final = (
    Sketch(
        title="Age of the picture",
        says="How old the newest cycle is; every figure of the reaper is of then.",
        unit="s",
        shape="stat",
        width=6,
        link=BOARD,
        decimals=0,
        empty="The reaper is not scraped",
        queries=(asked("max(gpureaper_cycle_age_seconds{@})"),),
        steps=((0, GREEN), (180, YELLOW), (600, RED)),
    ),
    Sketch(
        title="Coverage",
        says="Share of the held GPUs whose newest minute was seen.",
        unit="percentunit",
        shape="stat",
        width=6,
        link=BOARD,
        decimals=0,
        trend=True,
        queries=(asked("min(gpureaper_coverage_ratio{@})", "seen"),),
        steps=((0, RED), (0.9, YELLOW), (0.95, GREEN)),
    ),
    Sketch(
        title="Standing stops",
        says="Pauses, tripped interlocks, disputes and holds; which, stands under decisions.",
        unit="short",
        shape="stat",
        width=6,
        decimals=0,
        empty="The reaper is not scraped",
        queries=(asked("sum(gpureaper_holds{@})"),),
        steps=GOOD_TO_ODD,
    ),
    Sketch(
        title="Left off the page",
        says="The page of metrics is bounded: so many idle allocations have no samples there.",
        unit="short",
        shape="stat",
        width=6,
        decimals=0,
        empty="The reaper is not scraped",
        queries=(asked("sum(gpureaper_allocations_omitted{@})"),),
        steps=((0, GREEN), (1, YELLOW)),
    ),
)

HEALTH: Final = (
    Sketch(
        title="Cycles in an hour",
        says="By how they ended; one that failed left nothing behind.",
        unit="short",
        link=BOARD,
        decimals=0,
        queries=(growth("outcome", "gpureaper_cycles_total"),),
        colours=(("written", GREEN), ("failed", RED)),
    ),
    Sketch(
        title="Time in cycles",
        says="Share of the time that goes into cycles.",
        unit="percentunit",
        link=BOARD,
        queries=(asked("sum(rate(gpureaper_cycle_seconds_total{@}[$__rate_interval]))", "cycles"),),
    ),
    Sketch(
        title="Sources' last answers",
        says="Age of what each source said last; an old answer is unknown, not wrong.",
        unit="s",
        link=BOARD,
        queries=(
            asked("max by (source, role) (gpureaper_source_age_seconds{@})", "{{source}} {{role}}"),
        ),
    ),
    Sketch(
        title="How long sources take",
        says="Time for the last answer of each source.",
        unit="s",
        link=BOARD,
        queries=(
            asked(
                "max by (source, role) (gpureaper_source_duration_seconds{@})",
                "{{source}} {{role}}",
            ),
        ),
    ),
    Sketch(
        title="Turns without an answer",
        says="In an hour, by source; one bad source never delays the others.",
        unit="short",
        link=BOARD,
        decimals=0,
        queries=(
            growth("source, role", "gpureaper_source_failures_total", legend="{{source}} {{role}}"),
        ),
    ),
    Sketch(
        title="Nodes that cannot be judged",
        says="Blind: nothing of the node's GPUs is seen. Doubted: it is not known who holds them.",
        unit="short",
        decimals=0,
        link=BOARD,
        queries=(
            asked("sum(gpureaper_node_blind{@})", "blind"),
            asked("sum(gpureaper_node_doubted{@})", "doubted"),
        ),
        colours=(("blind", RED), ("doubted", YELLOW)),
    ),
)

DECISIONS: Final = (
    Sketch(
        title="Open cases",
        says="Idle allocations on their way up a policy's ladder, by where they stand and mode.",
        unit="short",
        shape="stack",
        decimals=0,
        queries=(asked("sum by (state, mode) (gpureaper_cases{@})", "{{state}} ({{mode}})"),),
        empty=f"No case is open{NO_REAPER}",
    ),
    Sketch(
        title="Acts in an hour",
        says="Releases by how far they came; planned means that it would have been done.",
        unit="short",
        decimals=0,
        queries=(growth("phase", "gpureaper_acts_total"),),
        colours=palette.PHASES,
        empty=f"Nothing was released, planned or tried{NO_REAPER}",
    ),
    Sketch(
        title="Refusals in an hour",
        says="Steps that were due and not taken, by the rule that forbade them.",
        unit="short",
        shape="stack",
        decimals=0,
        queries=(growth("rule", "gpureaper_refusals_total"),),
        empty=f"Nothing that was due was refused{NO_REAPER}",
    ),
    Sketch(
        title="Standing stops by kind",
        says="What stops acts now; gpu-reaper status names each with its reason.",
        unit="short",
        shape="bars",
        decimals=0,
        queries=(asked("sort_desc(sum by (kind) (gpureaper_holds{@}))", "{{kind}}"),),
        steps=GOOD_TO_ODD,
    ),
    Sketch(
        title="Allocations by policy",
        says="How many live allocations each policy matches; a policy that matches none is dead.",
        unit="short",
        shape="bars",
        decimals=0,
        empty=f"No live allocation is matched by a policy{NO_REAPER}",
        queries=(
            asked(
                "sort_desc(sum by (policy, mode) (gpureaper_policy_allocations{@}))",
                "{{policy}} ({{mode}})",
            ),
        ),
    ),
    Sketch(
        title="Verdicts in an hour",
        says="Under each policy; one that never judges anything is no rule.",
        unit="short",
        decimals=0,
        queries=(growth("policy", "gpureaper_policy_judgements_total"),),
    ),
)

DELIVERY: Final = (
    Sketch(
        title="Notices in an hour",
        says="By fate, over all channels; assumed means that it would have been sent.",
        unit="short",
        width=12,
        shape="stack",
        decimals=0,
        queries=(growth("delivery", "gpureaper_notices_total"),),
        colours=palette.FATES,
        empty=f"No notice was due{NO_REAPER}",
    ),
    Sketch(
        title="Share that arrives",
        says="Delivered notices of those that were tried in a day, by channel.",
        unit="percentunit",
        width=12,
        top=1,
        queries=(
            asked(
                'sum by (channel) (increase(gpureaper_notices_total{@, delivery="delivered"}[1d]))'
                " / (sum by (channel) (increase(gpureaper_notices_total"
                '{@, delivery=~"delivered|failed|ambiguous"}[1d])) > 0)',
                "{{channel}}",
            ),
        ),
        empty=f"No notice was tried within a day{NO_REAPER}",
    ),
)

REAPER: Final = Dashboard(
    name="reaper",
    title="GPU reaper: its own health and decisions",
    says="Whether the reaper sees, judges and is heard, and what it decided and refused.",
    rows=(
        Row(title="Now", panels=NOW, height=4),
        Row(title="Health", panels=HEALTH),
        Row(title="Decisions", panels=DECISIONS),
        Row(title="Delivery", panels=DELIVERY),
    ),
)
