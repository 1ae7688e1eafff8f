"""
From an allocation's tracks to one verdict, over all its devices and nodes.

Unknown is never idle: a device without a fresh letter, a doubtful owner or a single witness
makes the verdict ``unknown``, whatever the others say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import AT_WORK, QUIET, Host
from reaper.domain.facts.minute import ACTIVE, BLIND, EMPTY, ENGINE_ONLY, HELD, IDLE, LOW
from reaper.domain.facts.track import Track
from reaper.domain.judgement import pattern
from reaper.domain.judgement.verdict import Kind, Verdict

#: Idle minutes on every device from which on it is no pause any more.
SETTLED: Final = 5

#: The word in a policy by which minutes of little work count too.
LOW_COUNTS: Final = "low"

#: Minutes of a busy engine without work, on every device, from which on it hangs.
HUNG: Final = 10

#: Families of witnesses that an idle verdict needs.
WITNESSES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is known of one device: its track and the evidence of its present stretch."""

    track: Track
    evidence: Evidence


def judge(
    allocation: Allocation,
    seen: Mapping[str, Seen],
    *,
    now: float,
    pace: Pace,
    counting: tuple[str, ...] = ("idle",),
    host: Host | None = None,
    served: Track | None = None,
) -> Verdict:
    """
    Judge an allocation at `now`; devices missing from `seen` were never seen.

    With ``low`` in `counting`, minutes of little work count as idle ones: for policies that
    only warn.  `host` is what its processes do on their hosts and `served` in which minutes it
    answered requests, each None where nothing tells.
    """
    bench = _Bench(
        allocation=allocation,
        seen=seen,
        now=now,
        pace=pace,
        low=LOW_COUNTS in counting,
        host=host,
        served=served,
    )
    return (
        bench.unknown() or bench.server() or bench.patterned() or bench.all_idle() or bench.mixed()
    )


def startup_ends(allocation: Allocation, tracks: Mapping[str, Track], pace: Pace) -> float:
    """Return when start-up ends: the first active minute on any device, at most 20 min in."""
    first = ceil(allocation.run.started / pace.step)
    latest = allocation.run.started + pace.startup
    end = pace.closed(latest) + 1
    found = [track.first(ACTIVE, first, end) for track in tracks.values()]
    active = min((minute for minute in found if minute is not None), default=None)
    return latest if active is None else min(latest, pace.begins(active))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bench:
    """One judgement in the making."""

    allocation: Allocation
    seen: Mapping[str, Seen]
    now: float
    pace: Pace
    low: bool = False
    host: Host | None = None
    served: Track | None = None

    def unknown(self) -> Verdict | None:
        """Return the verdict when there is no ground to judge on."""
        if self.allocation.doubt:
            return self._verdict(Kind.UNKNOWN, f"ownership: {self.allocation.doubt}")
        missing = [gpu for gpu in self.allocation.gpus if gpu not in self.seen]
        if missing or not self.seen:
            return self._verdict(Kind.UNKNOWN, f"never seen: {', '.join(missing) or 'no device'}")
        age = self.now - self._newest()
        if age > self.pace.fresh:
            return self._verdict(Kind.UNKNOWN, f"no signal for {_span(age)}")
        return None

    def server(self) -> Verdict | None:
        """Judge an inference server by its requests, whatever its engines show while they poll."""
        if self.allocation.purpose is not Purpose.INFERENCE or self.served is None:
            return None
        begin = self._startup_minute()
        tracks = [self.seen[gpu].track.since(begin) for gpu in self.allocation.gpus]
        rest = pattern.resting(self.served, tracks, self._newest_minute())
        if rest is None:
            return self._verdict(Kind.UNKNOWN, "its requests are not seen at present")
        if rest.quiet == 0:
            return self._verdict(Kind.BUSY, "requests were answered in the newest minute")
        if min(rest.quiet, rest.still) < SETTLED:
            return None if rest.still < SETTLED else self._verdict(Kind.BUSY, "between requests")
        if not self._common_witnesses():
            text = f"no request for {self._minutes(rest.quiet)}, but no other witness agrees"
            return self._verdict(Kind.UNKNOWN, text)
        since = self._newest() - min(rest.quiet, rest.still) * self.pace.step
        by = " and ".join(self._common_witnesses())
        text = f"no request for {self._minutes(rest.quiet)}, no work by {by}"
        return self._verdict(Kind.WARM, text, since=since)

    def all_idle(self) -> Verdict | None:
        """Return the verdict when every device idles without a break for long enough."""
        tails = self._tails()
        shortest = min(tails.values())
        if shortest < SETTLED:
            return None
        since = self.pace.begins(self._newest_minute() - shortest)
        single = self._single_witness()
        if single and not self.low:
            return self._verdict(Kind.UNKNOWN, f"idle {_span(self._newest() - since)}, {single}")
        empty = all(self._last(gpu) == EMPTY for gpu in tails)
        reason = self._idle_reason(since, empty=empty)
        if self.allocation.purpose is Purpose.INFERENCE:
            text = f"{reason}; a server is judged by its requests, and nothing counts them"
            return self._verdict(Kind.UNKNOWN, text)
        return self._hosted(since, shortest, empty=empty)

    def patterned(self) -> Verdict | None:
        """Return the verdict when the shape of the tracks says more than their last letters."""
        tracks = [self.seen[gpu].track for gpu in self.allocation.gpus]
        hung = min(pattern.engine_only(track) for track in tracks)
        if hung >= HUNG:
            which = "its GPU" if len(tracks) == 1 else f"all {len(tracks)} GPUs"
            reason = f"engines busy without any work on {which} for {self._minutes(hung)}"
            return self._verdict(Kind.STALLED, reason)
        beats = [pattern.beat(track) for track in tracks]
        regular = [found for found in beats if found is not None]
        others = [track for track, found in zip(tracks, beats, strict=True) if found is None]
        if regular and not pattern.fed(self.host) and all(map(_settled, others)):
            found = regular[0]
            every, times = self._minutes(found.every), found.times
            reason = f"a blip of work every {every}, {times} times, and nothing else"
            return self._verdict(Kind.SUSPECT, reason)
        return None

    def _hosted(self, since: float, minutes: int, *, empty: bool) -> Verdict:
        """Tell idleness from GPUs that wait for a host at work."""
        kind, reason = Kind.EMPTY if empty else Kind.IDLE, self._idle_reason(since, empty=empty)
        if self.host is None:
            return self._verdict(kind, reason, since=since)
        letters = self.host.track.clip(
            self._newest_minute() - minutes, self._newest_minute()
        ).letters
        known = letters.count(AT_WORK) + letters.count(QUIET)
        if known < SETTLED:
            return self._verdict(Kind.UNKNOWN, f"{reason}; what its host does is not known yet")
        if letters.count(AT_WORK) >= pattern.HOST_SHARE * known:
            rested = len(letters) - len(letters.rstrip(QUIET))
            if rested >= pattern.HOST_RESTED:
                return self._hosted(self._newest() - rested * self.pace.step, rested, empty=empty)
            share = letters.count(AT_WORK) / known
            text = f"{reason}; its host worked {share:.0%} of that time"
            return self._verdict(Kind.HOST_BUSY, text, since=since)
        return self._verdict(kind, reason, since=since)

    def _minutes(self, count: int) -> str:
        return _span(count * self.pace.step)

    def mixed(self) -> Verdict:
        """Return the verdict when some device works, pauses or cannot be seen."""
        last = {gpu: self._last(gpu) for gpu in self.allocation.gpus}
        tails = self._tails()
        total = len(last)
        working = [gpu for gpu, letter in last.items() if letter not in IDLE | BLIND]
        blind = [gpu for gpu, letter in last.items() if letter in BLIND]
        polling = all(last[gpu] == ENGINE_ONLY for gpu in working)
        idle = [gpu for gpu, tail in tails.items() if tail >= SETTLED]
        if blind and polling:
            return self._verdict(Kind.UNKNOWN, f"{len(blind)} of {total} devices unseen")
        if idle and working:
            shortest = min(tails[gpu] for gpu in idle) * self.pace.step
            reason = f"{len(idle)} of {total} idle for {_span(shortest)}"
            return self._verdict(Kind.PARTIAL, reason, idle_devices=len(idle))
        shares = [pattern.starved(self.seen[gpu].track) for gpu in self.allocation.gpus]
        if all(share is not None for share in shares):
            share = sum(share or 0.0 for share in shares) / len(shares)
            waits = f"with waits between: {pattern.cause(self.host)}"
            text = f"bursts of work, {share:.0%} of the last hour, {waits}"
            return self._verdict(Kind.STARVED, text)
        if working:
            return self._verdict(Kind.BUSY, f"{len(working)} of {total} devices at work")
        return self._verdict(
            Kind.BUSY, f"pausing for {_span(min(tails.values()) * self.pace.step)}"
        )

    def _verdict(
        self, kind: Kind, reason: str, *, since: float | None = None, idle_devices: int = 0
    ) -> Verdict:
        total = self.allocation.expected
        return Verdict(
            kind=kind,
            reason=reason,
            at=self.now,
            held_until=self.now + self.pace.step,
            since=since,
            idle_devices=total if since is not None else idle_devices,
            devices=total,
            coverage=self._coverage(),
            newest=self._newest() if self.seen else None,
            witnesses=self._common_witnesses() if since is not None else (),
            evidence=sum((item.evidence for item in self.seen.values()), Evidence()),
        )

    def _tails(self) -> dict[str, int]:
        begin = self._startup_minute()
        end = self._newest_minute()
        return {gpu: self._tail(gpu, begin, end) for gpu in self.seen}

    def _tail(self, gpu: str, begin: int, end: int) -> int:
        """Count idle minutes at the end; those that no letter is kept of are in the evidence."""
        track = self._counted(gpu)
        tail = track.clip(begin, end).idle_tail()
        if tail < end - track.start:
            return tail
        known = int(self.seen[gpu].evidence.seconds // self.pace.step)
        return max(tail, min(known, end - begin))

    def _counted(self, gpu: str) -> Track:
        track = self.seen[gpu].track
        return replace(track, letters=track.letters.replace(LOW, HELD)) if self.low else track

    def _startup_minute(self) -> int:
        tracks = {gpu: self.seen[gpu].track for gpu in self.allocation.gpus}
        return ceil(startup_ends(self.allocation, tracks, self.pace) / self.pace.step)

    def _newest_minute(self) -> int:
        return min(self.seen[gpu].track.end for gpu in self.allocation.gpus if gpu in self.seen)

    def _newest(self) -> float:
        return self.pace.begins(self._newest_minute())

    def _last(self, gpu: str) -> str:
        return self._counted(gpu).at(self._newest_minute() - 1)

    def _coverage(self) -> float:
        known = [item.track.coverage for item in self.seen.values()]
        return sum(known) / self.allocation.expected if self.allocation.expected else 0.0

    def _common_witnesses(self) -> tuple[str, ...]:
        lists = [self.seen[gpu].evidence.testified for gpu in self.allocation.gpus]
        return tuple(name for name in lists[0] if all(name in other for other in lists[1:]))

    def _single_witness(self) -> str:
        for gpu in self.allocation.gpus:
            families = self.seen[gpu].evidence.testified
            if len(families) < WITNESSES:
                said = f"by one witness only ({families[0]})" if families else "but no witness"
                return f"{said} on {gpu}: {WITNESSES} of different kinds are needed"
        return ""

    def _idle_reason(self, since: float, *, empty: bool) -> str:
        held = "no process, no memory held" if empty else "memory or a context held"
        work = "little or no work" if self.low else "no work"
        devices = self.allocation.expected
        agreed = self._common_witnesses()
        by = f" by {' and '.join(agreed)}" if agreed else ""
        noun = "GPU" if devices == 1 else f"{devices} GPUs"
        return f"{work} on {noun} for {_span(self._newest() - since)}{by}; {held}"


def _settled(track: Track) -> bool:
    return track.idle_tail() >= SETTLED


def _span(seconds: float) -> str:
    """Write a duration as people do: ``42 min``, ``3 h 05 min``."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02d} min"
