# ruff: noqa: INP001 - a folder of scripts, no package
"""One colour for one word, on every dashboard: green works, orange is idle, grey is unknown."""

from typing import Final

from dashboards.sketch import BLUE, GREEN, GREY, ORANGE, RED, YELLOW

#: What GPUs do now, from the bottom of the stack upwards.
GPUS: Final = (("working", GREEN), ("idle", ORANGE), ("unknown", GREY), ("free", BLUE))

VERDICTS: Final = (
    ("busy", GREEN),
    ("warm", "light-green"),
    ("partial", "light-yellow"),
    ("starved", YELLOW),
    ("idle", ORANGE),
    ("empty", "dark-orange"),
    ("idle, host busy", "light-orange"),
    ("stalled", RED),
    ("suspect", "purple"),
    ("unknown", GREY),
)

#: States of GPU-hours: those that somebody holds, then those that nobody does.
STATES: Final = (
    ("active", GREEN),
    ("low", YELLOW),
    ("idle", ORANGE),
    ("startup", "light-green"),
    ("unknown", GREY),
    ("down", RED),
    ("drained", "light-red"),
    ("reserved", "purple"),
    ("unallocated", BLUE),
    ("stranded", "light-blue"),
)

FIGURES: Final = (
    ("wasted", ORANGE),
    ("high", "light-orange"),
    ("avoidable", YELLOW),
    ("reclaimed", GREEN),
    ("given_back", "light-green"),
    ("reused", "dark-green"),
)

#: How runs end; what was cancelled or hit its limit says little of the cluster.
OUTCOMES: Final = (
    ("completed", GREEN),
    ("failed", RED),
    ("out of memory", ORANGE),
    ("node failed", "dark-red"),
    ("time limit", YELLOW),
    ("cancelled", GREY),
    ("preempted", "purple"),
    ("requeued", "light-purple"),
)

SIGNALS: Final = (
    ("SM", GREEN),
    ("tensor cores", "purple"),
    ("memory interface", BLUE),
    ("sm", GREEN),
    ("tensor", "purple"),
    ("dram", BLUE),
    ("engine", ORANGE),
    ("codec", GREY),
)

FATES: Final = (
    ("delivered", GREEN),
    ("assumed", BLUE),
    ("queued", YELLOW),
    ("ambiguous", ORANGE),
    ("failed", RED),
    ("returned", "dark-red"),
)

PHASES: Final = (
    ("planned", BLUE),
    ("intended", "light-blue"),
    ("begun", YELLOW),
    ("done", "light-green"),
    ("verified", GREEN),
    ("dropped", GREY),
    ("failed", RED),
    ("reverted", "dark-red"),
)
