"""What was known of a captured allocation, as keys of a scenario: people, hosts and requests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from exporter.contract.scenario import written
from reaper.domain.escalation.saving import USUAL
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.facts.host import AT_WORK
from reaper.domain.facts.inputs import History, Inputs, Sighting
from reaper.domain.facts.minute import UNSEEN
from reaper.domain.facts.serving import REQUEST
from reaper.domain.facts.sign import EARLIER
from reaper.domain.facts.track import Track, whole
from reaper.domain.judgement.idleness import HOST_WORKED, HOST_WORKED_LAST, NO_REQUEST
from reaper.domain.money.entries import Event
from reaper.domain.picture import Row, SignLine
from reaper.domain.reason import codes
from reaper.questions import Explanation


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescaled:
    """What lies from `origin` to `end` (Unix seconds, on the grid of `pace`)."""

    origin: float
    end: float
    pace: Pace

    @property
    def scale(self) -> float:
        """Return by how much longer a minute of the scenario is than one of the pace."""
        return NORMAL.step / self.pace.step

    @property
    def start(self) -> float:
        """Return when the scenario starts, on a full minute; Unix seconds."""
        return self.origin // NORMAL.step * NORMAL.step

    @property
    def length(self) -> str:
        """Return how long the scenario lasts."""
        return self.offset(self.end)

    def offset(self, at: float) -> str:
        """Return a moment as a duration from the start, to the second."""
        return written(float(round((at - self.origin) * self.scale)))

    def lasting(self, seconds: float) -> str:
        """Return a duration of the pace as one of the scenario, to the second."""
        return written(float(round(seconds * self.scale)))


Span = tuple[float, float | None]
"""From when to when, Unix seconds; None where it lasts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What was kept of one allocation up to minute `end`, and the tracks of hosts and requests."""

    history: History
    host: Track
    served: Track
    end: int

    @property
    def spans(self) -> tuple[tuple[int, int, Inputs], ...]:
        """Return what was known, in which minutes."""
        return tuple(self.history.spans(self.end))

    @property
    def signals(self) -> frozenset[str]:
        """Return the signals that were seen of it last; none where that is not kept."""
        last = self.spans[-1][2].devices if self.spans else ()
        return frozenset(name for device in last for name in device.signals)

    @property
    def requeueable(self) -> bool:
        """Tell whether it could have been requeued."""
        return any(inputs.requeueable for _, _, inputs in self.spans)

    @property
    def catches(self) -> tuple[str, ...]:
        """Return the usual signals that its batch script was seen to catch."""
        found = {
            name
            for _, _, inputs in self.spans
            for target, names in inputs.catches
            for name in names
            if target == "batch"
        }
        return tuple(name for name in USUAL if name in found)

    def lines(self, times: Rescaled, *, serves: bool) -> Iterator[str]:
        """Yield sessions, when its hosts worked, and when it answered requests if it serves."""
        sessions = self._sessions(times)
        if sessions:
            drawn = [session.drawn(kind, times) for (kind, _), session in sessions.items()]
            yield f"sessions = [{', '.join(drawn)}]"
        if any(inputs.host for _, _, inputs in self.spans):
            yield f"host_works = [{_played(self.host, AT_WORK, times)}]"
        if serves and any(inputs.served for _, _, inputs in self.spans):
            # While nothing was kept, it was at work.
            letters = self.served.letters
            unkept = len(letters) - len(letters.lstrip(UNSEEN))
            whole = Track(start=self.served.start, letters=REQUEST * unkept + letters[unkept:])
            yield f"serves = [{_played(whole, REQUEST, times)}]"

    def _sessions(self, times: Rescaled) -> "dict[tuple[str, int], _Session]":
        found: dict[tuple[str, int], _Session] = {}
        for first, end, inputs in self.spans:
            here = dict(_numbered(inputs.signs))
            for key in here:
                found.setdefault(key, _Session())
            for key, session in found.items():
                session.see(here.get(key), first, end, times)
        return found


def _numbered(signs: Sequence[Sighting]) -> Iterator[tuple[tuple[str, int], Sighting]]:
    """Yield signs with their kind and place among those of it: the same session in every entry."""
    counts: dict[str, int] = {}
    for sign in signs:
        counts[sign.kind] = counts.get(sign.kind, 0) + 1
        yield (sign.kind, counts[sign.kind]), sign


@dataclass(slots=True)
class _Session:
    """One session in the making; what is not seen any more cannot be reached."""

    inputs: set[float] = field(default_factory=set)
    spans: dict[str, list[Span]] = field(default_factory=dict)
    state: str = "ok"

    def see(self, sign: Sighting | None, first: int, end: int, times: Rescaled) -> None:
        """Take in what was known of it in the minutes ``[first, end)``."""
        state = "unreachable" if sign is None or sign.as_of is not None else sign.state
        at = times.pace.ends(first)
        if state != self.state:
            self._end(sign, first, times)
            if state != "ok":
                self.spans.setdefault(state, []).append((at, None))
        self.state = state
        if sign is not None and sign.last_seen is not None:
            self.inputs.add(sign.last_seen)

    def _end(self, sign: Sighting | None, minute: int, times: Rescaled) -> None:
        """End what it did: at the input that the end of a kernel's work leaves behind it."""
        if self.state == "ok":
            return
        pace = times.pace
        before, moment = pace.ends(minute - 1), pace.step / 60
        last = sign.last_seen if sign is not None else None
        at = pace.ends(minute)
        if self.state == "busy":
            at = min(last + moment, at) if last is not None and last >= before else at - moment
        self.spans[self.state][-1] = (self.spans[self.state][-1][0], at)

    def drawn(self, kind: str, times: Rescaled) -> str:
        """Return the session as a scenario draws it."""
        ends = {at for _, at in self.spans.get("busy", []) if at is not None}
        own = sorted(self.inputs - ends - {at - times.pace.step / 60 for at in ends})
        moments = ", ".join(f'"{times.offset(at)}"' for at in own)
        said = [f'kind = "{"keeper" if kind == EARLIER else kind}"', f"inputs = [{moments}]"]
        said += [f"{state} = [{_written(spans, times)}]" for state, spans in self.spans.items()]
        return f"{{ {', '.join(said)} }}"


def _written(spans: Sequence[Span], times: Rescaled) -> str:
    ends = ["" if end is None else times.offset(end) for _, end in spans]
    begins = [times.offset(begin) for begin, _ in spans]
    return ", ".join(f'"{begin}..{end}"' for begin, end in zip(begins, ends, strict=True))


def _played(track: Track, letter: str, times: Rescaled) -> str:
    """Write the minutes that carry a letter as spans."""
    drawn: list[Span] = []
    minute = track.start
    for played, group in groupby(track.letters):
        begin, minute = minute, minute + sum(1 for _ in group)
        if played == letter:
            drawn.append((times.pace.begins(begin), times.pace.begins(minute)))
    return _written(drawn, times)


#: Who is proven away is drawn with this kind where the real one is not kept, and who is not with
#: the other.
_PROVEN = "shell"
_UNPROVEN = "vscode"

#: What tells of an input and is no person.
_NOBODY = "keeper"

#: What reasons say where a host worked, and where a server rests.
_HOST_WORKED = frozenset((HOST_WORKED, HOST_WORKED_LAST))


def session_lines(explanation: Explanation, times: Rescaled) -> Iterator[str]:
    """Yield the sessions: those that the picture shows, or what events tell of an ended one."""
    told = [event.numbers for event in explanation.events if "away" in event.numbers]
    inputs = sorted({numbers["last_input"] for numbers in told if "last_input" in numbers})
    row = explanation.row
    if row is not None:
        signs = [_sign(sign, inputs if sign is row.signs[0] else [], times) for sign in row.signs]
        yield f"sessions = [{', '.join(signs)}]"
    elif told and inputs:
        kind = _PROVEN if told[-1]["away"] else _UNPROVEN
        yield f'sessions = [{{ kind = "{kind}", inputs = [{_moments(inputs, times)}] }}]'


def _sign(sign: SignLine, inputs: Sequence[float], times: Rescaled) -> str:
    moments = sorted({*inputs, *([] if sign.last_seen is None else [sign.last_seen])})
    kind = _NOBODY if sign.kind == EARLIER else sign.kind
    said = [f'kind = "{kind}"', f"inputs = [{_moments(moments, times)}]"]
    if sign.state in ("busy", "unreachable"):
        said.append(f'{sign.state} = ["0s.."]')
    return f"{{ {', '.join(said)} }}"


def _moments(moments: Sequence[float], times: Rescaled) -> str:
    return ", ".join(f'"{times.offset(at)}"' for at in moments)


def host_lines(row: Row | None, events: Sequence[Event], times: Rescaled) -> Iterator[str]:
    """Yield when its host worked; what it did before what is kept, it did before that, too."""
    if row is not None and row.host:
        spans = _spans(row.host, AT_WORK, times)
        yield f"host_works = [{', '.join(spans)}]"
    elif row is None and any(not _HOST_WORKED.isdisjoint(codes(event.text)) for event in events):
        yield 'host_works = ["0s.."]'


def served_lines(row: Row | None, events: Sequence[Event], times: Rescaled) -> Iterator[str]:
    """Yield when it answered requests: what is kept is how long it has not."""
    if row is not None and (row.served or row.requests):
        rests = len(whole(row.served).lstrip(REQUEST))
        yield from _served(times.end - rests * times.pace.step, times)
        return
    rested = [event for event in events if NO_REQUEST in codes(event.text)]
    if rested:
        yield from _served(rested[0].at - rested[0].numbers.get("idle_seconds", 0.0), times)


def _served(until: float, times: Rescaled) -> Iterator[str]:
    served = f'"0s..{times.offset(until)}"' if until > times.origin else ""
    yield f"serves = [{served}]"


def _spans(drawn: str, letter: str, times: Rescaled) -> Iterator[str]:
    letters = whole(drawn)
    minutes = round((times.end - times.origin) / times.pace.step)
    letters = (letters[0] * (minutes - len(letters)) + letters)[-minutes:]
    at = times.origin
    for played, group in groupby(letters):
        begin, at = at, at + sum(1 for _ in group) * times.pace.step
        if played == letter:
            yield f'"{times.offset(begin)}..{times.offset(at)}"'
