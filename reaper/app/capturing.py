"""
Writing the inputs of a decision as a scenario: the format that replay, tests and reports share.

Names of people, jobs, accounts and nodes become pseudonyms; letters and times stay.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from exporter.contract.scenario import VERSION, draw
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import Event, Tenure
from reaper.domain.money.tracked import track_of
from reaper.domain.picture import Row
from reaper.ports import ReaperError, Store
from reaper.questions import Explanation, Questions

#: Minutes before now that a capture holds at most.
_LONGEST: Final = 1440

#: What an owner asked, by the kind of its event, as a scenario draws it.
_ASKED: Final = {"keep": "keep", "dispute": "dispute", "release asked": "release"}


class CaptureError(ReaperError):
    """There is nothing to capture; the message says why."""


async def capture(store: Store, name: str, *, pace: Pace) -> str:
    """Return the scenario (TOML) of an allocation, live or ended."""
    explanation = await Questions(store=store).explain(name)
    tenures = [tenure for tenure in explanation.tenures if not tenure.doubt]
    if not tenures:
        raise CaptureError(f"{name}: its devices are not known, so there is nothing to draw")
    end = max((t.end or explanation.at) for t in tenures)
    first = max(pace.minute(min(t.begin for t in tenures)), pace.closed(end) + 1 - _LONGEST)
    async with store.reading() as books:
        names = [track_of(tenure) for tenure in tenures]
        tracks = await books.tracks(names, first, pace.closed(end) + 1)
    drawing = _Drawing(
        explanation=explanation, tenures=tuple(tenures), tracks=tracks, pace=pace, first=first
    )
    return "\n".join(drawing.lines()) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawing:
    """One allocation on its way into a scenario."""

    explanation: Explanation
    tenures: tuple[Tenure, ...]
    tracks: Mapping[str, Track]
    pace: Pace
    first: int

    def lines(self) -> Iterator[str]:
        """Yield the lines of the scenario."""
        start = datetime.fromtimestamp(self._origin, tz=UTC)
        verdict = self.explanation.row.verdict if self.explanation.row else "ended"
        yield f"version = {VERSION}"
        yield f'title = "captured: {self.tenures[0].purpose}, {len(self.tenures)} GPUs, {verdict}"'
        yield f"start = {start:%Y-%m-%dT%H:%M:%SZ}"
        yield f'step = "{self.pace.step:g}s"'
        for number, node in enumerate(self._nodes, 1):
            yield from self._node(number, node)
        yield from self._allocation()
        for event in self.explanation.events:
            yield from self._event(event)

    @property
    def _origin(self) -> float:
        return self.pace.begins(self.first)

    @property
    def _nodes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(tenure.node for tenure in self.tenures))

    def _node(self, number: int, node: str) -> Iterator[str]:
        here = [tenure for tenure in self.tenures if tenure.node == node]
        yield ""
        yield "[[node]]"
        yield f'name = "node{number}"'
        yield f'model = "{here[0].model or "unknown"}"'
        yield "gpus = ["
        for tenure in here:
            yield f'  "{draw(self.tracks[track_of(tenure)].letters) or "?"}",'
        yield "]"

    def _allocation(self) -> Iterator[str]:
        tenure = self.tenures[0]
        row = self.explanation.row
        yield ""
        yield "[[allocation]]"
        yield 'id = "1"'
        yield 'user = "user1"'
        yield f'partition = "{tenure.partition}"'
        yield f'purpose = "{tenure.purpose}"'
        yield f"holds = [{', '.join(self._holds())}]"
        yield f'begin = "{self._offset(tenure.run.started)}"'
        if tenure.end is not None:
            yield f'end = "{self._offset(tenure.end)}"'
        if tenure.limit is not None:
            yield f'limit = "{self._offset(tenure.limit)}"'
        yield f"sessions = [{', '.join(self._sessions(row))}]"

    def _holds(self) -> Iterator[str]:
        for number, node in enumerate(self._nodes, 1):
            count = sum(1 for tenure in self.tenures if tenure.node == node)
            yield f'"node{number}:0-{count - 1}"'

    def _sessions(self, row: Row | None) -> Iterator[str]:
        for sign in row.signs if row else ():
            inputs = "" if sign.last_seen is None else f'"{self._offset(sign.last_seen)}"'
            yield f'{{ kind = "{sign.kind}", inputs = [{inputs}] }}'

    def _event(self, event: Event) -> Iterator[str]:
        do = _ASKED.get(event.kind)
        if do is None:
            return
        kept = [keep for keep in self.explanation.keeps if keep.begin == event.at]
        if do == "keep" and any(keep.morning for keep in kept):
            do = "keep until morning"
        yield ""
        yield "[[event]]"
        yield f'at = "{self._offset(event.at)}"'
        yield f'do = "{do}"'
        yield 'allocation = "1"'
        for keep in kept:
            if do == "keep":
                yield f'for = "{round(keep.until - keep.begin)}s"'

    def _offset(self, at: float) -> str:
        return f"{round(at - self._origin)}s"
