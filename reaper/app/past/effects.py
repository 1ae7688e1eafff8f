"""Before and after a change of a policy, from the ledger: for the command."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from reaper.app.books.reporting import context
from reaper.app.past.pasts_ledger import allocations
from reaper.config import Configuration
from reaper.domain.judgement.policy import Policy, choose
from reaper.domain.money.account import account
from reaper.domain.money.conduct import conduct
from reaper.domain.money.effect import Effect, Half, effect, half
from reaper.domain.money.entries import GIVEN_BACK, RELEASED
from reaper.domain.money.ledger import Accounts, Ledger
from reaper.ports import ReaperError, Store, WrongError
from reaper.reports.reading import read

_DAY = 86400.0
_WEEK = 7 * _DAY


class NoEffectError(ReaperError):
    """There is nothing to compare; the message says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """An effect, of which policy and version."""

    policy: str
    version: str
    effect: Effect


async def measured(
    store: Store,
    configuration: Configuration,
    *,
    policy: str,
    at: float | None,
    span: float | None,
    now: float,
) -> Measured:
    """
    Compare equal spans before and after a policy's version came into force, or `at`.

    Without a `span` whole weeks are taken, as many as there are; else days.
    """
    chosen = _named(configuration, policy)
    async with store.reading() as books:
        changed = at if at is not None else await books.policy_since(chosen.version, now)
    if at is not None and at > now:
        raise WrongError("--at lies ahead: name a day that has been")
    length = _length(now - changed, span, policy)
    before = await _half(store, configuration, chosen, begin=changed - length, end=changed)
    after = await _half(store, configuration, chosen, begin=changed, end=changed + length)
    return Measured(
        policy=policy,
        version=chosen.version,
        effect=effect(before[0], after[0], at=changed, kept=_kept(before, after)),
    )


def _named(configuration: Configuration, name: str) -> Policy:
    found = next((item for item in configuration.policies if item.name == name), None)
    if found is None:
        known = ", ".join(item.name for item in configuration.policies) or "none"
        raise WrongError(f"--policy: there is no {name!r} in the configuration; it has: {known}")
    return found


def _length(since: float, span: float | None, policy: str) -> float:
    usual = since // _WEEK * _WEEK or since // _DAY * _DAY
    length = usual if span is None else span
    if length <= 0 or length > since:
        raise NoEffectError(
            f"policy {policy!r} is in force for {max(0.0, since) / _DAY:.1f} days only: there is "
            "nothing to compare yet; name an earlier change with --at, or a shorter --span"
        )
    return length


async def _half(
    store: Store, configuration: Configuration, policy: Policy, *, begin: float, end: float
) -> tuple[Half, dict[str, float]]:
    """Return one side, and the device-seconds held under the policy by owner."""
    told = context(configuration)
    async with store.reading() as books:
        ledger = await read(
            books,
            (begin, end),
            now=end,
            cluster=configuration.cluster,
            terms=told.terms,
            places=told.places,
        )
        cases = await books.cases_between(begin, end)
    accounts = account(ledger, begin=begin, end=end, terms=told.terms, as_of=end)
    under = _under(ledger, configuration.policies, policy, end)
    events = [event for event in ledger.events if begin <= event.at < end]
    step = told.terms.pace.step
    acted = conduct(events, cases, ledger.demand, minutes=round((end - begin) / step), step=step)
    side = half(
        accounts.runs,
        under,
        begin=begin,
        end=end,
        demand=acted.demand,
        released=sum(e.kind == RELEASED and e.run_key in under for e in events),
        given_back=sum(e.kind == GIVEN_BACK and e.run_key in under for e in events),
    )
    return side, _by_owner(accounts, under)


def _under(
    ledger: Ledger, policies: Sequence[Policy], policy: Policy, now: float
) -> frozenset[str]:
    """Return the keys of the runs for which a policy is the first that matches."""
    return frozenset(
        allocation.run.key
        for allocation in allocations(ledger.tenures)
        if choose(tuple(policies), allocation, now) == policy
    )


def _by_owner(accounts: Accounts, under: frozenset[str]) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for run in accounts.runs:
        if run.run.key in under:
            found[run.key.owner] += run.figures.allocated
    return found


def _kept(before: tuple[Half, dict[str, float]], after: tuple[Half, dict[str, float]]) -> float:
    held = sum(before[1].values())
    same = sum(seconds for owner, seconds in before[1].items() if owner in after[0].owners)
    return same / held if held else 1.0
