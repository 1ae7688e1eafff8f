"""What the worker and its parent say to each other: pickled frames, each after its length."""

import asyncio
import pickle
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Final, Literal

from exporter.clock import Clock
from exporter.collectors.sight import Places
from exporter.snapshot import Cadence, Device

_LENGTH: Final = struct.Struct("!I")

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
    """The first frame that a worker gets."""

    driver: DriverName
    clock: Clock
    places: Places
    board: int
    simulated: SimulatedSetup | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request for one round.

    `spared` maps the index of a card whose last call never returned to its last known identities;
    `avoided` holds those and other targets in words.
    """

    due: frozenset[Cadence]
    spared: Mapping[int, tuple[Device, ...]] = field(default_factory=dict)
    avoided: frozenset[str] = field(default_factory=frozenset)


def write(stream: BinaryIO, value: object) -> None:
    """Send one frame, blocking."""
    stream.write(encode(value))
    stream.flush()


def read(stream: BinaryIO) -> object:
    """Receive one frame, blocking; raise EOFError when the other side is gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    body = stream.read(_LENGTH.unpack(head)[0])
    return pickle.loads(body)  # noqa: S301 - the other side is this program's own child or parent


def encode(value: object) -> bytes:
    """Return a value as one frame."""
    body = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


async def receive(stream: asyncio.StreamReader) -> object:
    """Receive one frame; raise :class:`asyncio.IncompleteReadError` when the child is gone."""
    head = await stream.readexactly(_LENGTH.size)
    body = await stream.readexactly(_LENGTH.unpack(head)[0])
    return pickle.loads(body)  # noqa: S301 - the other side is this program's own child
