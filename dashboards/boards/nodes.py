# ruff: noqa: INP001 - a folder of scripts, no package
"""The table of nodes: a line for each, with what makes one worth a look."""

from typing import Final

from dashboards.sketch import BOARD, ORANGE, RED, Column, Sketch, asked, mean

_HERE: Final = ("instance",)
_DAY: Final = 86400
_THIS: Final = (
    "/d/gpu-reaper-node?var-instance=${__data.fields.Node}"
    "&${datasource:queryparam}&${cluster:queryparam}&${__url_time_range}"
)


def _each(expression: str) -> tuple[str, str]:
    return asked(expression, by=_HERE)


NODES: Final = (
    Sketch(
        title="Nodes",
        says="Each exporter's GPUs now; Xids are counted by GPU and number; a dash was not told.",
        unit="none",
        shape="table",
        width=24,
        link=BOARD,
        queries=(
            _each("sum by (instance) (gpunode_device_lost{@} or gpunode_unidentified_device{@})"),
            _each(
                f"count by (instance) (time() - gpunode_xid_last_timestamp_seconds{{@}} < {_DAY})"
            ),
            _each('sum by (instance) (gpunode_ecc_errors_total{@, kind="uncorrected"})'),
            _each('count by (instance) (gpunode_info{@, model=~"$model"})'),
            mean("sm", by=_HERE, of="instance"),
            _each(
                "sum by (instance) (gpunode_memory_used_bytes{@})"
                " / sum by (instance) (gpunode_memory_total_bytes{@})"
            ),
            _each("sum by (instance) (gpunode_power_watts{@})"),
            _each("max by (instance) (gpunode_temperature_celsius{@})"),
        ),
        labels=(("instance", "Node"),),
        columns=(
            Column(name="Lost", decimals=0, steps=((0, "text"), (1, RED))),
            Column(name="Xids in a day", decimals=0, steps=((0, "text"), (1, ORANGE))),
            Column(name="Uncorrected ECC", decimals=0, steps=((0, "text"), (1, ORANGE))),
            Column(name="GPUs", decimals=0),
            Column(name="SM activity", unit="percentunit", decimals=0),
            Column(name="Memory in use", unit="percentunit", decimals=0),
            Column(name="Power", unit="watt", decimals=1),
            Column(name="Hottest", unit="celsius", decimals=0, steps=((0, "text"), (85, ORANGE))),
        ),
        first="Lost",
        jumps=(("Node", "This node alone", _THIS),),
        empty="No exporter is scraped",
    ),
)
