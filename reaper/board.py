"""
The observers' latest answers, each with its age.

It knows who said what and when.  It refuses to judge, to ask and to wait: readers take what
is there.  An answer is never removed by silence, only by a newer one; it grows old instead.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from threading import Lock
from typing import Final

from reaper.domain.escalation.hearing import Hearing
from reaper.domain.facts.demand import Waiting
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.serving import Answered
from reaper.ports import Claims, Fronts, Known, NodeReport, Readings

Answer = Readings | Claims | Fronts | Waiting | Answered | Hearing | Known

#: The role of ears: a channel's name is its source.
HEARING: Final = "hearing"

#: Readings kept per device until the cycle comes: three minutes of scraping, twelve of catching up.
_KEPT: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What one source last said: `answer` is None before its first; `error` is its newest."""

    source: str
    role: str
    answer: Answer | None = None
    as_of: float | None = None
    took: float = 0.0
    error: str = ""
    failed_at: float | None = None
    failures: int = 0


@dataclass(slots=True)
class Tally:
    """
    Counts of what was done since a cycle took them over into the picture's totals.

    A name is its counter's word and label values, each after a colon: ``acts:verified``.
    """

    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    """Time spent in cycles."""

    def add(self, name: str) -> None:
        """Count one."""
        self.counts[name] += 1

    def taken(self, counts: Mapping[str, int], seconds: float) -> None:
        """Take off what a written picture holds."""
        self.counts.subtract(counts)
        self.counts = +self.counts
        self.seconds -= seconds


@dataclass(slots=True)
class Board:
    """Posts by (role, source), and the recent readings of every device."""

    posts: dict[tuple[str, str], Post] = field(default_factory=dict)
    reports: dict[str, NodeReport] = field(default_factory=dict)
    """Newest report of each target, errors included."""
    good: dict[str, NodeReport] = field(default_factory=dict)
    """Newest report without error, by node."""
    owners: frozenset[str] = frozenset()
    """Owners of open cases, whose working hours somebody must look up."""
    watched: frozenset[str] = frozenset()
    """Nodes of open cases, whose people somebody must look for."""
    _recent: dict[str, list[Reading]] = field(default_factory=dict)
    _starts: dict[str, list[float]] = field(default_factory=dict)
    _given: dict[str, float] = field(default_factory=dict)
    """When the newest reading was taken that was given of a device."""
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)
    """Held while readings are put up, given or forgotten."""

    def still(self) -> "Board":
        """
        Return the board as it stands: what is put up later is not on it.

        It may be read in a thread of its own; what it gives is given by this board too.
        """
        return replace(
            self,
            posts=dict(self.posts),
            reports=dict(self.reports),
            good=dict(self.good),
            _recent=dict(self._recent),
            _starts=dict(self._starts),
        )

    def expect(self, *, source: str, role: str) -> None:
        """Note a source that will be asked: until it answers, it is silent."""
        self.posts.setdefault((role, source), Post(source=source, role=role))

    def put(self, *, source: str, role: str, answer: Answer, took: float) -> None:
        """Post an answer over the source's former one, with what it says of nodes."""
        self.post(source=source, role=role, answer=answer, took=took)
        if isinstance(answer, Readings):
            self.take(answer.nodes)

    def post(self, *, source: str, role: str, answer: Answer, took: float) -> None:
        """Post an answer without taking up what it says of nodes."""
        before = self.posts.get((role, source), Post(source=source, role=role))
        self.posts[role, source] = replace(
            before, answer=answer, as_of=answer.as_of, took=took, error=""
        )

    def take(self, reports: Sequence[NodeReport]) -> None:
        """Take up what is said of nodes; one that speaks for itself is no other's affair."""
        for report in reports:
            self._take(report)

    def fail(self, *, source: str, role: str, error: str, at: float) -> None:
        """Note that a source failed; its last answer stays, and grows old."""
        before = self.posts.get((role, source), Post(source=source, role=role))
        self.posts[role, source] = replace(
            before, error=error, failed_at=at, failures=before.failures + 1
        )

    def of(self, role: str) -> tuple[Post, ...]:
        """Return the posts of a role, by source name."""
        return tuple(post for (kind, _), post in sorted(self.posts.items()) if kind == role)

    def readings(self, end: float) -> Mapping[str, tuple[Reading, ...]]:
        """
        Return, per device, its readings at or before `end`, oldest first.

        Those before the newest of them are given once: a source that was away brings many.
        """
        found = {}
        for gpu, recent in self._recent.items():
            # While a thread reads, the loop may put up more.
            with self._lock:
                given = self._given.get(gpu, -inf)
                if given <= recent[0].at and recent[-1].at <= end:
                    chosen = tuple(recent)
                else:
                    chosen = tuple([item for item in recent if given <= item.at <= end])
                if chosen:
                    found[gpu] = chosen
                    self._given[gpu] = chosen[-1].at
                    _forget(recent, chosen[-1].at)
        return found

    @property
    def contradicted(self) -> frozenset[str]:
        """Return the devices of which several targets speak: nobody knows which is right."""
        return frozenset(gpu for report in self.good.values() for gpu in report.contradicted)

    def restarts(self, since: float) -> int:
        """Return how many exporters have started anew after `since`, while we watched."""
        return sum(
            1
            for starts in self._starts.values()
            if len(starts) > 1 and any(start > since for start in starts[1:])
        )

    def _take(self, report: NodeReport) -> None:
        self.reports[report.target] = report
        if report.error:
            return
        self.good[report.node] = report
        starts = self._starts.setdefault(report.target, [])
        if not starts or report.started != starts[-1]:
            starts.append(report.started)
            del starts[:-_KEPT]
        with self._lock:
            for reading in report.readings:
                recent = self._recent.setdefault(reading.gpu, [])
                if not recent or reading.at > recent[-1].at:
                    recent.append(reading)
                    del recent[:-_KEPT]


def _forget(recent: list[Reading], before: float) -> None:
    """Take what is older than an instant off a device's readings, which are in order."""
    place = 0
    while recent[place].at < before:
        place += 1
    del recent[:place]
