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
    closer_look,
    growth,
    legend_of,
    mean,
)

_HERE: Final = ("instance",)
#: Only the nodes that are looked at closely.
_CLOSE: Final = ("instance:look",)
#: Nodes that a closed row asks about: each of their GPUs, at every step of its time.
_CLOSELY: Final = 10
_DAY: Final = 86400
#: Lost GPUs weigh most, then Xids of a day, then memory errors; of sound nodes the hottest stand.
_WORST: Final = (
    "sum by (instance) ("
    "1000 * (gpunode_device_lost{@} or gpunode_unidentified_device{@})"
    f" or 100 * (time() - gpunode_xid_last_timestamp_seconds{{@}} < bool {_DAY})"
    ' or 10 * (gpunode_ecc_errors_total{@, kind="uncorrected"} > bool 0)'
    " or max by (cluster, instance) (gpunode_temperature_celsius{@}) / 100"
    " or 0 * gpunode_driver_up{@})"
)
_DEVICE: Final = "on (cluster, instance, gpu)"
_MODEL: Final = f'* {_DEVICE} group_left (index) gpunode_info{{@, model=~"$model"}}'
_RATE: Final = "[$__rate_interval]"
_NO_NODE: Final = "No exporter of the chosen nodes tells this"


def _by_gpu(gauge: str, over: str = "") -> tuple[str, str]:
    """Return a gauge of devices of the chosen models: the same ten with most now, all the time."""
    most = f"{_DEVICE} topk(10, {gauge}{{@}} @ end() {_MODEL})"
    of_it = f"{gauge}{{@}} / {_DEVICE} {over}{{@}}" if over else f"{gauge}{{@}}"
    return asked(f"({of_it} and {most}) {_MODEL}", "{{instance}} GPU {{index}}", by=_CLOSE)


ACTIVITY: Final = (
    Sketch(
        title="SM activity",
        says="Mean over the GPUs of each node looked at, where it was seen.",
        unit="percentunit",
        width=12,
        top=1,
        link=BOARD,
        queries=((f"topk(10, {mean('sm', by=_CLOSE, of='instance')[0]})", "{{instance}}"),),
        empty="No GPU of the chosen nodes tells SM activity",
    ),
    Sketch(
        title="Memory in use",
        says="Device memory in use, of the ten GPUs of the nodes looked at that use most now.",
        unit="bytes",
        width=12,
        link=BOARD,
        queries=(_by_gpu("gpunode_memory_used_bytes"),),
        empty=_NO_NODE,
    ),
    Sketch(
        title="Links",
        says="Bytes over PCIe and NVLink, both directions, of the nodes looked at.",
        unit="Bps",
        link=BOARD,
        queries=(
            asked(
                f"topk(10, sum by (instance, link) (rate(gpunode_link_bytes_total{{@}}{_RATE})))",
                legend_of("instance, link"),
                by=_CLOSE,
            ),
        ),
        empty=_NO_NODE,
    ),
    Sketch(
        title="Processes",
        says="Processes with a context on a device, of the nodes looked at.",
        unit="short",
        decimals=0,
        link=BOARD,
        queries=(
            asked("topk(10, sum by (instance) (gpunode_processes{@}))", "{{instance}}", by=_CLOSE),
        ),
        empty=_NO_NODE,
    ),
    Sketch(
        title="Who holds the devices",
        says="Devices of all chosen nodes now, by what is known of their holder.",
        unit="short",
        shape="bars",
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
        says="The ten hottest GPUs looked at; throttling begins at the model's own limit.",
        unit="celsius",
        width=12,
        decimals=0,
        link=BOARD,
        queries=(_by_gpu("gpunode_temperature_celsius"),),
        empty=_NO_NODE,
    ),
    Sketch(
        title="Power, of what is allowed",
        says="Board power over its limit, of the ten GPUs looked at that draw most now.",
        unit="percentunit",
        width=12,
        link=BOARD,
        queries=(_by_gpu("gpunode_power_watts", over="gpunode_power_limit_watts"),),
        empty="No board of the chosen nodes tells its power; MIG instances never do",
    ),
    Sketch(
        title="Power",
        says="What the boards of each node looked at draw, by their counters of energy.",
        unit="watt",
        link=BOARD,
        queries=(
            asked(
                f"topk(10, sum by (instance) (rate(gpunode_energy_joules_total{{@}}{_RATE})))",
                "{{instance}}",
                by=_CLOSE,
            ),
        ),
        empty="No board of the chosen nodes tells its energy",
    ),
    Sketch(
        title="SM clock",
        says="Slowest, mean and fastest clock of the nodes looked at; low under load is a brake.",
        unit="hertz",
        link=BOARD,
        queries=tuple(
            asked(f"{how}(gpunode_sm_clock_hertz{{@}} {_MODEL})", legend, by=_CLOSE)
            for how, legend in (("min", "slowest"), ("avg", "mean"), ("max", "fastest"))
        ),
        empty=_NO_NODE,
    ),
    Sketch(
        title="GPUs whose clocks are held down",
        says="How many at a time on the nodes looked at, by what held their clocks down.",
        unit="short",
        shape="stack",
        link=BOARD,
        queries=(
            asked(
                f"sum by (reason) (rate(gpunode_throttled_seconds_total{{@}}{_RATE})) > 0",
                "{{reason}}",
                by=_CLOSE,
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
        says="GPUs of all chosen nodes that do not answer although their node does.",
        unit="short",
        shape="stat",
        width=4,
        decimals=0,
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
        says="What the driver reports on the nodes looked at; the runbook on Xid explains it.",
        unit="short",
        width=7,
        decimals=0,
        link=BOARD,
        queries=(
            growth(
                "instance, xid",
                "gpunode_xid_errors_total",
                by=_CLOSE,
                legend="{{instance}} {{xid}}",
            ),
        ),
        empty=f"No Xid since exporters started{NO_EXPORTER}",
    ),
    Sketch(
        title="ECC errors in an hour",
        says="Memory errors of the nodes looked at by kind; uncorrected ones cost a job.",
        unit="short",
        width=7,
        decimals=0,
        link=BOARD,
        queries=(
            asked(
                "sum by (instance, kind) (increase(gpunode_ecc_errors_total{@}[1h])) > 0",
                legend_of("instance, kind"),
                by=_CLOSE,
            ),
        ),
        empty=f"No ECC error in this time{NO_EXPORTER}",
    ),
    Sketch(
        title="Remapped rows",
        says="Replaced rows of the nodes looked at; pending ones wait for a reset.",
        unit="short",
        width=6,
        decimals=0,
        link=BOARD,
        queries=(
            asked(
                "sum by (instance, kind) (gpunode_remapped_rows{@}) > 0",
                legend_of("instance, kind"),
                by=_CLOSE,
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
        Row(
            title="Activity of the nodes looked at: the ten worst, or those chosen",
            panels=ACTIVITY,
            height=8,
            closed=True,
        ),
        Row(
            title="Thermals and power of the nodes looked at",
            panels=THERMALS,
            height=8,
            closed=True,
        ),
        Row(title="The exporter", panels=EXPORTER, closed=True),
    ),
    choices=(
        choice("instance", "Exporter", "gpunode_node_info"),
        choice("model", "Model", "gpunode_info", within="instance"),
        closer_look(_WORST, at_most=_CLOSELY),
    ),
    span="6h",
)
