# ruff: noqa: INP001 - a folder of scripts, no package
"""Data starvation: GPUs that wait for their input, and what they wait for."""

from collections.abc import Iterator
from typing import Final

from dashboards import palette
from dashboards.sketch import NO_REAPER, Dashboard, Row, Sketch, asked, choice

_HERE: Final = ("instance",)
_RATE: Final = "[$__rate_interval]"
_WAITS: Final = "uninterruptible|block_io|io_stall|memory_stall"
_EDGES: Final = (("0.005", "0.5 %"), ("0.02", "2 %"), ("0.05", "5 %"), ("0.2", "20 %"))
_NO_HOST: Final = "The nodes' kernels do not tell this, or nothing is held on them"
_NOT_SEEN: Final = "No exporter of the chosen nodes tells this"


def _most(labels: str, resource: str) -> str:
    """Return the ten allocations with most of something, by their ids."""
    family = "gpunode_allocation_pressure_seconds_total"
    named = f'rate({family}{{@, resource{resource}}}{_RATE}), "allocation", "$1", "allocation"'
    return f'topk(10, sum by ({labels}) (label_replace({named}, "(.*)@[0-9]+")))'


def _above() -> Iterator[tuple[str, str]]:
    family = "gpunode_activity_above_seconds_total"
    for edge, said in _EDGES:
        share = f'avg(rate({family}{{@, edge="{edge}"}}{_RATE}))'
        yield asked(share, f"above {said}", by=_HERE)


SEEN: Final = (
    Sketch(
        title="Allocations that starve",
        says="Bursts of work between waits for input, or a host at work while its GPUs idle.",
        unit="short",
        shape="stack",
        decimals=0,
        queries=(
            asked(
                'sum by (verdict) (gpureaper_allocations{@, verdict=~"starved|idle, host busy"})',
                "{{verdict}}",
            ),
        ),
        colours=palette.VERDICTS,
        empty=f"No allocation starves{NO_REAPER}",
    ),
    Sketch(
        title="Resident but not working",
        says="Kernels resident minus SMs at work, of the ten nodes with most: they may wait.",
        unit="percentunit",
        top=1,
        queries=(
            asked(
                "topk(10, avg by (instance) (clamp_min("
                f"rate(gpunode_engine_active_seconds_total{{@}}{_RATE}) - "
                "on (cluster, instance, gpu) "
                f"rate(gpunode_sm_active_seconds_total{{@}}{_RATE}), 0)))",
                "{{instance}}",
                by=_HERE,
            ),
        ),
        empty=_NOT_SEEN,
    ),
    Sketch(
        title="Time above each edge",
        says="Share of the time in which the busiest signal stood above an edge: bursts show here.",
        unit="percentunit",
        top=1,
        queries=tuple(_above()),
        empty=_NOT_SEEN,
    ),
)

CAUSES: Final = (
    Sketch(
        title="Stuck on input and output",
        says="The ten that wait most for data: in the kernel, on devices, for memory.",
        unit="percentunit",
        width=12,
        queries=(
            asked(
                _most("allocation, resource", f'=~"{_WAITS}"'),
                "{{allocation}} {{resource}}",
                by=_HERE,
            ),
        ),
        empty=_NO_HOST,
    ),
    Sketch(
        title="Cores in use",
        says="The ten allocations with most: too few workers show as one core per GPU.",
        unit="short",
        width=12,
        queries=(asked(_most("allocation", '="cpu"'), "{{allocation}}", by=_HERE),),
        empty=_NO_HOST,
    ),
    Sketch(
        title="Waiting for a core",
        says="Share of the time in which some task waited for a CPU: too few cores were asked for.",
        unit="percentunit",
        width=12,
        queries=(asked(_most("allocation", '="cpu_stall"'), "{{allocation}}", by=_HERE),),
        empty=_NO_HOST,
    ),
    Sketch(
        title="Bytes that reach the GPUs",
        says="Over PCIe, towards the GPUs of the ten nodes with most.",
        unit="Bps",
        width=12,
        queries=(
            asked(
                "topk(10, sum by (instance) (rate(gpunode_link_bytes_total"
                f'{{@, link="pcie", direction="received"}}{_RATE})))',
                "{{instance}}",
                by=_HERE,
            ),
        ),
        empty=_NOT_SEEN,
    ),
)

STARVATION: Final = Dashboard(
    name="starvation",
    title="GPU data starvation",
    says="GPUs that wait for their input instead of working, and what holds the input up.",
    rows=(
        Row(title="Seen on the GPUs", panels=SEEN, height=8),
        Row(title="Causes on the hosts", panels=CAUSES, height=9),
    ),
    choices=(choice("instance", "Exporter", "gpunode_node_info"),),
    span="6h",
)
