"""What is known of an allocation in one judgement: its devices' letters, and who saw them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil, inf
from typing import Final

from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import AT_WORK, Host
from reaper.domain.facts.minute import ACTIVE, HELD, IDLE, LOW
from reaper.domain.facts.track import Track
from reaper.domain.judgement.verdict import Kind, Verdict
from reaper.domain.reason import Reason, Value, because

#: Families of witnesses that an idle verdict needs.
WITNESSES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is known of one device: its track and the evidence of its present stretch."""

    track: Track
    evidence: Evidence


def startup_ends(allocation: Allocation, tracks: Mapping[str, Track], pace: Pace) -> float:
    """Return when start-up ends: the first active minute on any device, at most 20 min in."""
    first = ceil(allocation.run.started / pace.step)
    latest = allocation.run.started + pace.startup
    end = pace.closed(latest) + 1
    found = [track.first(ACTIVE, first, end) for track in tracks.values()]
    active = min((minute for minute in found if minute is not None), default=None)
    return latest if active is None else min(latest, pace.begins(active))


def coverage(tracks: Iterable[Track], expected: int) -> float:
    """Return the share of its minutes that were seen, of so many devices."""
    return sum(track.coverage for track in tracks) / expected if expected else 0.0


def host_worked(host: Host | None, pace: Pace) -> float | None:
    """Return when the newest minute ended in which its hosts worked; None for none known."""
    track = host.track if host else None
    place = track.letters.rfind(AT_WORK) if track else -1
    return pace.begins(track.start + place + 1) if track and place >= 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """One judgement in the making."""

    allocation: Allocation
    seen: Mapping[str, Seen]
    now: float
    pace: Pace
    low: bool = False
    host: Host | None = None
    served: Track | None = None
    _end: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Look once how far every device is known."""
        ends = [self.seen[gpu].track.end for gpu in self.allocation.gpus if gpu in self.seen]
        object.__setattr__(self, "_end", min(ends, default=0))

    def minutes(self, count: int) -> float:
        """Return so many minutes of the grid in seconds."""
        return count * self.pace.step

    def verdict(
        self,
        kind: Kind,
        reason: Reason,
        *,
        since: float | None = None,
        idle_devices: int = 0,
        lasts: bool = False,
    ) -> Verdict:
        """Return a verdict with all that every one of them tells; one that `lasts` has no end."""
        total = self.allocation.expected
        return Verdict(
            kind=kind,
            reason=reason,
            at=self.now,
            held_until=inf if lasts else self.now,
            since=since,
            idle_devices=total if since is not None else idle_devices,
            devices=total,
            coverage=self.coverage(),
            newest=self.newest() if self.seen else None,
            witnesses=self.common_witnesses() if since is not None else (),
            host_worked=host_worked(self.host, self.pace),
        )

    def tails(self) -> dict[str, int]:
        """Return for how many minutes each device has idled, start-up left out."""
        end = self.newest_minute()
        if not any(self.last(gpu) in IDLE for gpu in self.seen):
            return dict.fromkeys(self.seen, 0)
        begin = self.startup_minute()
        return {gpu: self.tail(gpu, begin, end) for gpu in self.seen}

    def tail(self, gpu: str, begin: int, end: int) -> int:
        """Count idle minutes at the end; those that no letter is kept of are in the evidence."""
        track = self.counted(gpu)
        tail = track.clip(begin, end).idle_tail()
        if tail < end - track.start:
            return tail
        known = int(self.seen[gpu].evidence.seconds // self.pace.step)
        return max(tail, min(known, end - begin))

    def counted(self, gpu: str) -> Track:
        """Return a device's track as the policy counts it."""
        track = self.seen[gpu].track
        return replace(track, letters=track.letters.replace(LOW, HELD)) if self.low else track

    def startup_minute(self) -> int:
        """Return the first minute that is held against it."""
        tracks = {gpu: self.seen[gpu].track for gpu in self.allocation.gpus}
        begin = startup_ends(self.allocation, tracks, self.pace)
        return ceil(max(begin, self.allocation.claim.resumed or begin) / self.pace.step)

    def newest_minute(self) -> int:
        """Return the minute after the newest one that every device has closed."""
        return self._end

    def newest(self) -> float:
        """Return when that newest minute ended."""
        return self.pace.begins(self.newest_minute())

    def last(self, gpu: str) -> str:
        """Return a device's newest letter."""
        letter = self.seen[gpu].track.at(self.newest_minute() - 1)
        return HELD if self.low and letter == LOW else letter

    def coverage(self) -> float:
        """Return the share of its minutes that were seen."""
        return coverage((item.track for item in self.seen.values()), self.allocation.expected)

    def common_witnesses(self) -> tuple[str, ...]:
        """Return the families that said idle on every device."""
        lists = [self.seen[gpu].evidence.testified for gpu in self.allocation.gpus]
        return tuple(name for name in lists[0] if all(name in other for other in lists[1:]))

    def single_witness(self, since: float) -> Reason | None:
        """Return which idle device lacks a second witness; None where none does."""
        for gpu in self.allocation.gpus:
            families = self.seen[gpu].evidence.testified
            if len(families) < WITNESSES:
                idle = self.newest() - since
                if not families:
                    return because("idle-unwitnessed", seconds=idle, gpu=gpu, needed=WITNESSES)
                return because(
                    "idle-one-witness", seconds=idle, by=families[0], gpu=gpu, needed=WITNESSES
                )
        return None

    def idle_reason(self, since: float, *, empty: bool) -> tuple[Reason, Reason]:
        """Return since when its GPUs idle, and who saw it; and what they hold."""
        idle = because(
            "little-work" if self.low else "no-work",
            devices=self.allocation.expected,
            seconds=self.newest() - since,
            by=self.seen_by(),
        )
        return idle, because("nothing-held" if empty else "memory-held")

    def seen_by(self) -> Value:
        """Return who saw it idle on every device; "" for nobody."""
        agreed = self.common_witnesses()
        return because("seen-by", families=" ".join(agreed)) if agreed else ""
