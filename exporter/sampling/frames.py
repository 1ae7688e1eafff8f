"""What the worker and its parent say to each other: pickled frames, each after its length."""

import pickle
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Final, Literal

from exporter.clock import Clock
from exporter.collectors.sight import Places
from exporter.sampling.snapshot import Cadence, Device

_LENGTH: Final = struct.Struct("!I")
HEAD: Final = _LENGTH.size

DriverName = Literal["nvml", "simulated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedSetup:
    """What the simulated driver plays; `origin` is the Unix second of the scenario's start."""

    scenario: str
    node: str
    origin: float
    holders: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The first frame that a worker gets; without `people` nothing of sessions is looked at."""

    driver: DriverName
    clock: Clock
    places: Places
    board: int
    people: bool = True
    simulated: SimulatedSetup | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request for one round.

    `spared` maps the index of a card that must not be touched to its last known identities, and
    `reasons` to why; `avoided` holds those and other targets in words.
    """

    due: frozenset[Cadence]
    spared: Mapping[int, tuple[Device, ...]] = field(default_factory=dict)
    reasons: Mapping[int, str] = field(default_factory=dict)
    avoided: frozenset[str] = field(default_factory=frozenset)


def write(stream: BinaryIO, value: object) -> None:
    """Send one frame, blocking."""
    stream.write(encode(value))
    stream.flush()


def read(stream: BinaryIO) -> object:
    """Receive one frame, blocking; raise EOFError when the other side is gone."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        raise EOFError
    return decode(stream.read(length(head)))


def encode(value: object) -> bytes:
    """Return a value as one frame."""
    body = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def length(head: bytes) -> int:
    """Return the length of the body that follows a frame's first HEAD bytes."""
    return int(_LENGTH.unpack(head)[0])


def decode(body: bytes) -> object:
    """Return a frame's body as a value."""
    return pickle.loads(body)  # noqa: S301 - the other side is this program's own child or parent
