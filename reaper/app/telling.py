"""Whether owners, operators and dashboards were told in a replay what its scenario expects."""

from collections.abc import Iterable, Iterator
from typing import Final

from exporter.contract.scenario import Expectation, written
from exporter.contract.telling import ExpectedWords
from reaper.app.onlooking import Seen
from reaper.app.replaying import Replayed

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
