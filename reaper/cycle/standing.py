"""Reading the books' small rooms at the begin of a turn: what stands, and what stops."""

from collections.abc import Iterable

from reaper.cycle.evaluation.deafness import Ears, Outage, after_deafness
from reaper.cycle.evaluation.outcome import after_silence
from reaper.cycle.item import Standing
from reaper.cycle.rules import Rules
from reaper.domain.escalation.approval import APPROVERS, approvers
from reaper.domain.escalation.budget import HOUR
from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import LACKING, Hold, Intent
from reaper.domain.escalation.notice import Notice
from reaper.domain.reason import because
from reaper.ports import Books


async def standing(
    books: Books, rules: Rules, *, now: float, jumps: bool, ears: Ears | None = None
) -> Standing:
    """Return everything that stands; `jumps` means that a long step is no silence of ours."""
    policies = {policy.name: policy for policy in rules.policies}
    heartbeat = None if jumps else await books.heartbeat()
    known = {case.run.key: case for case in await books.open_cases()}
    cases = after_silence(
        known,
        policies,
        heartbeat=heartbeat,
        now=now,
        pace=rules.pace,
    )
    notices = _by_case(await books.notices(*(case.id for case in cases.values())))
    if ears is not None and heartbeat is not None:
        look = Outage(begin=heartbeat, now=now, pace=rules.pace)
        cases = after_deafness(cases, notices, policies, ears, look)
    return Standing(
        cases=cases,
        delayed=tuple(case for key, case in cases.items() if case != known[key]),
        notices=notices,
        keeps=await books.keeps(now),
        disputed=frozenset([case.run.key for case in await books.disputed_cases()]),
        holds=(*await books.holds(), *_stops(rules, now)),
        intents=await _intents(books, now),
        policy_since={
            policy.version: await books.policy_since(policy.version, now)
            for policy in rules.policies
        },
        approved=frozenset(
            [case.id for case in cases.values() if await _is_approved(books, case, rules)]
        ),
    )


def _by_case(notices: Iterable[Notice]) -> dict[str, tuple[Notice, ...]]:
    found: dict[str, list[Notice]] = {}
    for notice in notices:
        found.setdefault(notice.case_id, []).append(notice)
    return {case_id: tuple(told) for case_id, told in found.items()}


async def _intents(books: Books, now: float) -> tuple[Intent, ...]:
    recent = {item.effect.id: item for item in await books.intents_since(now - HOUR)}
    recent.update({item.effect.id: item for item in await books.open_intents()})
    return tuple(recent.values())


async def _is_approved(books: Books, case: Case, rules: Rules) -> bool:
    if case.devices <= rules.limits.approval:
        return False
    events = await books.events(run_key=case.run.key, begin=case.opened)
    return len(approvers(events, case)) >= APPROVERS


def _stops(rules: Rules, now: float) -> tuple[Hold, ...]:
    """Return the holds that are no row of the store: the kill switch, and what is lacking."""
    stops = (
        ("killed", because("kill-switch") if rules.kill_switch() else ""),
        (LACKING, rules.lacking),
    )
    return tuple(
        Hold(id=kind, kind=kind, reason=reason, by="operator", begin=now)
        for kind, reason in stops
        if reason
    )
