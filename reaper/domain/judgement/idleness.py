"""
From an allocation's tracks to one verdict, over all its devices and nodes.

Unknown is never idle: a device without a fresh letter, a doubtful owner or a single witness
makes the verdict ``unknown``, whatever the others say.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import Host
from reaper.domain.facts.minute import BLIND, EMPTY, ENGINE_ONLY, IDLE
from reaper.domain.facts.track import Track
from reaper.domain.judgement import pattern
from reaper.domain.judgement.bench import Bench, Seen, span
from reaper.domain.judgement.cadence import Cadence
from reaper.domain.judgement.hosting import Hosting, hosted, sighted
from reaper.domain.judgement.rhythm import comes_back
from reaper.domain.judgement.verdict import Bar, Kind, Verdict

#: Idle minutes on every device from which on it is no pause any more.
SETTLED: Final = 5

#: The word in a policy by which minutes of little work count too.
LOW_COUNTS: Final = "low"

#: Minutes of work without a request from which on a counter of requests does not count them all;
#: loading a model and warming it up takes fewer.
UNASKED: Final = 60

#: Minutes of a busy engine without work, on every device, from which on it hangs.
HUNG: Final = 10


def judge(
    allocation: Allocation,
    seen: Mapping[str, Seen],
    *,
    now: float,
    pace: Pace,
    counting: tuple[str, ...] = ("idle",),
    host: Host | None = None,
    served: Track | None = None,
    clocked: Cadence | None = None,
) -> Verdict:
    """
    Judge an allocation at `now`; devices missing from `seen` were never seen.

    With ``low`` in `counting`, minutes of little work count as idle ones: for policies that
    only warn.  `host` is what its processes do on their hosts and `served` in which minutes it
    answered requests, each None where nothing tells; `clocked` are inputs that come like a clock.
    """
    bench = _Judging(
        allocation=allocation,
        seen=seen,
        now=now,
        pace=pace,
        low=LOW_COUNTS in counting,
        host=host,
        served=served,
        clocked=clocked,
    )
    return (
        bench.unknown() or bench.server() or bench.patterned() or bench.all_idle() or bench.mixed()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judging(Bench):
    """One judgement in the making."""

    clocked: Cadence | None = None

    def unknown(self) -> Verdict | None:
        """Return the verdict when there is no ground to judge on."""
        if self.allocation.doubt:
            return self.verdict(Kind.UNKNOWN, f"ownership: {self.allocation.doubt}")
        missing = [gpu for gpu in self.allocation.gpus if gpu not in self.seen]
        if missing or not self.seen:
            return self.verdict(Kind.UNKNOWN, f"never seen: {', '.join(missing) or 'no device'}")
        age = self.now - self.newest()
        if age > self.pace.fresh:
            return self.verdict(Kind.UNKNOWN, f"no signal for {span(age)}")
        return None

    def server(self) -> Verdict | None:
        """Judge an inference server by its requests, whatever its engines show while they poll."""
        if self.allocation.purpose is not Purpose.INFERENCE or self.served is None:
            return None
        begin = self.startup_minute()
        tracks = [self.seen[gpu].track.since(begin) for gpu in self.allocation.gpus]
        rest = pattern.resting(self.served, tracks, self.newest_minute())
        if rest is None:
            return self.verdict(Kind.UNKNOWN, "its requests are not seen at present")
        if rest.quiet == 0:
            return self.verdict(Kind.BUSY, "requests were answered in the newest minute")
        if rest.both < SETTLED:
            return None if rest.still < SETTLED else self.verdict(Kind.BUSY, "between requests")
        if rest.unasked >= UNASKED:
            text = (
                f"its requests stood still through {self.minutes(rest.unasked)} of work on its GPUs"
            )
            return self.verdict(Kind.UNKNOWN, f"{text}: they are no witness")
        asked = f"no request for {self.minutes(rest.both)}"
        if not self.common_witnesses():
            return self.verdict(Kind.UNKNOWN, f"{asked}, but no other witness agrees")
        since = self.newest() - rest.both * self.pace.step
        text = f"{asked}, no work by {' and '.join(self.common_witnesses())}"
        return self.verdict(Kind.WARM, text, since=since)

    def all_idle(self) -> Verdict | None:
        """Return the verdict when every device idles without a break for long enough."""
        tails = self.tails()
        shortest = min(tails.values())
        if shortest < SETTLED:
            return None
        since = self.pace.begins(self.newest_minute() - shortest)
        single = self.single_witness()
        if single and not self.low:
            return self.verdict(Kind.UNKNOWN, f"idle {span(self.newest() - since)}, {single}")
        empty = all(self.last(gpu) == EMPTY for gpu in tails)
        reason = self.idle_reason(since, empty=empty)
        if self.allocation.purpose is Purpose.INFERENCE:
            text = f"{reason}; a server is judged by its requests, and nothing counts them"
            return self.verdict(Kind.UNKNOWN, text)
        return self._hosted(since, shortest, empty=empty)

    def patterned(self) -> Verdict | None:
        """Return the verdict when the shape of the tracks says more than their last letters."""
        return self._hung() or self._kept_alive()

    def _hung(self) -> Verdict | None:
        """Every rank waits for the others, or for one that has died; in a session nothing does."""
        tracks = [self.seen[gpu].track for gpu in self.allocation.gpus]
        waits = [pattern.engine_only(track) for track in tracks]
        dead = sum(wait < HUNG for wait in waits)
        if not all(map(_hangs, tracks)) or 2 * dead >= len(tracks) or (dead and not self._holds):
            return None
        hung = min(wait for wait in waits if wait >= HUNG)
        if dead:
            which = f"{len(tracks) - dead} of {len(tracks)} GPUs"
            others = f"; on {dead} nothing goes on: a rank of it may have died"
        else:
            which, others = "its GPU" if len(tracks) == 1 else f"all {len(tracks)} GPUs", ""
        reason = f"engines busy without any work on {which} for {self.minutes(hung)}{others}"
        found = self.verdict(Kind.STALLED, reason)
        return replace(found, hung_since=self.newest() - hung * self.pace.step)

    def _kept_alive(self) -> Verdict | None:
        """Work so short, so regular or so little that it looks as if it only kept the GPUs."""
        if pattern.fed(self.host) or self.low:
            return None
        tracks = [self.seen[gpu].track for gpu in self.allocation.gpus]
        for shape in (pattern.beat, pattern.sleepless):
            beats = [shape(track) for track in tracks]
            found = next((one for one in beats if one is not None), None)
            others = (track for track, one in zip(tracks, beats, strict=True) if one is None)
            if found is not None and all(map(_settled, others)):
                return self.verdict(Kind.SUSPECT, self._blips(found, shape is pattern.beat))
        return self._trickles()

    def _blips(self, found: pattern.Beat, regular: bool) -> str:  # noqa: FBT001 - two wordings
        every, times = self.minutes(found.every), found.times
        if regular:
            return f"a blip of work every {every}, {times} times, and nothing else"
        idle = found.idle_minutes / max(1, found.every * times)
        return f"{times} short blips of work without a long pause, {idle:.0%} idle between them"

    def _trickles(self) -> Verdict | None:
        """Hours of hardly any work in every minute; of a batch job only where its host rests."""
        unseen = self._holds and self.host is None
        if unseen or self.allocation.purpose is Purpose.INFERENCE:
            return None
        means = [pattern.trickle(item.track, item.evidence) for item in self.seen.values()]
        known = [mean for mean in means if mean is not None]
        if len(known) < len(means):
            return None
        seconds = min(item.evidence.seconds for item in self.seen.values())
        mean = sum(known) / len(known)
        reason = f"{mean:.1%} of the SMs at work in every minute for {span(seconds)}, never more"
        return self.verdict(Kind.SUSPECT, reason)

    def _hosted(self, since: float, minutes: int, *, empty: bool) -> Verdict:
        """Tell idleness from GPUs that wait for a host at work."""
        end = self.newest_minute()
        if self._holds:
            minutes = sighted(self.host, minutes=minutes, end=end)
        host = hosted(self.host, minutes=minutes, end=end)
        since = max(since, self.newest() - host.minutes * self.pace.step)
        kind, reason = Kind.EMPTY if empty else Kind.IDLE, self.idle_reason(since, empty=empty)
        if self.host is not None and host.known < SETTLED and not host.lost:
            return self.verdict(Kind.UNKNOWN, f"{reason}; what its host does is not known yet")
        if host.rested is not None:
            worked = f"worked {host.worked:.0%} of that time"
            rests = f"rests for {self.minutes(host.rested)} only"
            kind, reason = Kind.HOST_BUSY, f"{reason}; its host {worked if host.worked else rests}"
        elif host.works:
            when = "works now" if host.sees else "worked when it was seen last"
            kind, reason = Kind.HOST_BUSY, f"{reason}; its host {when}"
        found = self.verdict(kind, reason, since=since)
        return self._scripted(found) or self._beside(found, host)

    def _scripted(self, found: Verdict) -> Verdict | None:
        """A session at rest into which a clock types: a person decides whether one is there."""
        by, since = self.clocked, found.since
        if by is None or since is None or self._holds or found.kind is Kind.HOST_BUSY:
            return None
        if since > by.begin:
            return None
        every = f"an input every {span(by.every)}, {by.times} times to within {span(by.spread)}"
        reason = f"{every}, and {found.reason}"
        return self.verdict(Kind.SUSPECT, reason, idle_devices=self.allocation.expected)

    @property
    def _holds(self) -> bool:
        """Tell whether what nobody sees holds it: no person can prove that a job rests."""
        read = self.allocation.read_as is not None
        return read or self.allocation.purpose is not Purpose.INTERACTIVE

    def _beside(self, found: Verdict, host: Hosting) -> Verdict:
        """Return an idle verdict with all that is known of what goes on beside the GPUs."""
        computes = any(sign.state == "busy" for sign in self.allocation.signs)
        works = "its host works" if host.works else ""
        bars = []
        if computes and not host.measured:
            works = "a kernel is busy"
            bars.append(Bar(rule="kernel", reason=f"{works}, and nothing measures its host"))
        elif self._holds and not host.measured:
            bars.append(Bar(rule="host", reason="nothing measures what it does on its host"))
        elif self._holds and found.kind is Kind.EMPTY and not host.still:
            reason = "no process is on its GPUs, and nothing shows that it moves no data"
            bars.append(Bar(rule="network", reason=reason))
        if self._holds:
            bars += self._rhythm(found)
        return replace(
            found,
            host="at work" if host.works else "quiet" if host.measured else "unmeasured",
            works=works,
            bars=tuple(bars),
        )

    def _rhythm(self, found: Verdict) -> Iterator[Bar]:
        """A job that came back from pauses before is not taken for ended within such a one."""
        begun = ceil(self.allocation.run.started / self.pace.step)
        pauses = (comes_back(item.track, begun=begun) for item in self.seen.values())
        longest = max((pause for pause in pauses if pause is not None), default=0)
        if found.idle_for(self.now) < longest * self.pace.step:
            reason = "it came back to work from a pause like this one before"
            yield Bar(rule="rhythm", reason=f"{reason}: waits for {self.minutes(longest)}")

    def mixed(self) -> Verdict:
        """Return the verdict when some device works, pauses or cannot be seen."""
        last = {gpu: self.last(gpu) for gpu in self.allocation.gpus}
        tails = self.tails()
        total = len(last)
        working = [gpu for gpu, letter in last.items() if letter not in IDLE | BLIND]
        blind = [gpu for gpu, letter in last.items() if letter in BLIND]
        polling = all(last[gpu] == ENGINE_ONLY for gpu in working)
        idle = [gpu for gpu, tail in tails.items() if tail >= SETTLED]
        if blind and polling:
            return self.verdict(Kind.UNKNOWN, f"{len(blind)} of {total} devices unseen")
        if idle and working:
            shortest = min(tails[gpu] for gpu in idle) * self.pace.step
            reason = f"{len(idle)} of {total} idle for {span(shortest)}"
            return self.verdict(Kind.PARTIAL, reason, idle_devices=len(idle))
        shares = [pattern.starved(self.seen[gpu].track) for gpu in self.allocation.gpus]
        if all(share is not None for share in shares):
            share = sum(share or 0.0 for share in shares) / len(shares)
            waits = f"with waits between: {pattern.cause(self.host)}"
            text = f"bursts of work, {share:.0%} of the last hour, {waits}"
            return self.verdict(Kind.STARVED, text)
        if working:
            text = f"{len(working)} of {total} devices at work"
            return self.verdict(Kind.BUSY, text, lasts=self._lasts())
        return self.verdict(Kind.BUSY, f"pausing for {span(min(tails.values()) * self.pace.step)}")

    def _lasts(self) -> bool:
        """Tell whether no letter of work that follows can make it anything but busy."""
        tracks = [item.track for item in self.seen.values()]
        return all(map(pattern.goes_on, tracks)) and any(map(pattern.never_starves, tracks))


def _settled(track: Track) -> bool:
    return track.idle_tail() >= SETTLED


def _hangs(track: Track) -> bool:
    """Tell whether a device waits without any work, or nothing is done on it, for long enough."""
    return pattern.engine_only(track) >= HUNG or track.idle_tail() >= HUNG
