# ruff: noqa: INP001 - a folder of scripts, no package
"""One allocation: its timeline, drawn GPU by GPU, and what its processes do on their hosts."""

from typing import Final

from dashboards.sketch import (
    GREEN,
    GREY,
    ORANGE,
    YELLOW,
    Choice,
    Column,
    Dashboard,
    Row,
    Sketch,
    asked,
)

_DEVICE: Final = "on (cluster, instance, gpu)"
_RATE: Final = "[$__rate_interval]"
#: Chosen is an id, or a pattern of several; a node's name of it ends with its start there.
_ITS: Final = 'allocation=~"($allocation)@.*"'
_NO_HOST: Final = "Its nodes' kernels do not tell this"
_NOT_HELD: Final = "It held no GPU in this time, or no exporter is scraped"


def _of_it(expression: str) -> tuple[str, str]:
    """Return a query by device, of the devices that the allocation's processes are on."""
    held = f"gpunode_allocation_share{{@, {_ITS}}} > 0"
    called = f"* {_DEVICE} group_left (index) gpunode_info{{@}}"
    return asked(f"(({expression}) and {_DEVICE} ({held})) {called}", "{{instance}} GPU {{index}}")


def _ratio(signal: str) -> str:
    active = f"rate(gpunode_{signal}_active_seconds_total{{@}}{_RATE})"
    seen = f'rate(gpunode_observed_seconds_total{{@, signal="{signal}"}}{_RATE})'
    return f"{active} / {_DEVICE} {seen}"


def _pressure(resource: str) -> str:
    family = "gpunode_allocation_pressure_seconds_total"
    return f"sum by (resource) (rate({family}{{@, {_ITS}, {resource}}}{_RATE}))"


TIMELINE: Final = (
    Sketch(
        title="Work of each GPU",
        says="Mean SM activity: orange does nothing, yellow little, green works; a gap: unseen.",
        unit="percentunit",
        shape="timeline",
        width=24,
        top=1,
        queries=(_of_it(_ratio("sm")),),
        steps=((0, ORANGE), (0.005, YELLOW), (0.05, GREEN)),
        empty="None of its GPUs tells SM activity in this time; see resident kernels",
    ),
    Sketch(
        title="Resident kernels of each GPU",
        says="The driver's utilisation: a kernel was there, whether or not it worked.",
        unit="percentunit",
        shape="timeline",
        width=24,
        top=1,
        queries=(_of_it(_ratio("engine")),),
        steps=((0, ORANGE), (0.005, YELLOW), (0.5, GREEN)),
        empty="None of its GPUs tells utilisation in this time; MIG instances never do",
    ),
)

DEVICES: Final = (
    Sketch(
        title="Tensor cores",
        says="Mean activity of the tensor pipes of each of its GPUs.",
        unit="percentunit",
        top=1,
        queries=(_of_it(_ratio("tensor")),),
        empty="None of its GPUs tells this",
    ),
    Sketch(
        title="Memory interface",
        says="Mean activity of the memory interface of each of its GPUs.",
        unit="percentunit",
        top=1,
        queries=(_of_it(_ratio("dram")),),
        empty="None of its GPUs tells this",
    ),
    Sketch(
        title="Device memory in use",
        says="Held memory is no work: an idle notebook keeps it for days.",
        unit="bytes",
        queries=(_of_it("gpunode_memory_used_bytes{@}"),),
        empty=_NOT_HELD,
    ),
    Sketch(
        title="Power",
        says="Board power; a GPU that draws as much as when idle does not compute.",
        unit="watt",
        queries=(_of_it("gpunode_power_watts{@}"),),
        empty="None of its GPUs tells this; MIG instances never do",
    ),
    Sketch(
        title="Bytes over PCIe and NVLink",
        says="Waiting for input shows here before it shows anywhere else.",
        unit="Bps",
        queries=(
            _of_it(f"sum by (cluster, instance, gpu) (rate(gpunode_link_bytes_total{{@}}{_RATE}))"),
        ),
        empty="None of its GPUs tells this",
    ),
    Sketch(
        title="Processes",
        says="Processes with a context on each of its GPUs.",
        unit="short",
        decimals=0,
        queries=(_of_it("gpunode_processes{@}"),),
        empty=_NOT_HELD,
    ),
)

HOSTS: Final = (
    Sketch(
        title="Cores in use",
        says="CPU cores that its processes keep busy, on all its hosts together.",
        unit="short",
        queries=(asked(_pressure('resource="cpu"'), "cores"),),
        empty=_NO_HOST,
    ),
    Sketch(
        title="Stuck waiting",
        says="Share of the time in which some task waited, by what for; several hosts add up.",
        unit="percentunit",
        queries=(asked(_pressure('resource!="cpu"'), "{{resource}}"),),
        empty=_NO_HOST,
    ),
    Sketch(
        title="Who of several is busy",
        says="On devices that allocations share: the driver's utilisation by this one's processes.",
        unit="percentunit",
        top=1,
        queries=(
            asked(
                "sum by (instance, gpu) "
                f"(rate(gpunode_allocation_engine_active_seconds_total{{@, {_ITS}}}{_RATE}))",
                "{{instance}} {{gpu}}",
            ),
        ),
        empty="It shares no GPU, or the driver does not tell processes apart",
    ),
    Sketch(
        title="Signals that it catches",
        says="Caught only where every process that would get the signal catches it: it can save.",
        unit="none",
        shape="table",
        width=24,
        queries=(
            asked(
                f"min by (target, signal) (gpunode_allocation_catches_signal{{@, {_ITS}}})",
            ),
        ),
        labels=(("target", "Sent to"), ("signal", "Signal")),
        columns=(
            Column(
                name="It is", unit="none", words=(("1", "caught", GREEN), ("0", "not caught", GREY))
            ),
        ),
        empty="Its nodes do not tell which signals it catches",
    ),
)

ALLOCATION: Final = Dashboard(
    name="allocation",
    title="GPU allocation: its timeline",
    says="What one allocation does on each of its GPUs and on its hosts, as its nodes see it.",
    rows=(
        Row(title="Timeline of $allocation", panels=TIMELINE, height=8),
        Row(title="Its GPUs", panels=DEVICES),
        Row(title="Its hosts", panels=HOSTS),
    ),
    choices=(
        Choice(
            name="allocation",
            label="Allocation",
            family="gpunode_allocation_share",
            among='cluster=~"$cluster"',
            one=True,
            cut="/(.*)@[0-9]+/",
        ),
    ),
    span="6h",
)
