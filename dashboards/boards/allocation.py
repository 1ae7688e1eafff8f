# ruff: noqa: INP001 - a folder of scripts, no package
"""One allocation: its timeline, drawn GPU by GPU, and what its processes do on their hosts."""

from typing import Final

from dashboards.sketch import (
    GREEN,
    RED,
    YELLOW,
    Choice,
    Dashboard,
    Row,
    Sketch,
    asked,
    legend_of,
)

_ONE: Final = ("allocation",)
_HELD: Final = "on (instance, gpu) group_left () max by (instance, gpu)"


def _of_it(expression: str, legend: str = "{{gpu}}") -> tuple[str, str]:
    """Return a query by device, of the devices that the allocation's processes are on."""
    share = f"{_HELD} (gpunode_allocation_share{{@}} > bool 0)"
    return asked(f"({expression}) * {share}", legend, by=_ONE)


def _ratio(signal: str) -> str:
    active = f"rate(gpunode_{signal}_active_seconds_total[$__rate_interval])"
    seen = f'rate(gpunode_observed_seconds_total{{signal="{signal}"}}[$__rate_interval])'
    return f"{active} / on (instance, gpu) {seen}"


TIMELINE: Final = (
    Sketch(
        title="Work of each GPU",
        says="Mean SM activity: red does nothing, yellow little, green works; a gap was not seen.",
        unit="percentunit",
        shape="timeline",
        width=24,
        top=1,
        queries=(_of_it(_ratio("sm")),),
        steps=((0, RED), (0.005, YELLOW), (0.05, GREEN)),
    ),
    Sketch(
        title="Resident kernels of each GPU",
        says="The driver's utilisation: a kernel was there, whether or not it worked.",
        unit="percentunit",
        shape="timeline",
        width=24,
        top=1,
        queries=(_of_it(_ratio("engine")),),
        steps=((0, RED), (0.005, YELLOW), (0.5, GREEN)),
    ),
)

DEVICES: Final = (
    Sketch(
        title="Tensor cores",
        says="Mean activity of the tensor pipes of each of its GPUs.",
        unit="percentunit",
        top=1,
        queries=(_of_it(_ratio("tensor")),),
    ),
    Sketch(
        title="Memory interface",
        says="Mean activity of the memory interface of each of its GPUs.",
        unit="percentunit",
        top=1,
        queries=(_of_it(_ratio("dram")),),
    ),
    Sketch(
        title="Device memory in use",
        says="Held memory is no work: an idle notebook keeps it for days.",
        unit="bytes",
        queries=(_of_it("gpunode_memory_used_bytes"),),
    ),
    Sketch(
        title="Power",
        says="Board power; a GPU that draws as much as when idle does not compute.",
        unit="watt",
        queries=(_of_it("gpunode_power_watts"),),
    ),
    Sketch(
        title="Bytes over PCIe and NVLink",
        says="Waiting for input shows here before it shows anywhere else.",
        unit="Bps",
        queries=(
            _of_it(
                "sum by (instance, gpu) (rate(gpunode_link_bytes_total[$__rate_interval]))",
            ),
        ),
    ),
    Sketch(
        title="Processes",
        says="Processes with a context on each of its GPUs.",
        unit="short",
        queries=(_of_it("gpunode_processes"),),
    ),
)

HOSTS: Final = (
    Sketch(
        title="What it costs its hosts",
        says="Cores in use, and the share of the time stuck waiting for data, by resource.",
        unit="short",
        width=12,
        queries=(
            asked(
                "sum by (resource) "
                "(rate(gpunode_allocation_pressure_seconds_total{@}[$__rate_interval]))",
                "{{resource}}",
                by=_ONE,
            ),
        ),
    ),
    Sketch(
        title="Who of several is busy",
        says="On devices that allocations share: the driver's utilisation by this one's processes.",
        unit="percentunit",
        width=12,
        top=1,
        queries=(
            asked(
                "sum by (gpu) "
                "(rate(gpunode_allocation_engine_active_seconds_total{@}[$__rate_interval]))",
                "{{gpu}}",
                by=_ONE,
            ),
        ),
    ),
    Sketch(
        title="Signals that it catches",
        says="1 where every process that would receive the signal catches it: it can save itself.",
        unit="short",
        shape="bars",
        width=24,
        queries=(
            asked(
                "min by (target, signal) (gpunode_allocation_catches_signal{@})",
                legend_of("target, signal"),
                by=_ONE,
            ),
        ),
        top=1,
    ),
)

ALLOCATION: Final = Dashboard(
    name="allocation",
    title="GPU allocation: its timeline",
    says="What one allocation does on each of its GPUs and on its hosts, as its nodes see it.",
    rows=(
        Row(title="Timeline", panels=TIMELINE, height=8),
        Row(title="Its GPUs", panels=DEVICES),
        Row(title="Its hosts", panels=HOSTS),
    ),
    choices=(
        Choice(name="allocation", label="Allocation", family="gpunode_allocation_share", one=True),
    ),
    span="6h",
)
