"""What was measured beside what was done: pure arithmetic, and one table."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

SIGNALS = ("sm", "tensor", "dram", "engine")
#: The mean of the multiprocessors must lie so near to the duty cycle, as a part of it.
WITHIN = 0.05
#: The energy must lie so near to the integral of power.
ENERGY_WITHIN = 0.03
#: Bytes that a held context has at least; in a container the driver may list no process.
HELD = 2 << 30
#: Below this nothing is at work.
NOISE = 0.005


@dataclass(frozen=True, kw_only=True)
class Load:
    """What the GPU was given: a duty cycle of all multiprocessors, or bytes a second."""

    name: str
    kind: str
    duty: float = 0.0
    bytes_per_second: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Scrape:
    """What a page says of one device, at `at` (seconds): counters and gauges by signal."""

    at: float
    observed: Mapping[str, float] = field(default_factory=dict)
    active: Mapping[str, float] = field(default_factory=dict)
    links: Mapping[str, float] = field(default_factory=dict)
    joules: float | None = None
    memory: float | None = None
    processes: float | None = None
    cpu: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Row:
    """A load and the means that the exporter told meanwhile; None is untold."""

    load: Load
    seconds: float
    means: Mapping[str, float | None]
    watts: float | None
    link: float | None
    verdict: str = ""


def row(load: Load, before: Scrape, after: Scrape) -> Row:
    """Compare two scrapes within one load."""
    seconds = after.at - before.at
    means = {name: mean(name, before, after) for name in SIGNALS}
    joules = growth(before.joules, after.joules)
    link = growth(before.links.get("received"), after.links.get("received"))
    made = Row(
        load=load,
        seconds=seconds,
        means=means,
        watts=ratio(joules, growth(before.observed.get("power"), after.observed.get("power"))),
        link=ratio(link, growth(before.observed.get("pcie"), after.observed.get("pcie"))),
    )
    return replace(made, verdict=verdict(made, after))


def mean(signal: str, before: Scrape, after: Scrape) -> float | None:
    return ratio(
        growth(before.active.get(signal), after.active.get(signal)),
        growth(before.observed.get(signal), after.observed.get(signal)),
    )


def growth(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def ratio(part: float | None, whole: float | None) -> float | None:
    return None if part is None or not whole else part / whole


def verdict(found: Row, after: Scrape) -> str:
    """Say whether the multiprocessors' mean fits the load; "ok", or what is wrong."""
    sm, load = found.means["sm"], found.load
    if sm is None:
        return "no signal for multiprocessors"
    if load.kind == "product":
        return "ok" if near(sm, load.duty, WITHIN) else f"sm {sm:.4f} is not {load.duty:.4f}"
    if load.kind in {"nothing", "held"}:
        return _at_rest(found, after)
    dram = found.means["dram"]
    if load.kind == "copy" and dram is not None and dram < NOISE:
        return "a copy is not seen"
    return "ok"


def _at_rest(found: Row, after: Scrape) -> str:
    busy = [name for name, value in found.means.items() if value is not None and value > NOISE]
    if busy:
        return f"at rest, but {', '.join(busy)} above {NOISE}"
    if found.load.kind == "held" and not after.processes and (after.memory or 0.0) < HELD:
        return "a held context shows neither as a process nor as memory"
    return "ok"


def near(value: float, wanted: float, within: float) -> bool:
    return abs(value - wanted) <= within * wanted


def integral(samples: Sequence[tuple[float, float]]) -> float:
    """Return joules of (second, watt) samples by trapezoids."""
    pairs = itertools.pairwise(samples)
    return sum((end - begin) * (first + last) / 2 for (begin, first), (end, last) in pairs)


def energy(
    samples: Sequence[tuple[float, float]], before: Scrape, after: Scrape
) -> tuple[float, float]:
    """Return the exporter's joules and our own over one span that begins and ends at rest.

    The exporter's readings begin and end up to a period earlier; at rest that difference is the
    resting power times the seconds.
    """
    within = [sample for sample in samples if before.at <= sample[0] <= after.at]
    joules = growth(before.joules, after.joules) or 0.0
    seen = growth(before.observed.get("power"), after.observed.get("power")) or 0.0
    resting = min(watts for _, watts in within)
    return joules + resting * (within[-1][0] - within[0][0] - seen), integral(within)


def shares(rows: Sequence[Row]) -> dict[float, float]:
    """Return each product's tensor mean as a part of the one at full duty."""
    found = {
        one.load.duty: one.means["tensor"]
        for one in rows
        if one.load.kind == "product" and one.means["tensor"] is not None
    }
    full = found.get(max(found, default=0.0)) or 0.0
    return {duty: value / full for duty, value in found.items()} if full else {}


def table(rows: Sequence[Row]) -> str:
    head = f"{'load':24} {'true':>8} " + " ".join(f"{name:>7}" for name in SIGNALS)
    lines = [f"{head} {'watts':>7} {'rx GB/s':>8}  verdict"]
    for one in rows:
        load = one.load
        true = (
            f"{load.bytes_per_second / 1e9:.0f}GB/s"
            if load.bytes_per_second
            else f"{load.duty:.4f}"
        )
        means = " ".join(shown(one.means[name], "7.4f") for name in SIGNALS)
        link = None if one.link is None else one.link / 1e9
        lines.append(
            f"{load.name:24} {true:>8} {means} {shown(one.watts, '7.1f')} {shown(link, '8.2f')}"
            f"  {one.verdict}"
        )
    return "\n".join(lines)


def shown(value: float | None, form: str) -> str:
    width = int(form.partition(".")[0])
    return f"{'-':>{width}}" if value is None else f"{value:{form}}"
