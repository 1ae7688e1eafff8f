"""Whether a replay went as its scenario expects, and each difference in words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from exporter.contract.expectation import (
    STEPS,
    TOUCHING,
    ExpectedStep,
    ExpectedVerdict,
)
from exporter.contract.scenario import Expectation, Scenario, written
from exporter.contract.telling import ExpectedWords
from reaper.app.past.onlooking import Seen
from reaper.app.past.replaying import Replayed
from reaper.domain.money.entries import Event
from reaper.domain.picture import Row
from reaper.languages.catalogue import refused, said

_WORDS: Final = {kind: word for word, kind in STEPS.items()}

#: Steps that a list may name where they matter; others of their kind are passed over.
_BESIDES: Final = frozenset((STEPS["began"], STEPS["ended"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """How much was expected, and each difference, several lines each."""

    steps: int
    verdicts: int
    never: int
    told: int
    differences: tuple[str, ...]

    @property
    def anything(self) -> bool:
        """Tell whether anything was expected."""
        return bool(self.steps or self.verdicts or self.never or self.told)

    @property
    def holds(self) -> bool:
        """Tell whether everything went as expected."""
        return not self.differences


def compare(scenario: Scenario, played: Replayed) -> Compared:
    """Compare what was decided with what the scenario expects."""
    expect = scenario.expect
    bench = _Bench(scenario=scenario, played=played)
    lists = (*expect.steps.values(), *((expect.cluster,) if expect.cluster is not None else ()))
    return Compared(
        steps=sum(len(steps) for steps in lists),
        verdicts=len(expect.verdicts),
        never=len(expect.never),
        told=len(expect.told),
        differences=tuple(bench.differences()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bench:
    """One comparison."""

    scenario: Scenario
    played: Replayed

    def differences(self) -> Iterator[str]:
        """Yield every difference: verdicts first, for steps follow from them."""
        expect = self.scenario.expect
        for wanted in expect.verdicts:
            yield from self._verdict(wanted)
        for name, steps in expect.steps.items():
            happened = [event for event in self.played.events if _id(event) == name]
            yield from self._steps(name, steps, happened)
        if expect.cluster is not None:
            happened = [event for event in self.played.events if not event.run_key]
            yield from self._steps("cluster", expect.cluster, happened)
        for item in expect.never:
            for event in self.played.events:
                if item.allocation in ("", _id(event)) and self._is(item.step, event):
                    whose = f"{_id(event)}: " if event.run_key else ""
                    yield f"{whose}{self._told(event)} happened, and must never: {said(event.text)}"
        yield from differences(expect, self.played)

    # -------------------------------------------------------------- verdicts

    def _verdict(self, wanted: ExpectedVerdict) -> Iterator[str]:
        place = f"{wanted.allocation} at {written(wanted.at)}"
        rows = self.played.looked.get(wanted.at)
        if rows is None:
            yield f"{place}: nothing was judged then: it lies outside the replay, or in an outage"
            return
        row = rows.get(wanted.allocation)
        kind = "gone" if row is None else row.verdict
        reason = "" if row is None else said(row.reason)
        if kind != wanted.kind or wanted.words.lower() not in reason.lower():
            was = f"{kind}: {reason}" if reason else kind
            yield f"{place}: expected {wanted.written}, was {was}"
        held = "; ".join(map(refused, row.case.held_by)) if row and row.case else ""
        if wanted.held.lower() not in held.lower():
            yield f"{place}: expected to be held by {wanted.held!r}, was {_held(row)}"

    # -------------------------------------------------------------- steps

    def _steps(
        self, name: str, wanted: Sequence[ExpectedStep], events: Sequence[Event]
    ) -> Iterator[str]:
        kinds = {STEPS[step.kind] for step in wanted if not step.anything}
        kinds |= {STEPS[word] for word in TOUCHING}
        happened = [event for event in events if event.kind in kinds]
        if self._fits(list(wanted), happened):
            return
        yield "\n".join(
            (
                f"{name}: expected  {', '.join(step.written for step in wanted) or 'nothing'}",
                f"{' ' * len(name)}  happened  {', '.join(map(self._told, happened)) or 'nothing'}",
                *(f"{' ' * len(name)}  {line}" for line in self._why(name, wanted, happened)),
            )
        )

    def _fits(self, wanted: list[ExpectedStep], events: list[Event]) -> bool:
        """Tell whether events are these steps in this order; ``...`` stands for any of them."""
        if not wanted:
            return all(event.kind in _BESIDES for event in events)
        first, rest = wanted[0], wanted[1:]
        if first.anything:
            return any(self._fits(rest, events[skipped:]) for skipped in range(len(events) + 1))
        if not events:
            return False
        if self._is(first, events[0]) and self._fits(rest, events[1:]):
            return True
        return events[0].kind in _BESIDES and self._fits(wanted, events[1:])

    def _is(self, step: ExpectedStep, event: Event) -> bool:
        if event.kind != STEPS[step.kind] or step.words.lower() not in said(event.text).lower():
            return False
        at, slack = event.at - self.played.begin, _SLACK
        if step.earliest is None or step.latest is None:
            return True
        return step.earliest - slack < at < step.latest + slack

    def _why(
        self, name: str, wanted: Sequence[ExpectedStep], events: Sequence[Event]
    ) -> Iterator[str]:
        """Name the first step that differs, and what stood in the way at the end."""
        events = self._named(wanted, events)
        for index, step in enumerate(wanted):
            if step.anything:
                break
            event = events[index] if index < len(events) else None
            if event is None:
                yield f"{step.written} did not happen"
                break
            if not self._is(step, event):
                yield f"instead of {step.written}: {self._told(event)}: {said(event.text)}"
                break
        else:
            for event in events[len(wanted) :][:1]:
                yield f"not expected: {self._told(event)}: {said(event.text)}"
        rows = self.played.picture.rows if self.played.picture else ()
        row = next((row for row in rows if row.id == name), None)
        if row is not None:
            yield f"at the end: {row.verdict}: {said(row.reason)}"
            yield f"held by: {_held(row)}"

    def _named(self, wanted: Sequence[ExpectedStep], events: Sequence[Event]) -> list[Event]:
        """Return the events without the begins and ends that no step is about."""
        left = [step for step in wanted if not step.anything and STEPS[step.kind] in _BESIDES]
        kept: list[Event] = []
        for event in events:
            if event.kind not in _BESIDES:
                kept.append(event)
            elif left and self._is(left[0], event):
                kept.append(event)
                left.pop(0)
        return kept

    def _told(self, event: Event) -> str:
        word = _WORDS.get(event.kind, event.kind)
        return f"{word}@{written(event.at - self.played.begin)}"


def _id(event: Event) -> str:
    """Return the drawn id of the allocation that an event is about."""
    return event.run_key.rpartition("@")[0]


def _held(row: Row | None) -> str:
    if row is None or row.case is None:
        return "nothing: it has no case"
    return "; ".join(map(refused, row.case.held_by)) or f"nothing: its case is {row.case.state}"


#: How far a moment may lie from the one that is written, in seconds: within its minute.
_SLACK: Final = 60.0

#: Characters of a text that a difference shows.
_LONGEST: Final = 300


def differences(expect: Expectation, played: Replayed) -> Iterator[str]:
    """Yield what was not told, and what was and never must be."""
    for item in expect.says:
        said = _notices(item, played)
        if not any(item.are_in(seen.text) for seen in said):
            yield f"no notice says {item.written}: {_shown(said, played)}"
    for item in expect.never_says:
        for seen in _notices(item, played):
            if item.are_in(seen.text):
                yield f"a notice says {item.written}, and must never: {_shown([seen], played)}"
    for item in expect.operator:
        said = _covered(item, played.onlooker.queued, played)
        if not any(item.are_in(seen.text) for seen in said):
            yield f"no operator is told {item.written}: {_shown(said, played)}"
    for name, why in played.onlooker.faults.items():
        yield f"alert {name}: {why}"
    yield from _alerts(expect, played)


def _alerts(expect: Expectation, played: Replayed) -> Iterator[str]:
    for item in expect.alerts:
        held = _covered(item, played.onlooker.alerts, played)
        if all(seen.text != item.words for seen in held):
            yield f"alert {item.written}: its condition does not hold"
    for item in expect.never_alerts:
        for seen in _covered(item, played.onlooker.alerts, played):
            if seen.text == item.words:
                at = written(seen.at - played.begin)
                yield f"alert {item.written}: its condition holds at {at}, and must never"
                break


def _notices(item: ExpectedWords, played: Replayed) -> list[Seen]:
    told = (
        Seen(at=one.at, text=one.text, allocation=one.notice.run_key.rpartition("@")[0])
        for one in played.told
        if item.kind in ("", one.notice.kind)
    )
    return _covered(item, told, played)


def _covered(item: ExpectedWords, seen: Iterable[Seen], played: Replayed) -> list[Seen]:
    return [
        one
        for one in seen
        if item.allocation in ("", one.allocation) and item.cover(one.at - played.begin, _SLACK)
    ]


def _shown(seen: Iterable[Seen], played: Replayed) -> str:
    """Return what was told instead, each text once and cut short."""
    texts = {" ".join(one.text.split())[:_LONGEST]: written(one.at - played.begin) for one in seen}
    return "; ".join(f"@{at} {text}" for text, at in texts.items()) or "nothing is told then"
