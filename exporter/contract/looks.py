"""
What a drawn letter looks like to whoever measures: ratios, power, memory, link traffic.

The simulated driver shows these values and the recorded activity source adds them up, so both
play a scenario alike.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

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
