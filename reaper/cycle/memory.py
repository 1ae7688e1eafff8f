"""What the cycle remembers between turns; rebuilt from the store after a restart or a failure."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from reaper.cycle.evidence.alike import Alike
from reaper.cycle.evidence.carrying import Before
from reaper.cycle.evidence.keeping import hosts_of, inputs_of, services_of
from reaper.cycle.evidence.noting import Held as Known
from reaper.cycle.evidence.noting import held
from reaper.cycle.evidence.records import Records
from reaper.cycle.evidence.signalling import SignalWords
from reaper.cycle.ledger.holding import Held
from reaper.cycle.ownership.ground import Ground
from reaper.domain.escalation.notice import Told
from reaper.domain.escalation.telling import DAY, remembered
from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import Host
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.serving import Service
from reaper.domain.facts.share import Confirmation
from reaper.domain.facts.track import HORIZON, LONG_WORK, LONGEST, Track
from reaper.ports import Books

#: Minutes over which a sudden rise of idleness is looked for.
JUMP_MINUTES: Final = 15


@dataclass(slots=True, kw_only=True)
class Memory:
    """Records and recent tracks by device, proven indices, and the recent count of idle devices."""

    records: Records = field(default_factory=Records)
    tracks: dict[str, Track] = field(default_factory=dict)
    hosts: dict[str, Host] = field(default_factory=dict)
    """What allocations do on their hosts, by run key."""
    services: dict[str, Service] = field(default_factory=dict)
    """What servers answer, by run key."""
    typed: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """When people typed last, oldest first, by run key."""
    held: Held = field(default_factory=Held)
    """The tenures and the capacity that have not ended."""
    proven: frozenset[Confirmation] = frozenset()
    idle_counts: deque[tuple[int, int]] = field(default_factory=deque)
    """(minute, idle devices) of the recent turns, oldest first."""
    last_turn: tuple[float, float] | None = None
    """Wall and monotonic time of the last turn."""
    totals: dict[str, float] = field(default_factory=dict)
    begun: frozenset[str] | None = None
    """Keys of the runs that were live at the last turn; None before the first."""
    ended: frozenset[str] | None = None
    """Keys of the runs that were remembered as ended then."""
    since: float | None = None
    """When the last cycle before this start was written; None where there was none."""
    inputs: dict[str, Known] = field(default_factory=dict)
    """What is kept of idle runs, as it was written last, by run key."""
    told: dict[str, tuple[Told, ...]] = field(default_factory=dict)
    """What owners were told within a day, by run key."""
    last_inputs: dict[str, float] = field(default_factory=dict)
    """The last input that was ever seen of a live run's people, by run key."""
    looked: int | None = None
    """The minute that the last turn closed; None where there was none."""
    found: Before | None = None
    """What the last turn found; None before the first."""
    allocations: Mapping[str, Allocation] = field(default_factory=dict)
    """The allocations of the last turn, by run key."""
    ground: Ground | None = None
    """On what it was found who holds what; None before the first turn."""
    words: SignalWords = field(default_factory=SignalWords)

    @property
    def before(self) -> float | None:
        """Return when the turn before this one was, also before a start; None for the first."""
        return self.since if self.last_turn is None else self.last_turn[0]

    @classmethod
    async def load(cls, books: Books, *, now: float, pace: Pace) -> "Memory":
        """Read everything back from the store."""
        records = Records(await books.records())
        end = pace.closed(now) + 1
        tracks = await _remembered(books, tuple(records), end)
        picture = await books.picture()
        looked = pace.closed(picture.at) if picture else None
        return cls(
            records=records,
            tracks=Alike().all_recent({gpu: _known(track) for gpu, track in tracks.items()}),
            held=Held.of(await books.open_tenures(), await books.open_capacity()),
            proven=await books.confirmations(),
            hosts=dict(hosts_of(picture, pace)) if picture else {},
            services=dict(services_of(picture, pace)) if picture else {},
            typed={row.run_key: row.typed for row in picture.rows} if picture else {},
            totals=dict(picture.totals) if picture else {},
            last_inputs=inputs_of(picture.rows, picture.at) if picture else {},
            since=picture.at if picture else None,
            looked=looked,
            told=remembered({}, await books.notices_since(now - DAY), now),
            inputs={} if looked is None else held(await books.inputs(looked, looked + 1)),
        )

    def take(
        self, records: Mapping[str, DeviceRecord], letters: Mapping[str, Track], alike: Alike
    ) -> None:
        """Take over what a turn has closed; `alike` are the tracks that it has made already."""
        self.records.update(records)
        for gpu, fresh in letters.items():
            known = self.tracks.get(gpu)
            self.tracks[gpu] = fresh if known is None else alike.extended(known, fresh)

    def settle(self, letters: Iterable[str]) -> None:
        """Forget what of the tracks with new letters is remembered no longer."""
        alike = Alike()
        for gpu in letters:
            self.tracks[gpu] = alike.recent(self.tracks[gpu])

    def idle_at(self, minute: int) -> int | None:
        """Return how many devices were idle at a minute; None before we looked."""
        while len(self.idle_counts) > 1 and self.idle_counts[1][0] <= minute:
            self.idle_counts.popleft()
        first = next(iter(self.idle_counts), None)
        return first[1] if first is not None and first[0] <= minute else None

    def count(self, name: str, by: float = 1.0) -> None:
        """Add to a counter since the reaper first ran."""
        self.totals[name] = self.totals.get(name, 0.0) + by


async def _remembered(books: Books, names: Sequence[str], end: int) -> dict[str, Track]:
    """Read what of the tracks is remembered: further back where nothing worked for long."""
    found = dict(await books.tracks(names, end - HORIZON - 1, end))
    for reach in (2 * HORIZON, LONGEST):
        short = [name for name, track in found.items() if _whole(track)]
        found.update(await books.tracks(short, end - reach, end) if short else {})
    return {name: track.recent(LONG_WORK) for name, track in found.items()}


def _whole(track: Track) -> bool:
    """Tell whether all of a track is remembered, and perhaps more than was read."""
    return track.recent(LONG_WORK).start == track.start


def _known(track: Track) -> Track:
    """Cut the unknown ends off a track, so that it ends with the last closed minute."""
    letters = track.letters.rstrip("?")
    leading = len(letters) - len(letters.lstrip("?"))
    return Track(start=track.start + leading, letters=letters[leading:])
