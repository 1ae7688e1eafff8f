"""Collects who holds the simulated devices and which sessions sit there, as the scenario says."""

from collections.abc import Iterator

from exporter.collectors.sight import Sight
from exporter.contract.node_key import NodeKey
from exporter.contract.scenario import ScenarioAllocation, ScenarioSession
from exporter.ownership import Ownership
from exporter.play import Play
from exporter.snapshot import Attribution, Cadence, Session, Share

PLATFORM = "recorded"


class RecordedCollector:
    """Reads the play instead of the node; present with the simulated driver only."""

    name = "recorded"
    cadence: Cadence = "memory"

    def __init__(self, play: Play) -> None:
        self._play = play

    def collect(self, sight: Sight) -> Attribution:
        """Return the shares and sessions of every allocation that holds a device at this time."""
        now = sight.clock.wall()
        uuids = {device.index: device.uuid for device in sight.devices}
        holding = self._play.allocations(now)
        here = [index for item in holding for node, index in item.holds if node == self._play.node]
        held = frozenset(here)
        return Attribution(
            shares=tuple(share for item in holding for share in self._shares(item, uuids)),
            sessions=tuple(session for item in holding for session in self._sessions(item, now)),
            ownership=tuple(
                Ownership(
                    gpu=device.uuid,
                    at=sight.clock.monotonic(),
                    state="held" if device.index in held else "free",
                    source="scenario",
                )
                for device in sight.devices
            ),
        )

    def _shares(self, item: ScenarioAllocation, uuids: dict[int, str]) -> Iterator[Share]:
        for node, index in item.holds:
            if node == self._play.node and index in uuids:
                yield Share(gpu=uuids[index], platform=PLATFORM, allocation=self._key(item))

    def _sessions(self, item: ScenarioAllocation, now: float) -> Iterator[Session]:
        for session in item.sessions:
            yield Session(
                platform=PLATFORM,
                allocation=self._key(item),
                kind=session.kind,
                uid=None,
                last_activity=self._last_input(session, now),
            )

    def _last_input(self, session: ScenarioSession, now: float) -> float | None:
        moments = (self._play.stage.origin + moment for moment in session.inputs)
        return max((moment for moment in moments if moment <= now), default=None)

    def _key(self, item: ScenarioAllocation) -> str:
        return str(NodeKey(id=item.id, start=int(self._play.stage.origin + item.begin)))
