"""An owner's own release, as far as it can be told before a platform is asked; pure."""

from collections.abc import Iterable, Mapping
from typing import Final

from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.decision import Hold, scopes
from reaper.domain.escalation.notice import Story
from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Mode, Policy
from reaper.domain.judgement.verdict import UNUSED, Kind
from reaper.domain.money.entries import Tenure
from reaper.domain.picture import Row
from reaper.requests.identity import RefusedError, UnconfirmedError


def must_be_possible(row: Row, holds: Iterable[Hold], now: float, command: str) -> None:
    """
    Refuse what will not be done: outside the modes that may touch it, or under a hold.

    `command` is how its owner ends it without us, "none" where that is not known.
    """
    name = f"{row.platform}/{row.id}"
    if row.mode not in (Mode.NOTIFY, Mode.ACT):
        policed = "yes" if row.policy else "no"
        raise RefusedError(
            "not-touched", allocation=name, policed=policed, policy=row.policy, command=command
        )
    over = scopes(row.run_key, name, row.nodes, row.policy)
    for hold in holds:
        if hold.scope in over and hold.stands(now):
            raise RefusedError(
                "nothing-released-now", hold=hold.kind, reason=hold.reason, command=command
            )
    if row.verdict == Kind.UNKNOWN:
        raise RefusedError("not-known", allocation=name, reason=row.reason, command=command)


def must_be_idle(row: Row) -> None:
    """Refuse what is at work until its owner has confirmed that it is to end."""
    if row.verdict not in UNUSED:
        name = f"{row.platform}/{row.id}"
        raise UnconfirmedError(
            "at-work", allocation=name, verdict=str(row.verdict), reason=row.reason
        )


#: What is said beside an answer that comes when the release has begun.
LATE: Final = "; its release had begun, and is taken back where that can still be done"


def _acts(case: Case) -> bool:
    """Tell whether a case is in the middle of an act."""
    return case.state in (State.ACTING, State.VERIFYING)


def _saves(case: Case) -> bool:
    """Tell whether a case asked for a save that is not proven yet."""
    return case.saving is not None and not case.saving.stands


def begun(case: Case | None) -> bool:
    """Tell whether the release of a case has begun."""
    return case is not None and _acts(case) and not _saves(case)


def must_be_open(case: Case) -> None:
    """Refuse a case that is in the middle of an act."""
    if _acts(case):
        code = "saving-itself" if _saves(case) else "being-released"
        raise RefusedError(code, run=str(case.run))
    if case.own_release is not None:
        raise RefusedError("will-be-released", run=str(case.run), by=case.own_release.by)


def opened(
    tenures: Iterable[Tenure], row: Row, policies: Mapping[str, Policy], now: float, pace: Pace
) -> Case:
    """Return a new case of a live allocation."""
    run = next((tenure.run for tenure in tenures if tenure.end is None), None)
    policy = policies.get(row.policy)
    if run is None or policy is None:
        raise RefusedError("not-in-the-books", allocation=f"{row.platform}/{row.id}")
    return Case(
        id=f"{row.run_key}@{int(now)}/own",
        run=run,
        owner=row.owner,
        policy=policy.name,
        policy_version=policy.version,
        mode=policy.mode,
        opened=now,
        devices=row.gpus,
        nodes=row.nodes,
        judged_to=pace.closed(now),
    )


def credited(row: Row, case: Case) -> bool:
    """Tell whether it gives something back that was not used: idle now, or its owner was warned."""
    return row.verdict in UNUSED or any(at is not None for at in case.warned)


def story(row: Row, policies: Mapping[str, Policy], now: float) -> Story:
    """Return what messages tell about a release that its owner asked for."""
    policy = policies[row.policy]
    return Story(
        allocation=f"{row.platform}/{row.id}",
        user=row.owner,
        name=row.name,
        nodes=row.nodes,
        devices=row.gpus,
        model=row.model,
        purpose=row.purpose,
        verdict=row.verdict,
        reason=row.reason,
        idle_since=row.idle_since if row.idle_since is not None else now,
        idle_seconds=row.idle_seconds,
        policy=policy.name,
        would=False,
        cost_per_hour=row.cost_per_hour,
        own=True,
    )
