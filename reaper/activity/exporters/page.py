"""
A page of one exporter as facts: devices, readings, signals, shares; and what is wrong with which.

NaN is a number that is not known: the signal is then absent.  A number that no exporter can
mean (negative, endless) drops its device's reading, with the reason.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from math import inf, isfinite
from typing import Final

from exporter.contract import catalog, node_key
from reaper.activity.exporters.epochs import Epochs
from reaper.activity.exporters.places import DevicePlan
from reaper.activity.exporters.plan import Plan, plan
from reaper.activity.exporters.tenants import tenants
from reaper.activity.exposition import Layout, PageError, Samples, Series
from reaper.domain.facts.device import Device, SignalState
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.receivers import Catches
from reaper.domain.facts.share import NodeSign, Share
from reaper.domain.facts.sign import Sign

_SAID: Final[Mapping[str, str]] = {"joules": "energy", "memory_used": "memory"}
#: Sessions on a people page.
_SIGNS: Final = 2048
#: A share or ratio may exceed one by rounding only.
MOST: Final = 1.05


Named = tuple[str, str]
"""An allocation as a page names it: its platform, empty where it says none, and its node key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What one page says; `faults` name devices of which something was refused, and why."""

    node: str
    started: float
    devices: tuple[Device, ...]
    readings: tuple[Reading, ...]
    signals: tuple[SignalState, ...]
    shares: tuple[Share, ...]
    pressures: tuple[tuple[Named, Mapping[str, float]], ...]
    """Whose, and seconds so far by resource."""
    catches: tuple[tuple[Named, Catches], ...]
    """Whose, and per target with a receiver, the signals that all of its receivers catch."""
    moved: float | None
    """Bytes that the node has sent and received so far; None where nothing counts them."""
    clock: float | None
    """The node's time when the page was written; None where nothing on the page tells."""
    faults: Mapping[str, str] = field(default_factory=dict)


class PageReader:
    """Reads the pages of one exporter; remembers the plan of the newest layout and its epochs."""

    def __init__(self) -> None:
        self._layout: Layout | None = None
        self._plan: Plan | None = None
        self._epochs = Epochs()

    def read(self, samples: Samples) -> Page:
        """Return a page's facts; raise PageError when it is not to be trusted as a whole."""
        if self._plan is None or samples.layout is not self._layout:
            self.learn(samples.layout, meaning(samples))
        assert self._plan is not None  # noqa: S101 - learnt just now
        return self.facts(self._plan, samples.values)

    def knows(self, samples: Samples) -> bool:
        """Tell whether a page's layout is the newest that was learnt."""
        return samples.layout is self._layout

    def learn(self, layout: Layout, chosen: Plan) -> None:
        """Take a layout's plan, worked out wherever, for the newest."""
        self._plan, self._layout = self.adopt(chosen), layout

    def adopt(self, chosen: Plan) -> Plan:
        """Take over what a layout says of its signals, and return it."""
        self._epochs.adopt(chosen)
        return chosen

    def facts(self, chosen: Plan, values: Sequence[float]) -> Page:
        """Return the facts of a layout that was adopted, by its slots of the values."""
        for slot in chosen.ones:
            if values[slot] != 1:
                raise PageError(f"an info series is {values[slot]:g} instead of 1")
        started = values[chosen.started]
        if not 0 < started < inf:
            raise PageError(f"{catalog.EXPORTER_START.name} is {started:g}, no time")
        faults = dict.fromkeys(chosen.twice, "stands with two identities on one page")
        devices = tuple(item for item in chosen.devices if item.gpu not in faults)
        return Page(
            node=chosen.node,
            started=started,
            devices=devices,
            readings=tuple(self._readings(chosen, devices, values, started, faults)),
            signals=chosen.signals,
            shares=tuple(_shares(chosen, values, faults)),
            pressures=_pressures(chosen, values),
            catches=_catches(chosen, values),
            moved=_moved(chosen, values),
            clock=_clock(chosen, values),
            faults=faults,
        )

    def _readings(
        self,
        chosen: Plan,
        devices: Iterable[Device],
        values: Sequence[float],
        started: float,
        faults: dict[str, str],
    ) -> Iterator[Reading]:
        shared = tenants(chosen, values)
        epochs = self._epochs.since(started)
        for device in devices:
            slots = chosen.slots.get(device.gpu)
            if slots is None or slots.at is None:
                continue
            try:
                read = _reading(device.gpu, epochs[device.gpu], slots, values)
                there = shared.get(device.gpu)
                yield replace(read, tenants=there) if there else read
            except PageError as error:
                faults[device.gpu] = str(error)


def meaning(samples: Samples) -> Plan:
    """Work out a page's layout, in any thread; raise PageError when it is not to be trusted."""
    return plan(enumerate(samples.layout.series))


def _reading(gpu: str, epoch: str, slots: DevicePlan, values: Sequence[float]) -> Reading:
    found = list(map(values.__getitem__, slots.slots))
    numbers, shape = iter(found), slots.shape
    # A zip of names asks for no number after the last name.
    singles = dict(zip(shape.singles, numbers, strict=False))
    observed = dict(zip(shape.observed, numbers, strict=False))
    active = dict(zip(shape.active, numbers, strict=False))
    above = tuple(islice(numbers, shape.edges))
    links: dict[str, float] = {}
    for link, value in zip(shape.links, numbers, strict=False):
        links[link] = links.get(link, 0.0) + value
    if not _plain(found):
        singles, observed, active = _singles(singles), _known(observed), _known(active)
        above, links = _edges(above), _known(links)
    processes = singles.get("processes")
    return Reading(
        gpu=gpu,
        at=singles["at"],
        epoch=epoch,
        observed=observed,
        active=active,
        above=above,
        links=links,
        joules=singles.get("joules"),
        memory_used=singles.get("memory_used"),
        power=singles.get("power"),
        processes=None if processes is None else int(processes),
    )


def _plain(found: Collection[float]) -> bool:
    """Tell whether numbers are all known, none negative or endless: NaN makes the sum NaN."""
    return sum(found) < inf and min(found) >= 0


def _counted(value: float, what: str) -> float:
    if 0 <= value < inf:
        return value
    raise PageError(f"{what} is {value:g}: its reading is dropped")


def _known(found: Mapping[str, float]) -> dict[str, float]:
    """Return the numbers that are known; of a link's directions both are or neither."""
    return {
        name: _counted(value, name)
        for name, value in found.items()
        if value == value  # noqa: PLR0124 - the fastest test for NaN
    }


def _singles(found: Mapping[str, float]) -> dict[str, float]:
    at = _counted(found["at"], "the sample time")
    known = {
        name: _counted(value, _SAID.get(name, name))
        for name, value in found.items()
        if name != "at" and value == value  # noqa: PLR0124 - the fastest test for NaN
    }
    return {"at": at, **known}


def _edges(found: tuple[float, ...]) -> tuple[float, ...]:
    if any(value != value for value in found):  # noqa: PLR0124 - the fastest test for NaN
        return ()
    return tuple(_counted(value, "an activity edge") for value in found)


def _clock(chosen: Plan, values: Sequence[float]) -> float | None:
    """Return the node's time: its youngest sample, and how old it says that this is."""
    stamps = [values[item.at] for item in chosen.slots.values() if item.at is not None]
    newest = max((stamp for stamp in stamps if isfinite(stamp)), default=None)
    age = 0.0 if chosen.sample_age is None else values[chosen.sample_age]
    return None if newest is None else newest + (age if 0 < age < inf else 0.0)


def _shares(chosen: Plan, values: Sequence[float], faults: dict[str, str]) -> Iterator[Share]:
    for series, slot in chosen.shares:
        gpu, share = series.label("gpu"), values[slot]
        if gpu in chosen.twice:
            continue
        try:
            key = _node_key(series.label("allocation"))
            start = float(key.start)
        except (ValueError, OverflowError) as error:
            faults[gpu] = str(error)
            continue
        if not 0 <= share <= MOST:
            faults[gpu] = f"the share of {key.id} is {share:g}"
            continue
        yield Share(
            node=chosen.node,
            gpu=gpu,
            platform=node_key.platform(series.label("platform")),
            id=key.id,
            start=start,
            share=min(share, 1.0),
        )


#: A job stands on many devices, minute after minute.
_node_key: Final = lru_cache(maxsize=4096)(node_key.parse)


def _pressures(
    chosen: Plan, values: Sequence[float]
) -> tuple[tuple[Named, Mapping[str, float]], ...]:
    """Return what allocations cost their host; what is no number is left out."""
    found: dict[Named, dict[str, float]] = {}
    for series, slot in chosen.pressures:
        if 0 <= values[slot] < inf:
            key = found.setdefault(_named(series), {})
            key[series.label("resource")] = values[slot]
    return tuple(found.items())


def _named(series: Series) -> Named:
    return node_key.platform(series.label("platform")), series.label("allocation")


def _moved(chosen: Plan, values: Sequence[float]) -> float | None:
    """Return what all cards of a node have moved together; None unless each of them is known."""
    total = sum(values[slot] for _, slot in chosen.network)
    return total if chosen.network and 0 <= total < inf else None


def _catches(chosen: Plan, values: Sequence[float]) -> tuple[tuple[Named, Catches], ...]:
    """Return which signals allocations catch; anything but 1 is a no."""
    found: dict[Named, dict[str, frozenset[str]]] = {}
    for series, slot in chosen.receivers:
        targets = found.setdefault(_named(series), {})
        target = series.label("target")
        caught = targets.get(target, frozenset())
        targets[target] = caught | {series.label("signal")} if values[slot] == 1 else caught
    return tuple(found.items())


def signs(samples: Samples, *, node: str, as_of: float) -> tuple[NodeSign, ...]:
    """Return the signs of a people page; NaN is an activity that nothing can tell."""
    name = catalog.SESSION_ACTIVITY.name
    found = [(series, value) for series, value in samples if series.name == name]
    if len(found) > _SIGNS:
        raise PageError(f"{name} stands {len(found)} times on the page; at most {_SIGNS} do")
    return tuple(_sign(series.labels, value, node, as_of) for series, value in found)


def _sign(labels: Mapping[str, str], value: float, node: str, as_of: float) -> NodeSign:
    try:
        key = node_key.parse(labels.get("allocation", ""))
        start = float(key.start)
    except (ValueError, OverflowError) as error:
        raise PageError(str(error)) from None
    return NodeSign(
        node=node,
        platform=node_key.platform(labels.get("platform", "")),
        id=key.id,
        start=start,
        sign=Sign(
            kind=labels.get("kind", ""),
            last_seen=value if isfinite(value) else None,
            as_of=as_of,
        ),
    )
