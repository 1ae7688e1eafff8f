"""Collects the sessions of people in each allocation; served on the people's page only."""

from pathlib import Path

from exporter.collectors.ownership import Ownership
from exporter.collectors.sight import Places, Sight
from exporter.sampling.snapshot import Attribution, Cadence
from exporter.sessions import Heartbeats, Sessions, Terminals


class SessionCollector:
    """Publishes the kind, the uid and the last human activity of sessions."""

    name = "session"
    cadence: Cadence = "proc"

    def __init__(self, ownership: Ownership, places: Places) -> None:
        self._ownership = ownership
        self._places = places
        self._sessions: Sessions | None = None

    def collect(self, sight: Sight) -> Attribution:
        """Return this round's sessions."""
        view = self._ownership.view(sight)
        if self._sessions is None:
            places = self._places
            terminals = Terminals(Path(places.dev), Path(places.proc), sight.calls.announce)
            self._sessions = Sessions(terminals, Heartbeats())
        with sight.calls.to("sessions"):
            found = self._sessions.look(view.allocations, view.scene.processes, view.scene.now)
        return Attribution(sessions=found)
