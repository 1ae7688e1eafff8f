"""
Signals that lie or fall silent in a drawing: what is measured instead of what a GPU does.

A distortion changes what a letter looks like to whoever measures, and never what is true.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from exporter.contract.tables import Table

_GIB: Final = 1024**3


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A product's rough size: board power in watts and memory in bytes."""

    architecture: str
    power: float
    memory: int


_MODELS: Final[dict[str, Model]] = {
    "B200": Model(architecture="blackwell", power=1000, memory=180 * _GIB),
    "H200": Model(architecture="hopper", power=700, memory=141 * _GIB),
    "H100": Model(architecture="hopper", power=700, memory=80 * _GIB),
    "A100": Model(architecture="ampere", power=400, memory=80 * _GIB),
    "L40S": Model(architecture="ada", power=350, memory=48 * _GIB),
    "A40": Model(architecture="ampere", power=300, memory=48 * _GIB),
    "V100": Model(architecture="volta", power=300, memory=32 * _GIB),
    "T4": Model(architecture="turing", power=70, memory=16 * _GIB),
}
_ANY_MODEL: Final = Model(architecture="", power=300, memory=48 * _GIB)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """
    What a letter looks like: ratios of 0 to 1; `link` is bytes per second, each way.

    `processes` is how many are seen; None for one where memory is held.
    """

    sm: float = 0.0
    tensor: float = 0.0
    dram: float = 0.0
    engine: float = 0.0
    codec: float = 0.0
    power: float = 0.12
    memory: float = 0.0
    link: float = 0.0
    processes: float | None = None

    @property
    def seen(self) -> int:
        """Return how many processes are seen on it."""
        return int(self.memory > 0) if self.processes is None else int(self.processes)


#: By letter; ``?`` is missing, because nothing answers then.
LOOKS: Final[dict[str, Look]] = {
    "A": Look(sm=0.62, tensor=0.35, dram=0.4, engine=1.0, power=0.8, memory=0.7, link=2e9),
    "L": Look(sm=0.02, tensor=0.001, dram=0.01, engine=0.3, power=0.22, memory=0.5, link=1e5),
    "H": Look(power=0.16, memory=0.5),
    "E": Look(),
    "X": Look(engine=1.0, power=0.18, memory=0.7),
    "!": Look(engine=1.0, power=0.8, memory=0.7),
    "stuck": Look(engine=1.0),
}

#: What ``X`` looks like where no process is drawn: utilisation that is stuck.
STUCK: Final = "stuck"

#: Signals that only models with profiling counters show.
PROFILED: Final = ("sm", "tensor", "dram", "nvlink")


@cache
def model(product: str) -> Model:
    """Return the size of a product by its name; a middling one for an unknown name."""
    return next((size for word, size in _MODELS.items() if word in product), _ANY_MODEL)


Span = tuple[float, float]

#: What may be distorted of a GPU: a word of `of`, each with the signals of the wire behind it.
OF_GPUS: Final[Mapping[str, tuple[str, ...]]] = {
    "profiling": ("sm", "tensor", "dram", "pcie", "nvlink"),
    "utilisation": ("engine",),
    "links": ("pcie", "nvlink"),
    "memory": ("memory",),
    "power": ("power",),
    "processes": ("processes",),
}

#: What may be distorted of a whole node: what its hosts do, and its people.
OF_NODES: Final = ("host", "people")

#: What is shown in place of the truth; a number is a ratio, watts of power, a count of processes.
_SHOWS: Final[Mapping[str, float | None]] = {"nothing": None, "zero": 0.0, "full": 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Distortion:
    """
    A signal that does not tell the truth in `spans`, of some GPUs of a node.

    `shows` is the value instead, None for nothing at all; an empty `node` is every node, no
    `gpus` are all of them.
    """

    of: str
    spans: tuple[Span, ...]
    shows: float | None = None
    node: str = ""
    gpus: tuple[int, ...] = ()

    def lasts(self, node: str, moment: float, gpu: int | None = None) -> bool:
        """Tell whether it holds for a node, or one GPU of it, `moment` seconds from start."""
        return (
            self.node in ("", node)
            and (gpu is None or not self.gpus or gpu in self.gpus)
            and any(begin <= moment < end for begin, end in self.spans)
        )


def distortion(table: Table, sizes: Mapping[str, int]) -> Distortion:
    """Read one table ``[[signal]]``; mistakes go to the table."""
    node, known = table.text("node"), (*OF_GPUS, *OF_NODES)
    if node and node not in sizes:
        table.wrong("node", f"no node {node!r}; drawn are {', '.join(sizes)}")
    of = table.choice("of", known, known[0])
    if table.raw("of") is None:
        table.wrong("of", f"missing; write one of {', '.join(known)}")
    spans = table.spans("during")
    found = Distortion(
        of=of,
        spans=((float("-inf"), float("inf")),) if spans is None else spans,
        shows=_shows(table, of),
        node=node,
        gpus=tuple(_gpus(table, sizes.get(node, max(sizes.values(), default=0)))),
    )
    table.finish()
    return found


def _shows(table: Table, of: str) -> float | None:
    value = table.raw("shows")
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
        if of in OF_NODES:
            table.wrong("shows", 'write "nothing" or "zero": a node shows no number')
        return float(value)
    if value not in _SHOWS:
        cure = f"write {', '.join(_SHOWS)}, or a number"
        table.wrong("shows", f"missing; {cure}" if value is None else f"{value!r}: {cure}")
        return None
    return _SHOWS[str(value)]


def _gpus(table: Table, size: int) -> Iterable[int]:
    for item in table.listed("gpus"):
        if isinstance(item, int) and not isinstance(item, bool) and 0 <= item < size:
            yield item
        else:
            table.wrong("gpus", f"{item!r} is no GPU of it; it has 0 to {size - 1}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a GPU shows: its look, None where nothing answers, and the signals that are paused."""

    look: Look | None
    paused: frozenset[str] = frozenset()


def shown(
    look: Look | None, product: str, idle_power: float, present: Sequence[Distortion]
) -> Shown:
    """Return what is measured of a look: at least `idle_power` watts, and as it is distorted."""
    if look is None:
        return Shown(look=None)
    watts = model(product).power
    look = replace(look, power=max(look.power, idle_power / watts))
    paused: set[str] = set()
    for one in present:
        signals = OF_GPUS.get(one.of, ())
        if one.shows is None:
            paused.update(signals)
        else:
            look = replace(look, **_instead(one, signals, watts))
    return Shown(look=look, paused=frozenset(paused))


def _instead(one: Distortion, signals: Sequence[str], watts: float) -> dict[str, float]:
    """Return what stands in the place of some signals; ``full`` power is that of the board."""
    value = one.shows or 0.0
    if one.of == "power":
        return {"power": value if value <= 1 else value / watts}
    if one.of == "processes":
        return {"processes": value}
    fields = {"link" if signal in ("pcie", "nvlink") else signal for signal in signals}
    return {name: value * (2e9 if name == "link" else 1.0) for name in fields}
