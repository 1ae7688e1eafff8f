"""The values that people are shown: stories for messages, events for the ledger; pure."""

from collections.abc import Sequence
from dataclasses import replace

from reaper.cycle.evaluation.outcome import LATE
from reaper.cycle.item import Item
from reaper.cycle.rules import Rules
from reaper.domain.escalation import ladder
from reaper.domain.escalation.case import Case, OwnRelease, Saying, State
from reaper.domain.escalation.final import release_at
from reaper.domain.escalation.keep import Keep, keeps_left, mornings_left
from reaper.domain.escalation.notice import UNSETTLED, Delivery, Notice, NoticeKind, Story
from reaper.domain.escalation.refusal import refusals, waiting_are_workloads
from reaper.domain.escalation.saving import savable
from reaper.domain.escalation.sequel import WARNINGS
from reaper.domain.escalation.used import last_used
from reaper.domain.facts.allocation import Purpose
from reaper.domain.judgement.policy import Mode, Policy, Rung
from reaper.domain.money.entries import Event
from reaper.domain.reason import Words


def warning(
    item: Item, case: Case, rung: Rung, *, policy: Policy, keeps: tuple[Keep, ...], rules: Rules
) -> Notice:
    """Return the notice of a warning rung; outside act and notify it is assumed, not sent."""
    now = item.verdict.at
    kind: NoticeKind = "final" if rung.final else "warning"
    index = case.rung - 1
    ends = rung.final and bool(policy.acts) and item.situation is not None
    named = release_at(item.situation) if ends and item.situation else None
    return Notice(
        id=f"{case.id}:{kind}:{index}:{case.round}",
        case_id=case.id,
        run_key=case.run.key,
        to=case.owner,
        kind=kind,
        rung=index,
        round=case.round,
        created=now,
        story=story(item, policy, keeps, rules, named=named),
        delivery=Delivery.ASSUMED if policy.mode is Mode.OBSERVE else Delivery.QUEUED,
    )


def saying(
    item: Item, case: Case, told: Sequence[Notice], *, keeps: tuple[Keep, ...], rules: Rules
) -> Saying | None:
    """Return what the newest warning of a case says by now; None where it has arrived."""
    situation, now = item.situation, item.verdict.at
    last = next((one for one in told if _is_on_its_way(one, case)), None)
    if last is None or situation is None or case.state is not State.OPEN:
        return None
    policy = situation.policy
    ends = last.kind == "final" and bool(policy.acts)
    so = story(item, policy, keeps, rules, named=release_at(situation) if ends else None)
    against = ladder.against_telling(case, situation)
    late = now - last.created > LATE * rules.pace.step
    return Saying(
        story=replace(so, late=late),
        until=now + LATE * rules.pace.step,
        against=against[0].said if against else "",
    )


def _is_on_its_way(notice: Notice, case: Case) -> bool:
    newest = (notice.case_id, notice.rung, notice.round) == (case.id, case.rung - 1, case.round)
    return newest and notice.kind in WARNINGS and notice.delivery in UNSETTLED


def ending(
    case: Case, told: Sequence[Notice], kind: NoticeKind, text: Words, now: float
) -> Notice | None:
    """Return the notice that tells how a release ended; None when its owner was told nothing."""
    last = max(told, key=lambda notice: notice.created, default=None)
    if last is None:
        return None
    so = replace(last.story, release_at=None, outcome=text, late=False)
    return _ended(case, kind, so, now=now, ident=f"{kind}:{case.attempts}:{case.round}")


def own_ending(
    case: Case, asked: OwnRelease, kind: NoticeKind, text: Words, *, now: float, rules: Rules
) -> Notice:
    """Return the notice that tells an owner what became of the release that he asked for."""
    so = replace(asked.story, outcome=text, page=rules.page, currency=rules.currency)
    return _ended(case, kind, so, now=now, ident=f"own {kind}:{case.attempts}:{asked.at:.0f}")


def _ended(case: Case, kind: NoticeKind, so: Story, *, now: float, ident: str) -> Notice:
    return Notice(
        id=f"{case.id}:{ident}",
        case_id=case.id,
        run_key=case.run.key,
        to=case.owner,
        kind=kind,
        rung=case.rung,
        round=case.round,
        created=now,
        story=so,
    )


def story(
    item: Item,
    policy: Policy,
    keeps: tuple[Keep, ...],
    rules: Rules,
    *,
    named: float | None = None,
) -> Story:
    """Return the numbers of an allocation's verdict and case, for any message."""
    allocation, verdict = item.allocation, item.verdict
    price = rules.price(allocation, verdict.at)
    key, now = allocation.run.key, verdict.at
    used = last_used(allocation, verdict)
    return Story(
        allocation=str(allocation.run),
        user=allocation.owner,
        name=allocation.claim.name,
        nodes=allocation.nodes,
        devices=allocation.expected,
        model=allocation.model,
        purpose=str(allocation.purpose),
        verdict=str(verdict.kind),
        reason=verdict.reason,
        idle_since=verdict.since if verdict.since is not None else verdict.at,
        idle_seconds=verdict.idle_for(verdict.at),
        policy=policy.name,
        would=policy.mode is not Mode.ACT,
        cost_per_hour=None if price is None else price * allocation.expected,
        currency=rules.currency,
        release_at=named,
        conditions=_conditions(item),
        acts=bool(policy.acts),
        keep_seconds=policy.keep.per_request,
        keeps_left=keeps_left(keeps, policy.keep, run_key=key, now=now, used=used),
        mornings_left=mornings_left(keeps, policy.keep, run_key=key, now=now),
        can_save=item.situation is not None and savable(item.situation),
        requeue=any(rung.requeue for rung in policy.acts),
        parting=allocation.claim.parting,
        hooked=allocation.claim.hooked,
        back=rules.back.get(allocation.run.platform, "").replace("{id}", allocation.run.id),
        page=rules.page,
    )


def _conditions(item: Item) -> tuple[str, ...]:
    """Return the rules that stand against a release as it is told, each once."""
    if item.situation is None or not item.situation.policy.acts:
        return ()
    rules = [refusal.rule for refusal in refusals(item.situation) if refusal.rule != "window"]
    if waiting_are_workloads(item.allocation):
        rules = ["demand-workload" if rule == "demand" else rule for rule in rules]
    saves = [rung.save for rung in item.situation.policy.acts if rung.save is not None]
    needed = any(save.unproven == "hold" for save in saves) and not savable(item.situation)
    return tuple(dict.fromkeys((*rules, *(("save",) if needed else ()))))


def event(item: Item, kind: str, text: Words, case: Case | None = None) -> Event:
    """Return a ledger event about an allocation, with its verdict's numbers."""
    verdict = item.verdict
    return Event(
        at=verdict.at,
        kind=kind,
        run_key=item.allocation.run.key,
        case_id=case.id if case else "",
        by="gpu-reaper",
        text=text,
        numbers={
            "idle_seconds": verdict.idle_for(verdict.at),
            "devices": float(item.allocation.expected),
            "coverage": verdict.coverage,
            **_person(item),
        },
    )


def _person(item: Item) -> dict[str, float]:
    """Return when the person was last seen, and whether they were proven away (1) or not (0)."""
    seen = item.situation
    if seen is None or item.allocation.purpose is not Purpose.INTERACTIVE:
        return {}
    last = {} if seen.last_human is None else {"last_input": seen.last_human}
    return {**last, "away": float(seen.presence.away)}
