# ruff: noqa: INP001 - a folder of scripts, no package
"""The exporter itself: how fresh, how complete and how dear its looks are."""

from typing import Final

from dashboards.sketch import BOARD, NO_EXPORTER, Sketch, asked, legend_of

_HERE: Final = ("instance",)
_NO_NODE: Final = "No exporter of the chosen nodes is scraped"

EXPORTER: Final = (
    Sketch(
        title="Age of the youngest sample",
        says="Age of the youngest answer of the driver, of the ten nodes where it is oldest.",
        unit="s",
        link=BOARD,
        queries=(asked("topk(10, gpunode_last_sample_age_seconds{@})", "{{instance}}", by=_HERE),),
        empty=_NO_NODE,
    ),
    Sketch(
        title="Driver calls that hang",
        says="How long a call has not returned, by its name; none is the rule.",
        unit="s",
        link=BOARD,
        queries=(
            asked("gpunode_driver_call_stuck_seconds{@}", legend_of("instance, call"), by=_HERE),
        ),
        empty=f"No call hung in this time{NO_EXPORTER}",
    ),
    Sketch(
        title="Collectors that failed",
        says="On how many nodes the last turn of each collector failed.",
        unit="short",
        shape="stack",
        decimals=0,
        link=BOARD,
        queries=(
            asked(
                "count by (collector) (gpunode_collector_success{@} == 0)",
                "{{collector}}",
                by=_HERE,
            ),
        ),
        empty=f"No collector failed in this time{NO_EXPORTER}",
    ),
    Sketch(
        title="How long collectors take",
        says="The slowest turn of each collector.",
        unit="s",
        link=BOARD,
        queries=(
            asked(
                "max by (collector) (gpunode_collector_duration_seconds{@})",
                "{{collector}}",
                by=_HERE,
            ),
        ),
        empty=_NO_NODE,
    ),
    Sketch(
        title="What measuring costs",
        says="CPU time of the exporter and its worker as a share of one core; the ten dearest.",
        unit="percentunit",
        link=BOARD,
        queries=(
            asked(
                "topk(10, rate(gpunode_exporter_cpu_seconds_total{@}[$__rate_interval]))",
                "{{instance}}",
                by=_HERE,
            ),
        ),
        empty=_NO_NODE,
    ),
    Sketch(
        title="Memory of the exporter",
        says="Resident memory of the exporter and its worker, of the ten largest.",
        unit="bytes",
        link=BOARD,
        queries=(
            asked("topk(10, gpunode_exporter_resident_memory_bytes{@})", "{{instance}}", by=_HERE),
        ),
        empty=_NO_NODE,
    ),
)
