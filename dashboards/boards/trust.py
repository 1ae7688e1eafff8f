# ruff: noqa: INP001 - a folder of scripts, no package
"""How far the fleet's figures can be trusted: what was seen, how old it is, what has no price."""

from typing import Final

from dashboards.sketch import BOARD, GOOD_TO_ODD, GREEN, RED, YELLOW, Sketch, asked

_REAPER: Final = "The reaper is not scraped"

TRUST: Final = (
    Sketch(
        title="Seen of the held GPUs",
        says="Coverage: what is not seen is unknown, never idle. Below 90 % nothing is released.",
        unit="percentunit",
        shape="stat",
        width=6,
        decimals=0,
        trend=True,
        queries=(asked("min(gpureaper_coverage_ratio{@})", "seen"),),
        steps=((0, RED), (0.9, YELLOW), (0.95, GREEN)),
        link=BOARD,
    ),
    Sketch(
        title="Age of the picture",
        says="How old the reaper's newest cycle is; every figure of the reaper is of then.",
        unit="s",
        shape="stat",
        width=6,
        decimals=0,
        empty=_REAPER,
        queries=(asked("max(gpureaper_cycle_age_seconds{@})"),),
        steps=((0, GREEN), (180, YELLOW), (600, RED)),
        link=BOARD,
    ),
    Sketch(
        title="Idle without a price",
        says="Idle GPUs that no rate fits: unpriced is never zero.",
        unit="short",
        shape="stat",
        width=6,
        decimals=0,
        empty=_REAPER,
        queries=(asked("sum(gpureaper_idle_unpriced_gpus{@})"),),
        steps=GOOD_TO_ODD,
    ),
    Sketch(
        title="Standing stops",
        says="Pauses, interlocks, disputes and holds: the reaper's dashboard tells which.",
        unit="short",
        shape="stat",
        width=6,
        decimals=0,
        empty=_REAPER,
        queries=(asked("sum(gpureaper_holds{@})"),),
        steps=GOOD_TO_ODD,
    ),
)
