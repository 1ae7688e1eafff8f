"""Collects who holds each device, which signals they catch, and the devices' GRES indices."""

from pathlib import Path
from typing import Literal

from exporter.attribution import Scene, shares
from exporter.attribution.gres import GresMap, IndexFolder, JobFolder
from exporter.attribution.slurm import spellings
from exporter.attribution.slurmd import SlurmdListing
from exporter.collectors.ownership import Ownership
from exporter.collectors.sight import Places, Sight
from exporter.kernel.caught_signals import caught
from exporter.kernel.proc import SignalMasks, signal_masks
from exporter.sampling.snapshot import Attribution, Cadence, GresIndex
from exporter.sampling.sources import SourceState


class AllocationCollector:
    """Publishes shares, caught signals and indices."""

    name = "allocation"
    cadence: Cadence = "proc"

    def __init__(self, ownership: Ownership, places: Places) -> None:
        self._ownership = ownership
        self._proc = Path(places.proc)
        self._node = places.node
        self._gres = GresMap(
            (
                IndexFolder(Path(places.gres_map)),
                JobFolder(Path(places.jobstats_map), "jobstats", by="minor"),
                JobFolder(Path(places.dcgm_map), "dcgm", by="index"),
                SlurmdListing(places.slurmd, places.node, self._proc),
            )
        )

    def collect(self, sight: Sight) -> Attribution:
        """Return this round's ownership."""
        view = self._ownership.view(sight)

        def masks(pid: int) -> SignalMasks | None:
            sight.calls.announce("status", f"pid {pid}")
            return None if pid in view.avoided else signal_masks(self._proc, pid)

        found = tuple(signal for one in view.allocations for signal in caught(one, masks))
        sight.calls.clear()
        gres = self._indices(sight)
        return Attribution(
            shares=shares(view.allocations),
            caught=found,
            gres=gres,
            ownership=self._ownership.standings(sight),
            sources=(
                self._ownership.kubelet(view.scene.now),
                *_slurmd(gres),
                *_spelt(view.scene, self._node),
            ),
        )

    def close(self) -> None:
        """End what still runs for this collector."""
        self._gres.close()
        self._ownership.close()

    def _indices(self, sight: Sight) -> tuple[GresIndex, ...]:
        """A driver that knows its own indices is not asked about them."""
        if "slurmd" in sight.avoided or any(device.gres_index for device in sight.devices):
            return ()
        with sight.calls.to("slurmd -G", "slurmd"):
            return self._gres.indices(sight.devices, sight.clock.monotonic())


def _slurmd(gres: tuple[GresIndex, ...]) -> tuple[SourceState, ...]:
    """Say whether Slurm's order of the GPUs is known; nothing where there is no sign of Slurm."""
    unknown = sorted({one.source for one in gres if not one.index})
    if not gres:
        return ()
    state: Literal["ok", "failing"] = "failing" if unknown else "ok"
    return (SourceState(source="gres", state=state, reason="; ".join(unknown)),)


def _spelt(scene: Scene, node: str) -> tuple[SourceState, ...]:
    """Say that Slurm calls this node otherwise: what is joined by its name is lost."""
    names = spellings(scene, node)
    if not names:
        return ()
    said = f"Slurm's cgroups call this node {' and '.join(names)}, this exporter calls it {node}"
    return (SourceState(source="node_name", state="failing", reason=said),)
