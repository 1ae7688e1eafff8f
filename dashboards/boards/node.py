# ruff: noqa: INP001 - a folder of scripts, no package
"""Nodes and devices: activity, health, thermals, errors, links, and the exporter itself."""

from typing import Final

from dashboards.sketch import (
    BOARD,
    GOOD_TO_BAD,
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

_HERE: Final = ("instance",)
_MODEL: Final = (
    "* on (instance, gpu) group_left (model) "
    'gpunode_info{cluster=~"$cluster", instance=~"$instance", model=~"$model"}'
)
_RATE: Final = "[$__rate_interval]"


def _by_gpu(family: str) -> tuple[str, str]:
    """Return a gauge of each device of the chosen models."""
    return asked(f"{family}{{@}} {_MODEL}", legend_of("instance, gpu"), by=_HERE)


ACTIVITY: Final = (
    Sketch(
        title="SM activity",
        says="Mean over the GPUs of each node where it was seen.",
        unit="percentunit",
        top=1,
        link=BOARD,
        queries=(mean("sm", by=_HERE, of="instance"),),
    ),
    Sketch(
        title="Memory in use",
        says="Device memory in use, of each GPU.",
        unit="bytes",
        link=BOARD,
        queries=(_by_gpu("gpunode_memory_used_bytes"),),
    ),
    Sketch(
        title="Memory in use, of all there is",
        says="Device memory in use over device memory, of each node.",
        unit="percentunit",
        top=1,
        link=BOARD,
        queries=(
            asked(
                "sum by (instance) (gpunode_memory_used_bytes{@})"
                " / sum by (instance) (gpunode_memory_total_bytes{@})",
                "{{instance}}",
                by=_HERE,
            ),
        ),
    ),
    Sketch(
        title="Links",
        says="Bytes over PCIe and NVLink, both directions, of each node.",
        unit="Bps",
        link=BOARD,
        queries=(
            asked(
                f"sum by (instance, link) (rate(gpunode_link_bytes_total{{@}}{_RATE}))",
                legend_of("instance, link"),
                by=_HERE,
            ),
        ),
    ),
    Sketch(
        title="Processes",
        says="Processes with a context on a device, of each node.",
        unit="short",
        link=BOARD,
        queries=(asked("sum by (instance) (gpunode_processes{@})", "{{instance}}", by=_HERE),),
    ),
    Sketch(
        title="Who holds the devices",
        says="Devices by what is known of their holder: held, assigned, free, unknown.",
        unit="short",
        shape="stack",
        link=BOARD,
        queries=(asked("count by (state) (gpunode_ownership_info{@})", "{{state}}", by=_HERE),),
    ),
)

THERMALS: Final = (
    Sketch(
        title="Temperature",
        says="Of each GPU; throttling begins where the model's own limit lies.",
        unit="celsius",
        link=BOARD,
        queries=(_by_gpu("gpunode_temperature_celsius"),),
    ),
    Sketch(
        title="Power",
        says="Board power of each GPU.",
        unit="watt",
        link=BOARD,
        queries=(_by_gpu("gpunode_power_watts"),),
    ),
    Sketch(
        title="Power, of what is allowed",
        says="Board power over its enforced limit, of each GPU.",
        unit="percentunit",
        link=BOARD,
        queries=(
            asked(
                "gpunode_power_watts{@} / on (instance, gpu) gpunode_power_limit_watts{@}",
                legend_of("instance, gpu"),
                by=_HERE,
            ),
        ),
    ),
    Sketch(
        title="Energy",
        says="What the boards of each node draw, from their counters of energy.",
        unit="watt",
        link=BOARD,
        queries=(
            asked(
                f"sum by (instance) (rate(gpunode_energy_joules_total{{@}}{_RATE}))",
                "{{instance}}",
                by=_HERE,
            ),
        ),
    ),
    Sketch(
        title="SM clock",
        says="Current clock of each GPU; low under load is a brake.",
        unit="hertz",
        link=BOARD,
        queries=(_by_gpu("gpunode_sm_clock_hertz"),),
    ),
    Sketch(
        title="Clocks held down",
        says="Share of the time in which something held the clocks down, by reason.",
        unit="percentunit",
        link=BOARD,
        queries=(
            asked(
                f"sum by (reason) (rate(gpunode_throttled_seconds_total{{@}}{_RATE}))",
                "{{reason}}",
                by=_HERE,
            ),
        ),
    ),
)

ERRORS: Final = (
    Sketch(
        title="Lost GPUs",
        says="GPUs that do not answer although their node does.",
        unit="short",
        shape="stat",
        width=6,
        link=BOARD,
        queries=(asked("sum(gpunode_device_lost{@})", by=_HERE),),
        steps=GOOD_TO_BAD,
    ),
    Sketch(
        title="Xid errors in an hour",
        says="Errors that the driver reports, by number; the runbook on Xid says what they mean.",
        unit="short",
        width=6,
        link=BOARD,
        queries=(growth("instance, xid", "gpunode_xid_errors_total", by=_HERE),),
    ),
    Sketch(
        title="ECC errors in an hour",
        says="Memory errors by kind; uncorrected ones cost a job.",
        unit="short",
        width=6,
        link=BOARD,
        queries=(growth("instance, kind", "gpunode_ecc_errors_total", by=_HERE),),
    ),
    Sketch(
        title="Remapped rows",
        says="Rows of memory that were replaced; pending ones wait for a reset, failed ones stay.",
        unit="short",
        width=6,
        link=BOARD,
        queries=(
            asked(
                "sum by (instance, kind) (gpunode_remapped_rows{@})",
                legend_of("instance, kind"),
                by=_HERE,
            ),
        ),
    ),
    Sketch(
        title="When Xids were last seen",
        says="The newest error of each number, by node.",
        unit="dateTimeFromNow",
        shape="table",
        width=24,
        link=BOARD,
        queries=(
            asked(
                "1000 * max by (instance, gpu, xid) (gpunode_xid_last_timestamp_seconds{@})",
                by=_HERE,
            ),
        ),
        columns=(Column(name="last seen", unit="dateTimeFromNow"),),
    ),
)

EXPORTER: Final = (
    Sketch(
        title="Age of the youngest sample",
        says="Age of the youngest answer of the driver, of each node.",
        unit="s",
        link=BOARD,
        queries=(asked("gpunode_last_sample_age_seconds{@}", "{{instance}}", by=_HERE),),
    ),
    Sketch(
        title="Driver calls that hang",
        says="How long a call has not returned, by its name; none is the rule.",
        unit="s",
        link=BOARD,
        queries=(
            asked("gpunode_driver_call_stuck_seconds{@}", legend_of("instance, call"), by=_HERE),
        ),
    ),
    Sketch(
        title="Collectors that failed",
        says="Collectors whose last turn failed, by node.",
        unit="short",
        link=BOARD,
        queries=(
            asked(
                "count by (instance, collector) (gpunode_collector_success{@} == bool 0)",
                legend_of("instance, collector"),
                by=_HERE,
            ),
        ),
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
    ),
    Sketch(
        title="What measuring costs",
        says="CPU time of the exporter and its worker as a share of one core.",
        unit="percentunit",
        link=BOARD,
        queries=(
            asked(
                f"rate(gpunode_exporter_cpu_seconds_total{{@}}{_RATE})",
                "{{instance}}",
                by=_HERE,
            ),
        ),
    ),
    Sketch(
        title="Memory of the exporter",
        says="Resident memory of the exporter and its worker.",
        unit="bytes",
        link=BOARD,
        queries=(asked("gpunode_exporter_resident_memory_bytes{@}", "{{instance}}", by=_HERE),),
    ),
)

NODE: Final = Dashboard(
    name="node",
    title="GPU nodes and devices",
    says="Activity, thermals, errors and links of devices, and how their exporters fare.",
    rows=(
        Row(title="Activity", panels=ACTIVITY),
        Row(title="Thermals and power", panels=THERMALS),
        Row(title="Errors", panels=ERRORS),
        Row(title="The exporter", panels=EXPORTER),
    ),
    choices=(
        Choice(name="instance", label="Exporter", family="gpunode_node_info"),
        Choice(name="model", label="Model", family="gpunode_info"),
    ),
    span="6h",
)
