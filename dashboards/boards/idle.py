# ruff: noqa: INP001 - a folder of scripts, no package
"""The table of idle allocations, as the fleet's and the teams' dashboards show it."""

from collections.abc import Iterable
from typing import Final

from dashboards.sketch import NO_REAPER, ORANGE, RED, Column, Sketch, asked, of_team

_LABELS: Final = (
    ("allocation", "Allocation"),
    ("team", "Team"),
    ("owner", "Owner"),
)
_WHERE: Final = (("partition", "Partition"), ("namespace", "Namespace"), ("platform", "Platform"))
#: What nodes call an allocation, a Slurm of 24.11 by its SLUID: a pattern for its timeline.
_CALLED: Final = ("node_ids", "On its nodes")
_BY: Final = ", ".join(label for label, _ in (*_LABELS, *_WHERE, _CALLED))
_HERE: Final = "${datasource:queryparam}&${cluster:queryparam}&${__url_time_range}"

#: What was chosen goes along: the source, the cluster, the time.
JUMPS: Final = (
    (
        "Allocation",
        "Explain it",
        "${page}/allocation/${__data.fields.Platform}/${__data.fields.Allocation}",
    ),
    (
        "Allocation",
        "Its timeline",
        f'/d/gpu-reaper-allocation?var-allocation=${{__data.fields["{_CALLED[1]}"]}}&{_HERE}',
    ),
    ("Team", "The team", f"/d/gpu-reaper-team?var-team=${{__data.fields.Team}}&{_HERE}"),
)


def idle_allocations(title: str, *, by: Iterable[str]) -> Sketch:
    """Return the table; `by` are the variables that choose its rows."""
    return Sketch(
        title=title,
        says="Costliest first. Idle on every GPU; owners only where the reaper's page names them.",
        unit="none",
        shape="table",
        width=24,
        empty=f"No allocation is idle{NO_REAPER}",
        queries=(
            asked(of_team(f"sum by ({_BY}) (gpureaper_allocation_idle_seconds{{@}})"), by=by),
            asked(of_team(f"sum by ({_BY}) (gpureaper_allocation_idle_gpus{{@}})"), by=by),
            asked(
                of_team(f"sum by ({_BY}, currency) (gpureaper_allocation_idle_cost_per_hour{{@}})"),
                by=by,
            ),
        ),
        labels=_LABELS,
        behind=(("currency", "Currency"), *_WHERE, _CALLED),
        columns=(
            Column(
                name="Idle for", unit="s", steps=((0, "text"), (4 * 3600, ORANGE), (24 * 3600, RED))
            ),
            Column(name="GPUs", decimals=0),
            Column(name="Cost per hour", unit="none", decimals=2, absent="no price"),
        ),
        jumps=JUMPS,
    )
