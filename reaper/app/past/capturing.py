"""
Writing the inputs of a decision as a scenario: the format that replay, tests and reports share.

Names of people, jobs, accounts and nodes become pseudonyms; letters and times stay.  A minute of
any pace is a minute of the scenario.  What was decided stands in it as what is expected.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from exporter.contract.scenario import VERSION, draw
from reaper.app.past.capturing_decisions import event_lines, expected_lines, policy_lines
from reaper.app.past.capturing_inputs import Kept, Rescaled, host_lines, served_lines, session_lines
from reaper.domain.escalation.saving import USUAL
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.inputs import History, histories, host_name, served_name
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.track import Track
from reaper.domain.judgement.policy import Policy
from reaper.domain.money.entries import DemandPoint, Event, Tenure
from reaper.domain.money.tracked import track_of
from reaper.domain.spoken import count
from reaper.ports import Books, ReaperError, Store
from reaper.questions import Explanation, Questions

#: Days before its end of which a capture holds the letters at most.
_LONGEST: Final = 14 * 1440

#: GPUs of others that are drawn at most.
_MOST_OTHERS: Final = 5000


class CaptureError(ReaperError):
    """There is nothing to capture; the message says why."""


async def capture(store: Store, name: str, *, pace: Pace, policies: Sequence[Policy] = ()) -> str:
    """
    Return the scenario (TOML) of an allocation, live or ended.

    It is judged by the version of its policy among `policies`; without that one it expects
    nothing, and says so.
    """
    explanation = await Questions(store=store).explain(name)
    tenures = tuple(tenure for tenure in explanation.tenures if not tenure.doubt)
    if not tenures:
        raise CaptureError(f"{name}: its devices are not known, so there is nothing to draw")
    end = max((tenure.end or explanation.at) for tenure in tenures)
    last = pace.closed(max(end, *(event.at for event in explanation.events))) + 1
    first = max(pace.minute(min(tenure.begin for tenure in tenures)), last - _LONGEST)
    gpus = {tenure.gpu for tenure in tenures}
    async with store.reading() as books:
        picture = await books.picture()
        tracks = await books.tracks([track_of(tenure) for tenure in tenures], first, last)
        kept = await _kept(books, explanation.run_key, first, last)
        first += min(_unseen(track) for track in tracks.values())
        captured = _Captured(
            explanation=explanation,
            tenures=tenures,
            tracks={name: track.since(first) for name, track in tracks.items()},
            records={record.device.gpu: record for record in await books.records_of(gpus)},
            kept=kept,
            demand=tuple(await books.demand(first, last)),
            around=tuple(event for event in await books.events() if not event.run_key),
            others=max(0, (picture.allocated if picture else 0) - len(tenures)),
            policy=_policy(explanation, policies),
            times=Rescaled(origin=pace.begins(first), pace=pace, end=pace.begins(last)),
        )
    return "\n".join(captured.lines()) + "\n"


async def _kept(books: Books, run_key: str, first: int, last: int) -> Kept:
    found = histories(await books.inputs(first, last, run_key=run_key))
    host, served = host_name(run_key), served_name(run_key)
    tracks = await books.tracks([host, served], first, last)
    return Kept(
        history=found.get(run_key, History()),
        host=tracks[host],
        served=tracks[served],
        end=last,
    )


def _unseen(track: Track) -> int:
    """Return for how many minutes nothing was recorded yet; none where it never was."""
    seen = track.letters.lstrip("?")
    return len(track.letters) - len(seen) if seen else 0


def _policy(explanation: Explanation, policies: Sequence[Policy]) -> Policy | None:
    """Return the policy of the newest case in its version, or of an allocation without a case."""
    newest = max(explanation.cases, key=lambda case: case.opened, default=None)
    if newest is not None:
        wanted = newest.policy, newest.policy_version, newest.mode
        found = (item for item in policies if (item.name, item.version, item.mode) == wanted)
        return next(found, None)
    name = explanation.row.policy if explanation.row else ""
    return next((item for item in policies if item.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Captured:
    """One allocation on its way into a scenario."""

    explanation: Explanation
    tenures: tuple[Tenure, ...]
    tracks: Mapping[str, Track]
    records: Mapping[str, DeviceRecord]
    kept: Kept
    """What was known of its people, hosts and requests."""
    demand: tuple[DemandPoint, ...]
    around: tuple[Event, ...]
    """Events that concern no single allocation."""
    others: int
    policy: Policy | None
    times: Rescaled

    def lines(self) -> Iterator[str]:
        """Yield the lines of the scenario."""
        start = datetime.fromtimestamp(self.times.start, tz=UTC)
        verdict = self.explanation.row.verdict if self.explanation.row else "ended"
        yield f"version = {VERSION}"
        gpus = count(len(self.tenures), "GPU")
        yield f'title = "captured: {self.tenures[0].purpose}, {gpus}, {verdict}"'
        yield f"start = {start:%Y-%m-%dT%H:%M:%SZ}"
        if self.policy is not None:
            yield f'length = "{self.times.length}"'
        if self.others:
            yield f"background = {min(self.others, _MOST_OTHERS)}"
        for number, node in enumerate(self._nodes, 1):
            yield from self._node(number, node)
        yield from self._allocation()
        yield from self._waiting()
        yield from event_lines(self.explanation, self.around, self.times)
        yield ""
        if self.policy is None:
            yield "# Its policy is not known here in the version that decided: name one by"
            yield "# --policies, or capture with the configuration that was in force (-c)."
            return
        yield from policy_lines(self.policy, scale=self.times.scale)
        yield from expected_lines(self.explanation, self.times)

    @property
    def _nodes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(tenure.node for tenure in self.tenures))

    def _node(self, number: int, node: str) -> Iterator[str]:
        here = [tenure for tenure in self.tenures if tenure.node == node]
        yield ""
        yield "[[node]]"
        yield f'name = "node{number}"'
        yield f'model = "{here[0].model or "unknown"}"'
        yield from self._measured(here)
        yield "gpus = ["
        for tenure in here:
            yield f'  "{draw(self.tracks[track_of(tenure)].letters) or "?"}",'
        yield "]"

    def _measured(self, here: Sequence[Tenure]) -> Iterator[str]:
        """Yield which families of signals are missing."""
        records = [self.records[item.gpu] for item in here if item.gpu in self.records]
        kept = self.kept.signals
        seen = [kept for _ in here] if kept else [item.evidence.seen for item in records]
        if seen and not any("sm" in signals for signals in seen):
            yield "profiling = false"
        # What a MIG instance shows in its place is no utilisation.
        sliced = any(item.device.is_mig for item in records)
        if sliced or (seen and not any("engine" in signals for signals in seen)):
            yield "utilisation = false"

    def _allocation(self) -> Iterator[str]:
        tenure, row = self.tenures[0], self.explanation.row
        yield ""
        yield "[[allocation]]"
        yield 'id = "1"'
        yield 'user = "user1"'
        yield f'partition = "{tenure.partition}"'
        yield f'purpose = "{tenure.purpose}"'
        yield f"holds = [{', '.join(self._holds())}]"
        yield f'begin = "{self.times.offset(tenure.run.started)}"'
        if tenure.end is not None and not self._ended_by_us:
            yield f'end = "{self.times.offset(tenure.end)}"'
        if tenure.limit is not None:
            yield f'limit = "{self.times.offset(tenure.limit)}"'
        serves = str(tenure.purpose) == "inference"
        if self.kept.spans:
            yield from self.kept.lines(self.times, serves=serves)
        else:
            yield from session_lines(self.explanation, self.times)
            yield from host_lines(row, self.explanation.events, self.times)
            if serves:
                yield from served_lines(row, self.explanation.events, self.times)
        yield from self._outcome()

    @property
    def _ended_by_us(self) -> bool:
        return any(event.kind == "verified" for event in self.explanation.events)

    def _outcome(self) -> Iterator[str]:
        """Yield what signals and releases led to."""
        kinds = {event.kind: event.at for event in self.explanation.events}
        asked = kinds.get("save intended")
        cases = self.explanation.cases
        if self.kept.requeueable or any(c.saving and c.saving.requeueable for c in cases):
            yield "requeueable = true"
        caught = self.kept.catches or (USUAL if asked is not None else ())
        if caught:
            names = ", ".join(f'"{name}"' for name in caught)
            yield f"catches = [{names}]"
        if asked is not None and "saved" in kinds:
            yield f'saves = "{self.times.lasting(kinds["saved"] - asked)}"'
        for kind, outcome in (("failed", "stays"), ("reverted", "returns")):
            if kind in kinds:
                yield f'released = "{outcome}"'

    def _holds(self) -> Iterator[str]:
        for number, node in enumerate(self._nodes, 1):
            count = sum(1 for tenure in self.tenures if tenure.node == node)
            yield f'"node{number}:0-{count - 1}"'

    def _waiting(self) -> Iterator[str]:
        before = 0
        for point in self.demand:
            if point.gpus != before:
                yield ""
                yield "[[waiting]]"
                yield f'at = "{self.times.offset(self.times.pace.ends(point.minute))}"'
                yield f"gpus = {point.gpus}"
            before = point.gpus
