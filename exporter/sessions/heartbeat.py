"""
When code-server last had a browser connected: the time of the heartbeat file in its home.

A home may lie on a file system that does not answer, so another process looks (``stat``), in the
background.  A beat from before the server started is another server's: it proves nothing.
"""

from dataclasses import dataclass
from typing import Final

from exporter.attribution.allocation import membership_of
from exporter.kernel.probe import Probe
from exporter.kernel.proc import Process

FILE: Final = ".local/share/code-server/heartbeat"
_FRESH: Final = 300.0
_TIMEOUT: Final = 20.0


@dataclass(slots=True)
class _Person:
    home: Probe
    beat: Probe | None = None
    seen: float | None = None
    as_of: float = 0.0
    dead: bool = False


class Heartbeats:
    """Looks at one file per uid; `getent` and `stat` name the commands that look."""

    def __init__(self, getent: str = "getent", stat: str = "stat") -> None:
        self._getent = getent
        self._stat = stat
        self._people: dict[int, _Person] = {}

    def last(self, server: Process, now: float) -> float | None:
        """Return the last beat that the latest look saw (Unix seconds), and begin another look."""
        place = membership_of(server)
        if server.uid is None or (place is not None and place.kind not in {"slurm", "user"}):
            return None
        person = self._people.get(server.uid)
        if person is None:
            person = _Person(Probe((self._getent, "passwd", str(server.uid)), _TIMEOUT))
            person.dead = bool(person.home.start(now))
            self._people[server.uid] = person
        self._look(person, now)
        if person.seen is None or now - person.as_of > _FRESH:
            return None
        if not server.start <= person.seen <= now + _FRESH:
            return None
        return person.seen

    def _look(self, person: _Person, now: float) -> None:
        if person.dead:
            return
        if person.beat is None:
            answer = person.home.poll(now)
            if answer is not None:
                home = answer.text.strip().split(":")
                person.dead = bool(answer.failure) or len(home) < 7
                if not person.dead:
                    path = f"{home[5]}/{FILE}"
                    person.beat = Probe((self._stat, "-c", "%Y", "--", path), _TIMEOUT)
                    person.beat.start(now)
            return
        answer = person.beat.poll(now)
        if answer is not None:
            text = answer.text.strip()
            person.seen = float(text) if not answer.failure and text.isdecimal() else None
            person.as_of = now
        person.beat.start(now)

    def close(self) -> None:
        """End every look under way."""
        for person in self._people.values():
            person.home.close()
            if person.beat is not None:
                person.beat.close()
