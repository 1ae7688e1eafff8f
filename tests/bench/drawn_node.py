"""One node of a drawn cluster: what its scheduler and its exporter say, minute by minute."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from zlib import crc32

from exporter.contract import catalog
from exporter.contract.node_key import NodeKey
from exporter.serving.page import Page
from reaper.domain.facts.allocation import Claim, Place, Purpose, Run
from reaper.domain.facts.device import Device, SignalState
from reaper.domain.facts.host import Pressure
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.receivers import Receivers
from reaper.domain.facts.share import NodeSign, Share, tenant_key
from reaper.domain.facts.sign import Sign
from reaper.ports import NodeReport
from tests.builders import START
from tests.pages import metrics

CARDS = 8
BEGAN = START - 7200.0
#: GPUs of the allocations of a node, by the node's number; what is left over is free.
_CUTS = ((1, 3, 4), (2, 2, 4), (8,), (1, 1, 2, 3), (4, 4), (3, 5))
_SIGNALS = ("sm", "tensor", "dram", "engine", "memory", "power", "processes")
_OBSERVED = (*_SIGNALS, "codec", "link")
_EXPORTER = START - 86400.0


@dataclass(frozen=True, slots=True)
class Holding:
    """An allocation on one node: which GPUs, and how its time is spent."""

    ident: str
    first: int
    gpus: int
    letter: str
    interactive: bool
    part: float = 1.0
    began: float = BEGAN


@dataclass(slots=True)
class DrawnNode:
    """One node: its holdings, and what its exporter says at a time."""

    number: int
    name: str = ""
    holdings: tuple[Holding, ...] = ()
    devices: tuple[Device, ...] = ()
    signals: tuple[SignalState, ...] = ()
    shares: tuple[Share, ...] = ()
    """Said again as the same ones, as a reader of pages does."""

    def __post_init__(self) -> None:
        self.name = self.name or f"gpu{self.number:05}"
        self.holdings = tuple(_holdings(self.number))
        mig = self.number % 20 == 19
        self.devices = tuple(_device(self.name, index, mig=mig) for index in range(CARDS))
        self.signals = tuple(
            SignalState(gpu=item.gpu, signal=signal, source="hardware", state="ok")
            for item in self.devices
            for signal in _SIGNALS
        )
        self.shares = tuple(self._shares())

    def begin_anew(self, at: float) -> None:
        """Let all that it holds end, and as much begin in its place."""
        self.holdings = tuple(
            replace(held, ident=str(int(held.ident) + _NEXT), began=at) for held in self.holdings
        )
        self.shares = tuple(self._shares())

    def claims(self) -> Iterator[Claim]:
        """Yield what the scheduler says of it."""
        for held in self.holdings:
            places = range(held.first, held.first + held.gpus)
            yield Claim(
                run=Run(
                    cluster="bench",
                    platform="slurm",
                    id=held.ident,
                    key=f"{held.ident}.0.{int(held.began)}",
                    started=held.began,
                ),
                places=tuple(Place(node=self.name, index=index) for index in places),
                user=f"u{int(held.ident) % 400:03}",
                as_of=START,
                exclusive=held.part == 1.0,
                share=held.part,
                node_ids=(held.ident,),
                name="notebook" if held.interactive else "train-resnet",
                account=f"lab{int(held.ident) % 40}",
                partition="interactive" if held.interactive else "batch",
                submitted=held.began - 60,
                limit=held.began + 93600.0,
                requeueable=not held.interactive,
                batch=not held.interactive,
                purpose=Purpose.INTERACTIVE if held.interactive else Purpose.TRAINING,
            )

    def letters(self) -> list[str]:
        """Return what each of its devices does."""
        found = ["E"] * CARDS
        for held in self.holdings:
            found[held.first : held.first + held.gpus] = held.letter * held.gpus
        return found

    def report(self, at: float) -> NodeReport:
        """Return what its exporter says at a time."""
        shared = tuple(held for held in self.holdings if held.part < 1)
        return NodeReport(
            node=self.name,
            target=f"{self.name}:9450",
            as_of=at + 0.2,
            started=_EXPORTER,
            devices=self.devices,
            readings=tuple(
                _reading(device.gpu, letter, at, shared if device.index == _SHARED else ())
                for device, letter in zip(self.devices, self.letters(), strict=True)
            ),
            signals=self.signals,
            shares=self.shares,
            signs=tuple(self._signs(at)),
            pressures=tuple(
                Pressure(
                    node=self.name,
                    id=held.ident,
                    start=held.began + 1,
                    platform="slurm",
                    at=at,
                    seconds=_pressed(held, at),
                )
                for held in self.holdings
            ),
            receivers=tuple(
                Receivers(
                    node=self.name,
                    id=held.ident,
                    start=held.began + 1,
                    platform="slurm",
                    catches={"batch": frozenset(("USR1",)), "step": frozenset()},
                )
                for held in self.holdings
            ),
        )

    def page(self, at: float) -> bytes:
        """Return the same as its exporter's page."""
        report = self.report(at)
        rows = [
            ((item.platform, str(NodeKey(id=item.id, start=int(item.start))), resource), seconds)
            for item in report.pressures
            for resource, seconds in item.seconds.items()
        ]
        return metrics(report) + Page([catalog.PRESSURE]).render({catalog.PRESSURE.name: rows})

    def _shares(self) -> Iterator[Share]:
        for held in self.holdings:
            for index in range(held.first, held.first + held.gpus):
                yield Share(
                    node=self.name,
                    gpu=self.devices[index].gpu,
                    platform="slurm",
                    id=held.ident,
                    start=held.began + 1,
                    share=held.part,
                )

    def _signs(self, at: float) -> Iterator[NodeSign]:
        for held in self.holdings:
            if held.interactive:
                away = held.letter in "HE"
                last = held.began if away else at // 60 * 60
                sign = Sign(kind="jupyter", last_seen=last, as_of=at)
                start = held.began + 1
                yield NodeSign(
                    node=self.name, platform="slurm", id=held.ident, start=start, sign=sign
                )


_SHARED = CARDS - 1
_NEXT = 10_000_000
"""From the number of a run to that of the one which follows it."""


def _holdings(number: int) -> Iterator[Holding]:
    first = 0
    for place, gpus in enumerate(_CUTS[number % len(_CUTS)]):
        chance = (number * 31 + place * 17) % 30
        held = Holding(
            ident=f"{number * 10 + place + 100_000}",
            first=first,
            gpus=gpus,
            letter="H" if chance % 10 == 0 else "L" if chance == 1 else "A",
            interactive=chance < 9,
        )
        first += gpus
        whole = number % 15 == 14 and first == CARDS
        if whole and gpus > 1:
            yield replace(held, gpus=gpus - 1)
            for part in (5, 6):
                ident = f"{number * 10 + part + 100_000}"
                yield replace(held, ident=ident, first=_SHARED, gpus=1, part=0.5)
        else:
            yield held


def _device(node: str, index: int, *, mig: bool) -> Device:
    return Device(
        gpu=f"GPU-{crc32(f'{node}.{index}'.encode()):08x}-{index:04x}-4b5f-9a77-{crc32(node.encode()):012x}",
        node=node,
        index=index,
        minor=index,
        pci_bus_id=f"00000000:{index:02X}:00.0",
        gres_index=index,
        gres_source="slurmd",
        model="NVIDIA H100 80GB HBM3",
        architecture="hopper",
        mig_profile="1g.10gb" if mig else "",
        parent=f"GPU-{node}-card" if mig else "",
        generation="boot.1",
    )


_SHARE_OF_WORK = {"A": 0.6, "L": 0.02, "H": 0.0, "E": 0.0}


def _reading(gpu: str, letter: str, at: float, shared: tuple[Holding, ...]) -> Reading:
    seen = at - _EXPORTER
    busy = seen * _SHARE_OF_WORK[letter]
    empty = letter == "E"
    return Reading(
        gpu=gpu,
        at=at,
        epoch="1",
        observed=dict.fromkeys((*_OBSERVED, "tenant") if shared else _OBSERVED, seen),
        active={
            "sm": busy,
            "tensor": busy / 3,
            "dram": busy / 2,
            "engine": busy,
            "codec": 0.0,
        },
        above=(busy, busy / 2, 0.0, 0.0),
        links={"nvlink": busy * 1e9, "pcie": busy * 1e8},
        joules=seen * (70.0 + 500 * _SHARE_OF_WORK[letter]),
        memory_used=0.0 if empty else 4e10,
        power=70.0 + 500 * _SHARE_OF_WORK[letter],
        processes=0 if empty else 1,
        tenants={tenant_key("slurm", item.ident, item.began + 1): busy / 2 for item in shared},
    )


def _pressed(held: Holding, at: float) -> dict[str, float]:
    cores = 0.01 if held.letter == "H" else 3.2
    spent = (at - held.began) * cores
    return {"cpu": spent, "memory": 0.0, "io_stall": 0.0, "block_io": 1.0, "uninterruptible": 1.0}
