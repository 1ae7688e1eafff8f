"""What was decided on a captured allocation, by which policy, and what it expects."""

from collections.abc import Iterator, Sequence
from typing import Final

from exporter.contract.expectation import STEPS
from exporter.contract.scenario import written
from reaper.app.past.capturing_inputs import Rescaled
from reaper.domain.escalation.notice import Notice
from reaper.domain.judgement.policy import Hours, Mode, Policy, Rung, Save
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
    held = {one.rule for case in explanation.cases for one in case.held_by}
    if held & set(_ELSEWHERE):
        yield from ("", "[[event]]", 'at = "0s"', 'do = "pause"')
        return
    for event in around:
        inside = times.origin <= event.at < times.end
        if event.kind in _STOPS and inside:
            yield from ("", "[[event]]", f'at = "{times.offset(event.at)}"', 'do = "pause"')
        elif event.kind == "resumed" and inside:
            yield from ("", "[[event]]", f'at = "{times.offset(event.at)}"', 'do = "resume"')


_WORDS: Final = {kind: word for word, kind in STEPS.items()}

#: Steps that a scenario expects; who began and ended when is drawn.
_LEFT_OUT: Final = frozenset(("began", "ended", "advice", "refused"))

#: Rules that hold a case by what is drawn.
_DRAWN: Final = frozenset(
    ("keep", "dispute", "delivery", "evidence", "verdict", "window", "presence", "hours", "demand")
)


def expected_lines(explanation: Explanation, times: Rescaled) -> Iterator[str]:
    """Yield the steps, and the verdict at the end with what held the case then."""
    steps = [
        f'"{_WORDS[event.kind]}@{times.offset(event.at)}"'
        for event in explanation.events
        if event.kind in _WORDS and _WORDS[event.kind] not in _LEFT_OUT and event.at >= times.origin
    ]
    yield ""
    yield "[expect]"
    yield f'"1" = [{", ".join(steps)}]'
    row = explanation.row
    if row is None:
        return
    rules = [one.rule for one in (row.case.held_by if row.case else ())]
    held = next((f', held = "{rule}"' for rule in rules if rule in _DRAWN), "")
    yield f'"1@{times.length}" = {{ verdict = "{row.verdict}"{held} }}'


_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

#: Working hours that never end, for a time that is not that of any clock on a wall.
_ALWAYS = Hours(weekdays=tuple(range(7)), begin=0.0, end=24.0)


def policy_lines(policy: Policy, *, scale: float = 1.0) -> Iterator[str]:
    """
    Yield the lines of a policy that matches everything.

    `scale` is by how much longer a minute of the scenario is than a minute of the policy's own
    pace.  Quotas of teams are left out: they are told by GPUs that are not drawn.
    """
    yield "[[policy]]"
    yield f'name = "{policy.name}"'
    if any(rung.requeue for rung in policy.rungs):
        yield "match = { requeueable = true }"
    yield f"idle = {{ {', '.join(_idle(policy, scale))} }}"
    hours = policy.hours if scale == 1.0 else _ALWAYS
    yield f"when = {{ {', '.join(_when(policy, hours))} }}"
    yield "rungs = ["
    for number, rung in enumerate(policy.rungs):
        yield f"  {_rung(rung, policy, scale, first=number == len(policy.warnings))},"
    yield "]"
    keep = policy.keep
    yield (
        f'keep = {{ per_request = "{written(keep.per_request * scale)}", '
        f"per_day = {keep.per_day}, until_next_morning = {keep.mornings_per_week} }}"
    )
    yield f'mode = "{policy.mode}"'


def _idle(policy: Policy, scale: float) -> Iterator[str]:
    yield f'for = "{written(policy.idle_for * scale)}"'
    yield f'human_away = "{written(policy.away_for * scale)}"'
    yield f'presence_unknown = "{policy.presence_unknown}"'
    yield f"counting = {_texts(policy.counting)}"
    if policy.also:
        yield f"also = {_texts(policy.also)}"


def _when(policy: Policy, hours: Hours) -> Iterator[str]:
    yield f'demand = "{policy.demand}"'
    yield f"any_hour = {_flag(policy.any_hour)}"
    yield f"hours = {{ {', '.join(_hours(hours))} }}"


def _hours(hours: Hours) -> Iterator[str]:
    yield f'zone = "{hours.zone}"'
    yield f"weekdays = {_texts(tuple(_WEEKDAYS[day] for day in hours.weekdays))}"
    yield f'begin = "{_oclock(hours.begin)}"'
    yield f'end = "{_oclock(hours.end)}"'
    if hours.holidays:
        yield f"holidays = {_texts(hours.holidays)}"


def _rung(rung: Rung, policy: Policy, scale: float, *, first: bool) -> str:
    if rung.step == "warn":
        final = ", final = true" if rung.final else ""
        return f'{{ warn = {{ after = "{written(rung.after * scale)}"{final} }} }}'
    parts = [f'grace = "{written(policy.grace * scale)}"'] if first else []
    if rung.save is not None:
        parts += _save(rung.save, scale)
    if rung.requeue:
        parts.append("requeue = true")
    return f"{{ {rung.step} = {{ {', '.join(parts)} }} }}"


def _save(save: Save, scale: float) -> Iterator[str]:
    yield f'send = "{save.signal or "auto"}"'
    proof = f'path = "{{workdir}}/proof", within = "{written(save.within * scale)}"'
    yield f'proof = {{ {proof}, unproven = "{save.unproven}" }}'


def _texts(words: tuple[str, ...]) -> str:
    quoted = (f'"{word}"' for word in words)
    return f"[{', '.join(quoted)}]"


def _flag(value: bool) -> str:  # noqa: FBT001 - one word, and it is the subject
    return "true" if value else "false"


def _oclock(hours: float) -> str:
    whole, rest = divmod(round(hours * 60), 60)
    return f"{whole:02d}:{rest:02d}"
