"""What people, operators and channels did around a captured allocation, as events of a scenario."""

from collections.abc import Iterator, Sequence
from typing import Final

from reaper.app.rescaling import Rescaled
from reaper.domain.escalation.notice import Notice
from reaper.domain.judgement.policy import Mode
from reaper.domain.money.entries import Event
from reaper.questions import Explanation

#: What was asked, by the kind of its event, as a scenario draws it.
_ASKED: Final = {
    "keep": "keep",
    "dispute": "dispute",
    "release asked": "release",
    "dispute upheld": "uphold",
    "dispute rejected": "reject",
    "approved": "approve",
}

#: Events of the whole cluster that stop every act.
_STOPS: Final = ("interlock", "paused")

#: Rules that hold a case by what is not drawn: the rest of the cluster, or of the installation.
_ELSEWHERE: Final = ("budget", "observed", "lacking", "killed")


def event_lines(
    explanation: Explanation, around: Sequence[Event], times: Rescaled
) -> Iterator[str]:
    """Yield the events, in order of their kinds."""
    people: dict[str, str] = {}
    for event in explanation.events:
        do = _ASKED.get(event.kind)
        if do is not None:
            yield from _asked(event, do, explanation, people, times)
    for notice in explanation.notices:
        yield from _late(notice, explanation, times)
    yield from _stopped(explanation, around, times)


def _asked(
    event: Event, do: str, explanation: Explanation, people: dict[str, str], times: Rescaled
) -> Iterator[str]:
    kept = [keep for keep in explanation.keeps if keep.begin == event.at]
    if do == "keep" and any(keep.morning for keep in kept):
        do = "keep until morning"
    yield from ("", "[[event]]", f'at = "{times.offset(event.at)}"', f'do = "{do}"')
    yield 'allocation = "1"'
    if do in ("approve", "uphold", "reject"):
        yield f'by = "{people.setdefault(event.by, f"operator{len(people) + 1}")}"'
    for keep in kept:
        if do == "keep":
            yield f'for = "{times.lasting(keep.until - keep.begin)}"'


def _late(notice: Notice, explanation: Explanation, times: Rescaled) -> Iterator[str]:
    """Yield why a warning came late, or never."""
    cases = {case.id: case for case in explanation.cases}
    case = cases.get(notice.case_id)
    warns = notice.kind in ("warning", "final")
    if not warns or case is None or case.mode == Mode.OBSERVE:
        return
    arrived = notice.delivered_at if notice.counts else times.end
    if arrived is not None and arrived - notice.created > 2 * times.pace.step:
        yield from ("", "[[event]]", f'at = "{times.offset(notice.created)}"', 'do = "deaf"')
        yield 'allocation = "1"'
        yield f'for = "{times.lasting(arrived - notice.created)}"'


def _stopped(explanation: Explanation, around: Sequence[Event], times: Rescaled) -> Iterator[str]:
    """Yield when every act was stopped: by an operator, an interlock, or by what is not drawn."""
    held = {text.partition(":")[0] for case in explanation.cases for text in case.held_by}
    if held & set(_ELSEWHERE):
        yield from ("", "[[event]]", 'at = "0s"', 'do = "pause"')
        return
    for event in around:
        inside = times.origin <= event.at < times.end
        if event.kind in _STOPS and inside:
            yield from ("", "[[event]]", f'at = "{times.offset(event.at)}"', 'do = "pause"')
        elif event.kind == "resumed" and inside:
            yield from ("", "[[event]]", f'at = "{times.offset(event.at)}"', 'do = "resume"')
