# ruff: noqa: INP001 - a folder of scripts, no package
"""Data starvation: GPUs that wait for their input, and what they wait for."""

from typing import Final

from dashboards.sketch import Choice, Dashboard, Row, Sketch, asked, legend_of

_HERE: Final = ("instance",)
_RATE: Final = "[$__rate_interval]"
_WAITS: Final = "uninterruptible|block_io|io_stall|memory_stall"


def _stuck(count: int) -> str:
    waits = (
        "sum by (allocation, resource) "
        f'(rate(gpunode_allocation_pressure_seconds_total{{@, resource=~"{_WAITS}"}}{_RATE}))'
    )
    return f"topk({count}, {waits})"


SEEN: Final = (
    Sketch(
        title="Allocations that starve",
        says="Bursts of work between waits for input, or a host at work while its GPUs idle.",
        unit="short",
        shape="stack",
        queries=(
            asked(
                'sum by (verdict) (gpureaper_allocations{@, verdict=~"starved|idle, host busy"})',
                "{{verdict}}",
            ),
        ),
    ),
    Sketch(
        title="Resident but not working",
        says="Kernels resident minus SMs at work, of each node: the more, the more they wait.",
        unit="percentunit",
        queries=(
            asked(
                "clamp_min("
                f"avg by (instance) (rate(gpunode_engine_active_seconds_total{{@}}{_RATE}))"
                f" - avg by (instance) (rate(gpunode_sm_active_seconds_total{{@}}{_RATE})), 0)",
                "{{instance}}",
                by=_HERE,
            ),
        ),
    ),
    Sketch(
        title="Time above each edge",
        says="Share of the time in which the busiest signal stood above an edge: bursts show here.",
        unit="percentunit",
        top=1,
        queries=(
            asked(
                f"avg by (edge) (rate(gpunode_activity_above_seconds_total{{@}}{_RATE}))",
                "above {{edge}}",
                by=_HERE,
            ),
        ),
    ),
)

CAUSES: Final = (
    Sketch(
        title="Stuck on input and output",
        says="The allocations that wait most for data: in the kernel, on devices, for memory.",
        unit="percentunit",
        width=12,
        queries=(asked(_stuck(10), legend_of("allocation, resource"), by=_HERE),),
    ),
    Sketch(
        title="Cores in use",
        says="The allocations whose loaders take most of their hosts: too few workers show as one.",
        unit="short",
        width=12,
        queries=(
            asked(
                "topk(10, sum by (allocation) (rate(gpunode_allocation_pressure_seconds_total"
                f'{{@, resource="cpu"}}{_RATE})))',
                "{{allocation}}",
                by=_HERE,
            ),
        ),
    ),
    Sketch(
        title="Waiting for a core",
        says="Share of the time in which some task waited for a CPU: too few cores were asked for.",
        unit="percentunit",
        width=12,
        queries=(
            asked(
                "topk(10, sum by (allocation) (rate(gpunode_allocation_pressure_seconds_total"
                f'{{@, resource="cpu_stall"}}{_RATE})))',
                "{{allocation}}",
                by=_HERE,
            ),
        ),
    ),
    Sketch(
        title="Bytes that reach the GPUs",
        says="Over PCIe, towards the GPUs of each node.",
        unit="Bps",
        width=12,
        queries=(
            asked(
                "sum by (instance) (rate(gpunode_link_bytes_total"
                f'{{@, link="pcie", direction="received"}}{_RATE}))',
                "{{instance}}",
                by=_HERE,
            ),
        ),
    ),
)

STARVATION: Final = Dashboard(
    name="starvation",
    title="GPU data starvation",
    says="GPUs that wait for their input instead of working, and what holds the input up.",
    rows=(
        Row(title="Seen on the GPUs", panels=SEEN, height=8),
        Row(title="Causes on the hosts", panels=CAUSES, height=8),
    ),
    choices=(Choice(name="instance", label="Exporter", family="gpunode_node_info"),),
    span="6h",
)
