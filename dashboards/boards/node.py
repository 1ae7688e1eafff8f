# ruff: noqa: INP001 - a folder of scripts, no package
"""Nodes and devices: activity, health, thermals, errors, links, and the exporter itself."""

from typing import Final

from dashboards.boards.exporter import EXPORTER
from dashboards.boards.nodes import NODES
from dashboards.sketch import (
    BOARD,
    GOOD_TO_BAD,
    GREY,
    NO_EXPORTER,
    ORANGE,
    RED,
    YELLOW,
    Column,
    Dashboard,
    Row,
    Sketch,
    asked,
    choice,
    growth,
    legend_of,
    mean,
)

_HERE: Final = ("instance",)
_DEVICE: Final = "on (cluster, instance, gpu)"
_MODEL: Final = f'* {_DEVICE} group_left (index) gpunode_info{{@, model=~"$model"}}'
_RATE: Final = "[$__rate_interval]"
_NO_NODE: Final = "No exporter of the chosen nodes tells this"


def _by_gpu(gauge: str, over: str = "") -> tuple[str, str]:
    """Return a gauge of devices of the chosen models: the same ten with most now, all the time."""
    most = f"{_DEVICE} topk(10, {gauge}{{@}} @ end() {_MODEL})"
    of_it = f"{gauge}{{@}} / {_DEVICE} {over}{{@}}" if over else f"{gauge}{{@}}"
    return asked(f"({of_it} and {most}) {_MODEL}", "{{instance}} GPU {{index}}", by=_HERE)


ACTIVITY: Final = (
    Sketch(
        title="SM activity",
        says="Mean over the GPUs of each node where it was seen; the ten nodes with most.",
        unit="percentunit",
        width=12,
        top=1,
        link=BOARD,
        queries=((f"topk(10, {mean('sm', by=_HERE, of='instance')[0]})", "{{instance}}"),),
        empty="No GPU of the chosen nodes tells SM activity",
    ),
    Sketch(
        title="Memory in use",
        says="Device memory in use, of the ten GPUs that use most now.",
        unit="bytes",
        width=12,
        link=BOARD,
        queries=(_by_gpu("gpunode_memory_used_bytes"),),
        empty=_NO_NODE,
    ),
    Sketch(
        title="Links",
        says="Bytes over PCIe and NVLink, both directions; the ten nodes with most.",
        unit="Bps",
        link=BOARD,
        queries=(
            asked(
                f"topk(10, sum by (instance, link) (rate(gpunode_link_bytes_total{{@}}{_RATE})))",
                legend_of("instance, link"),
                by=_HERE,
            ),
        ),
        empty=_NO_NODE,
    ),
    Sketch(
        title="Processes",
        says="Processes with a context on a device, of the ten nodes with most.",
        unit="short",
        decimals=0,
        link=BOARD,
        queries=(
            asked("topk(10, sum by (instance) (gpunode_processes{@}))", "{{instance}}", by=_HERE),
        ),
        empty=_NO_NODE,
    ),
    Sketch(
        title="Who holds the devices",
        says="Devices by what is known of their holder: held, assigned, free, unknown.",
        unit="short",
        shape="stack",
        decimals=0,
        link=BOARD,
        queries=(asked("count by (state) (gpunode_ownership_info{@})", "{{state}}", by=_HERE),),
        colours=(("held", "green"), ("assigned", YELLOW), ("free", "blue"), ("unknown", GREY)),
        empty=_NO_NODE,
    ),
)

THERMALS: Final = (
    Sketch(
        title="Temperature",
        says="The ten GPUs that are hottest now; throttling begins at the model's own limit.",
        unit="celsius",
        width=12,
        decimals=0,
        link=BOARD,
        queries=(_by_gpu("gpunode_temperature_celsius"),),
        empty=_NO_NODE,
    ),
    Sketch(
        title="Power, of what is allowed",
        says="Board power over its enforced limit, of the ten GPUs that draw most now.",
        unit="percentunit",
        width=12,
        link=BOARD,
        queries=(_by_gpu("gpunode_power_watts", over="gpunode_power_limit_watts"),),
        empty="No board of the chosen nodes tells its power; MIG instances never do",
    ),
    Sketch(
        title="Power",
        says="What each node's boards draw, by their counters of energy; the ten with most.",
        unit="watt",
        link=BOARD,
        queries=(
            asked(
                f"topk(10, sum by (instance) (rate(gpunode_energy_joules_total{{@}}{_RATE})))",
                "{{instance}}",
                by=_HERE,
            ),
        ),
        empty="No board of the chosen nodes tells its energy",
    ),
    Sketch(
        title="SM clock",
        says="The slowest, mean and fastest clock of the chosen GPUs; low under load is a brake.",
        unit="hertz",
        link=BOARD,
        queries=tuple(
            asked(f"{how}(gpunode_sm_clock_hertz{{@}} {_MODEL})", legend, by=_HERE)
            for how, legend in (("min", "slowest"), ("avg", "mean"), ("max", "fastest"))
        ),
        empty=_NO_NODE,
    ),
    Sketch(
        title="GPUs whose clocks are held down",
        says="How many at a time on the mean, by what held their clocks down.",
        unit="short",
        shape="stack",
        link=BOARD,
        queries=(
            asked(
                f"sum by (reason) (rate(gpunode_throttled_seconds_total{{@}}{_RATE})) > 0",
                "{{reason}}",
                by=_HERE,
            ),
        ),
        colours=(
            ("power_cap", "blue"),
            ("clock_setting", "light-blue"),
            ("thermal", ORANGE),
            ("hardware_thermal", RED),
            ("power_brake", "dark-red"),
            ("hardware_slowdown", "purple"),
        ),
        empty=f"Nothing held clocks down in this time{NO_EXPORTER}",
    ),
)

ERRORS: Final = (
    Sketch(
        title="Lost GPUs",
        says="GPUs that do not answer although their node does.",
        unit="short",
        shape="stat",
        width=4,
        decimals=0,
        trend=True,
        link=BOARD,
        queries=(
            asked(
                "sum(gpunode_device_lost{@} or gpunode_unidentified_device{@})", "lost", by=_HERE
            ),
        ),
        steps=GOOD_TO_BAD,
    ),
    Sketch(
        title="Xid errors in an hour",
        says="Errors that the driver reports, by number; the runbook on Xid says what they mean.",
        unit="short",
        width=7,
        decimals=0,
        link=BOARD,
        queries=(
            growth(
                "instance, xid", "gpunode_xid_errors_total", by=_HERE, legend="{{instance}} {{xid}}"
            ),
        ),
        empty=f"No Xid since exporters started{NO_EXPORTER}",
    ),
    Sketch(
        title="ECC errors in an hour",
        says="Memory errors by kind, only where there are any; uncorrected ones cost a job.",
        unit="short",
        width=7,
        decimals=0,
        link=BOARD,
        queries=(
            asked(
                "sum by (instance, kind) (increase(gpunode_ecc_errors_total{@}[1h])) > 0",
                legend_of("instance, kind"),
                by=_HERE,
            ),
        ),
        empty=f"No ECC error in this time{NO_EXPORTER}",
    ),
    Sketch(
        title="Remapped rows",
        says="Rows of memory that were replaced; pending ones wait for a reset, failed ones stay.",
        unit="short",
        width=6,
        decimals=0,
        link=BOARD,
        queries=(
            asked(
                "sum by (instance, kind) (gpunode_remapped_rows{@}) > 0",
                legend_of("instance, kind"),
                by=_HERE,
            ),
        ),
        empty=f"No row is remapped{NO_EXPORTER}",
    ),
    Sketch(
        title="When Xids were last seen",
        says="The newest error of each number, of each GPU.",
        unit="none",
        shape="table",
        width=24,
        link=BOARD,
        queries=(
            asked(
                "1000 * max by (instance, gpu, xid) (gpunode_xid_last_timestamp_seconds{@})",
                by=_HERE,
            ),
        ),
        labels=(("instance", "Node"), ("xid", "Xid"), ("gpu", "GPU")),
        columns=(Column(name="Last seen", unit="dateTimeFromNow"),),
        empty=f"No Xid since exporters started{NO_EXPORTER}",
    ),
)

NODE: Final = Dashboard(
    name="node",
    title="GPU nodes and devices",
    says="Activity, thermals, errors and links of devices, and how their exporters fare.",
    rows=(
        Row(title="Nodes: choose one to see it alone", panels=NODES, height=9),
        Row(title="Errors", panels=ERRORS, closed=True),
        Row(title="Activity", panels=ACTIVITY, height=8, closed=True),
        Row(title="Thermals and power", panels=THERMALS, height=8, closed=True),
        Row(title="The exporter", panels=EXPORTER, closed=True),
    ),
    choices=(
        choice("instance", "Exporter", "gpunode_node_info"),
        choice("model", "Model", "gpunode_info", within="instance"),
    ),
    span="6h",
)
