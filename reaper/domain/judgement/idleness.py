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
from reaper.domain.judgement.bench import Bench, Seen
from reaper.domain.judgement.cadence import Cadence
from reaper.domain.judgement.hosting import Hosting, hosted, sighted
from reaper.domain.judgement.rhythm import comes_back
from reaper.domain.judgement.verdict import Bar, Kind, Verdict
from reaper.domain.reason import Reason, because, together

#: Idle minutes on every device from which on it is no pause any more.
SETTLED: Final = 5

#: The word in a policy by which minutes of little work count too.
LOW_COUNTS: Final = "low"

#: Minutes of work without a request from which on a counter of requests does not count them all;
#: loading a model and warming it up takes fewer.
UNASKED: Final = 60

#: Codes of reasons: no request and no work, and a host that worked beside idle GPUs.
NO_REQUEST: Final = "no-request-no-work"
HOST_WORKED: Final = "host-worked"
HOST_WORKED_LAST: Final = "host-worked-last"

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
            return self.verdict(Kind.UNKNOWN, because("ownership", doubt=self.allocation.doubt))
        missing = [gpu for gpu in self.allocation.gpus if gpu not in self.seen]
        if missing or not self.seen:
            devices = because("devices", names=", ".join(missing)) if missing else because("none")
            return self.verdict(Kind.UNKNOWN, because("never-seen", devices=devices))
        age = self.now - self.newest()
        if age > self.pace.fresh:
            return self.verdict(Kind.UNKNOWN, because("no-signal", seconds=age))
        return None

    def server(self) -> Verdict | None:
        """Judge an inference server by its requests, whatever its engines show while they poll."""
        if self.allocation.purpose is not Purpose.INFERENCE or self.served is None:
            return None
        begin = self.startup_minute()
        tracks = [self.seen[gpu].track.since(begin) for gpu in self.allocation.gpus]
        rest = pattern.resting(self.served, tracks, self.newest_minute())
        if rest is None:
            return self.verdict(Kind.UNKNOWN, because("requests-unseen"))
        if rest.quiet == 0:
            return self.verdict(Kind.BUSY, because("requests-answered"))
        if rest.both < SETTLED:
            between = self.verdict(Kind.BUSY, because("between-requests"))
            return None if rest.still < SETTLED else between
        if rest.unasked >= UNASKED:
            worked = self.minutes(rest.unasked)
            return self.verdict(Kind.UNKNOWN, because("requests-still", seconds=worked))
        asked = self.minutes(rest.both)
        if not self.common_witnesses():
            return self.verdict(Kind.UNKNOWN, because("no-request-alone", seconds=asked))
        since = self.newest() - rest.both * self.pace.step
        reason = because(NO_REQUEST, seconds=asked, by=self.seen_by())
        return self.verdict(Kind.WARM, reason, since=since)

    def all_idle(self) -> Verdict | None:
        """Return the verdict when every device idles without a break for long enough."""
        tails = self.tails()
        shortest = min(tails.values())
        if shortest < SETTLED:
            return None
        since = self.pace.begins(self.newest_minute() - shortest)
        single = self.single_witness(since)
        if single is not None and not self.low:
            return self.verdict(Kind.UNKNOWN, single)
        empty = all(self.last(gpu) == EMPTY for gpu in tails)
        reason = self.idle_reason(since, empty=empty)
        if self.allocation.purpose is Purpose.INFERENCE:
            return self.verdict(Kind.UNKNOWN, together(*reason, because("requests-uncounted")))
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
        lasts, total = self.minutes(hung), len(tracks)
        if dead:
            some = because("hung-some", waiting=total - dead, devices=total, seconds=lasts)
            reason = together(some, because("rank-died", devices=dead))
        else:
            reason = because("hung", devices=total, seconds=lasts)
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

    def _blips(self, found: pattern.Beat, regular: bool) -> Reason:  # noqa: FBT001 - two wordings
        every, times = self.minutes(found.every), found.times
        if regular:
            return because("blips-regular", seconds=every, times=times)
        idle = found.idle_minutes / max(1, found.every * times)
        return because("blips-short", times=times, percent=round(100 * idle))

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
        reason = because("trickle", percent=f"{100 * mean:.1f}", seconds=seconds)
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
            return self.verdict(Kind.UNKNOWN, together(*reason, because("host-unknown-yet")))
        beside: tuple[Reason, ...] = ()
        if host.rested is not None:
            worked = because(HOST_WORKED, percent=round(100 * host.worked))
            rests = because("host-rests", seconds=self.minutes(host.rested))
            kind, beside = Kind.HOST_BUSY, (worked if host.worked else rests,)
        elif host.works:
            works = because("host-works" if host.sees else HOST_WORKED_LAST)
            kind, beside = Kind.HOST_BUSY, (works,)
        found = self.verdict(kind, together(*reason, *beside), since=since)
        return self._scripted(found) or self._beside(found, host)

    def _scripted(self, found: Verdict) -> Verdict | None:
        """A session at rest into which a clock types: a person decides whether one is there."""
        by, since = self.clocked, found.since
        if by is None or self._holds or found.kind is Kind.HOST_BUSY:
            return None
        if since is None or since > by.begin:
            return None
        reason = because(
            "clocked", every=by.every, times=by.times, spread=by.spread, reason=found.reason
        )
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
            bars.append(Bar(rule="kernel", reason=because("kernel-unmeasured")))
        elif self._holds and not host.measured:
            bars.append(Bar(rule="host", reason=because("host-unmeasured")))
        elif self._holds and found.kind is Kind.EMPTY and not host.still:
            bars.append(Bar(rule="network", reason=because("network-unknown")))
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
            seconds = self.minutes(longest)
            yield Bar(rule="rhythm", reason=because("came-back-before", seconds=seconds))

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
            return self.verdict(
                Kind.UNKNOWN, because("devices-unseen", unseen=len(blind), devices=total)
            )
        if idle and working:
            shortest = min(tails[gpu] for gpu in idle) * self.pace.step
            reason = because("some-idle", idle=len(idle), devices=total, seconds=shortest)
            return self.verdict(Kind.PARTIAL, reason, idle_devices=len(idle))
        shares = [pattern.starved(self.seen[gpu].track) for gpu in self.allocation.gpus]
        if all(share is not None for share in shares):
            share = sum(share or 0.0 for share in shares) / len(shares)
            return self.verdict(Kind.STARVED, pattern.starvation(self.host, share))
        if working:
            reason = because("devices-at-work", working=len(working), devices=total)
            return self.verdict(Kind.BUSY, reason, lasts=self._lasts())
        pause = self.minutes(min(tails.values()))
        return self.verdict(Kind.BUSY, because("pausing", seconds=pause))

    def _lasts(self) -> bool:
        """Tell whether no letter of work that follows can make it anything but busy."""
        tracks = [item.track for item in self.seen.values()]
        return all(map(pattern.goes_on, tracks)) and any(map(pattern.never_starves, tracks))


def _settled(track: Track) -> bool:
    return track.idle_tail() >= SETTLED


def _hangs(track: Track) -> bool:
    """Tell whether a device waits without any work, or nothing is done on it, for long enough."""
    return pattern.engine_only(track) >= HUNG or track.idle_tail() >= HUNG
