"""
The daily advice on sizes, while it holds: an event an allocation, and word to its owner; pure.

It never touches a case: its notices belong to none, so that none counts them as a warning.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from reaper.cycle.item import Item
from reaper.cycle.rules import Rules
from reaper.cycle.snapshot.wording import event, story
from reaper.domain.escalation.notice import Delivery, Notice, advice_on
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.track import Track
from reaper.domain.judgement.hours import next_opening
from reaper.domain.judgement.policy import Mode, Policy
from reaper.domain.judgement.sizing import Advice, advice
from reaper.domain.judgement.verdict import Kind
from reaper.domain.money.entries import Event
from reaper.domain.reason import because

#: Kind of the event.
ADVICE: Final = "advice"

#: Kind of the event of a run that hangs: its owner is warned of it.
HANGS: Final = "warning"

#: For how long a run hangs until its owner is told; seconds.
TOLD_AFTER: Final = 3600.0

_DAY: Final = 86400.0

#: Seconds for which a host works beside idle GPUs from which on its owner is told.
_LONG: Final = 4 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Advised:
    """A day's advice: what the ledger gets, and what owners are told."""

    events: tuple[Event, ...] = ()
    notices: tuple[Notice, ...] = ()


def advise(
    items: Sequence[Item],
    tracks: Mapping[str, Track],
    records: Mapping[str, DeviceRecord],
    rules: Rules,
    *,
    before: float | None,
    now: float,
) -> Advised:
    """Return the day's advice in its first turn (UTC); `before` is when the last one was."""
    if not is_due(before, now):
        return Advised()
    found = [(item, tuple(_found(item, tracks, records))) for item in items]
    return Advised(
        events=tuple(_event(item, one, now) for item, several in found for one in several),
        notices=tuple(
            notice for item, several in found for notice in _notices(item, several, rules, now)
        ),
    )


def is_due(before: float | None, now: float) -> bool:
    """Tell whether a turn is the first of a day (UTC); `before` is when the last one was."""
    return before is not None and now // _DAY != before // _DAY


def hangs(items: Sequence[Item], rules: Rules, *, before: float | None, now: float) -> Advised:
    """
    Return the word to owners whose run has hung for an hour since the turn `before`, each once.

    It is no step of any ladder: nothing follows from it.
    """
    told = [item for item in items if _hangs_since(item, before, now)]
    return Advised(
        events=tuple(_hung(item) for item in told),
        notices=tuple(
            notice
            for item in told
            for notice in _notices(
                item, (Advice(kind=str(Kind.STALLED), text=item.verdict.reason),), rules, now
            )
        ),
    )


def _hung(item: Item) -> Event:
    said = event(item, HANGS, item.verdict.reason)
    return replace(said, numbers={**said.numbers, "hung": 1.0})


def _hangs_since(item: Item, before: float | None, now: float) -> bool:
    since = item.verdict.hung_since
    if since is None or before is None or item.allocation.doubt:
        return False
    return before < since + TOLD_AFTER <= now


def _found(
    item: Item, tracks: Mapping[str, Track], records: Mapping[str, DeviceRecord]
) -> Iterator[Advice]:
    if item.verdict.kind is Kind.STALLED:
        return
    yield from advice(item.allocation, tracks, records)
    if item.verdict.kind is Kind.HOST_BUSY and item.verdict.idle_for(item.verdict.at) >= _LONG:
        yield Advice(kind=str(Kind.HOST_BUSY), text=item.verdict.reason)
    if item.verdict.kind in (Kind.STARVED, Kind.SUSPECT) and not item.allocation.doubt:
        yield Advice(kind=str(item.verdict.kind), text=item.verdict.reason)


def _event(item: Item, found: Advice, now: float) -> Event:
    return Event(
        at=now,
        kind=ADVICE,
        run_key=item.allocation.run.key,
        by="gpu-reaper",
        text=because("advised", run=str(item.allocation.run), advice=found.text),
        numbers={"spare": found.spare} | ({"suspect": 1.0} if found.kind == Kind.SUSPECT else {}),
    )


def _notices(item: Item, found: Sequence[Advice], rules: Rules, now: float) -> Iterator[Notice]:
    """
    Yield a notice for each kind of advice on an allocation that somebody answers for.

    It waits until work begins; on a day without work there is none, as the next one tells it.
    """
    policy, situation = item.policy, item.situation
    exempt = situation is not None and situation.exemption is not None
    if policy is None or exempt or not item.allocation.owner:
        return
    opening = next_opening(policy.hours, now, rules.zone(policy.hours.zone))
    if opening >= (now // _DAY + 1) * _DAY:
        return
    for kind in dict.fromkeys(one.kind for one in found):
        alike = [one for one in found if one.kind == kind]
        summed = replace(alike[0], spare=sum(one.spare for one in alike))
        yield _notice(item, policy, summed, rules, opening=opening, now=now)


def _notice(
    item: Item, policy: Policy, found: Advice, rules: Rules, *, opening: float, now: float
) -> Notice:
    run, day = item.allocation.run, datetime.fromtimestamp(now, UTC).date()
    told = story(item, policy, (), rules)
    return Notice(
        id=f"{advice_on(run.key)}:{day}:{found.kind}",
        case_id=advice_on(run.key),
        run_key=run.key,
        to=item.allocation.owner,
        kind="advice",
        rung=0,
        story=replace(told, reason=found.text, spare=found.spare, seen_at=now),
        created=now,
        delivery=Delivery.ASSUMED if policy.mode is Mode.OBSERVE else Delivery.QUEUED,
        retry_at=opening,
    )
