"""Collects what the node's network cards move."""

from itertools import islice
from pathlib import Path
from typing import Final

from exporter.collectors.sight import Places, Sight
from exporter.kernel.network import traffic
from exporter.sampling.snapshot import Attribution, Cadence
from exporter.sampling.sources import SourceState

#: Cards of a node that are published: no node has more, and virtual ones may come by the hundred.
_MOST: Final = 64


class NetworkCollector:
    """Publishes the kernel's counters of real cards."""

    name = "network"
    cadence: Cadence = "proc"

    def __init__(self, places: Places) -> None:
        self._sys = Path(places.sys)

    def collect(self, sight: Sight) -> Attribution:
        """Return the bytes so far of each card."""
        with sight.calls.to("network"):
            found = tuple(islice(traffic(self._sys), _MOST))
        reason = "" if found else f"{self._sys}/class/net shows no network card"
        state = SourceState(source="network", state="ok" if found else "absent", reason=reason)
        return Attribution(traffic=found, sources=(state,))
