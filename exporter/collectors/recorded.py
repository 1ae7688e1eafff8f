"""Collects who holds the simulated devices, uses and sits there, as the scenario says."""

from collections.abc import Iterator
from typing import Final

from exporter.collectors.sight import Sight
from exporter.contract.node_key import NodeKey
from exporter.contract.scenario import ScenarioAllocation, ScenarioSession
from exporter.sampling.ownership import Ownership
from exporter.sampling.snapshot import Absent, Attribution, Cadence, Session, Share, TenantUse
from exporter.simulation.play import Play

PLATFORM: Final = "recorded"
_UNTOLD: Final = Absent(
    state="unsupported", reason="the scenario does not say whose work it is on a shared device"
)


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
                yield Share(
                    gpu=uuids[index],
                    platform=PLATFORM,
                    allocation=key_of(item, self._play),
                    share=item.share,
                )

    def _sessions(self, item: ScenarioAllocation, now: float) -> Iterator[Session]:
        for session in item.sessions:
            yield Session(
                platform=PLATFORM,
                allocation=key_of(item, self._play),
                kind=session.kind,
                uid=None,
                last_activity=self._last_input(session, now),
            )

    def _last_input(self, session: ScenarioSession, now: float) -> float | None:
        moments = (self._play.stage.origin + moment for moment in session.inputs)
        return max((moment for moment in moments if moment <= now), default=None)


class RecordedTenants:
    """Tells the tenants of a shared simulated device apart, where the scenario says how."""

    name = "recorded_tenants"
    cadence: Cadence = "activity"

    def __init__(self, play: Play) -> None:
        self._play = play

    def collect(self, sight: Sight) -> tuple[TenantUse, ...]:
        """Return one reading per device that several allocations hold."""
        now, at = sight.clock.wall(), sight.clock.monotonic()
        holding = self._play.allocations(now)
        held = {
            device.uuid: [item for item in holding if (self._play.node, device.index) in item.holds]
            for device in sight.devices
        }
        return tuple(
            TenantUse(gpu=gpu, at=at, tenants=self._split(there, now), source="simulated")
            for gpu, there in held.items()
            if len(there) > 1
        )

    def _split(
        self, there: list[ScenarioAllocation], now: float
    ) -> dict[tuple[str, str], float] | Absent:
        if any(item.uses is None for item in there):
            return _UNTOLD
        moment = now - self._play.stage.origin
        return {
            (PLATFORM, key_of(item, self._play)): float(
                any(begin <= moment < end for begin, end in item.uses or ())
            )
            for item in there
        }


def key_of(item: ScenarioAllocation, play: Play) -> str:
    """Return the name that a drawn allocation has on its node."""
    return str(NodeKey(id=item.id, start=int(play.stage.origin + item.begin)))
