"""
What could be done about the waste of a span, each with the arithmetic that stands behind it.

What a window or a limit would have returned counts only the idle ends of runs, so it is a lower
bound; its money is taken at the average price of what the same class wasted in the same partition.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.figures import Figures
from reaper.domain.money.ledger import Accounts, Cut, Tail
from reaper.domain.prices.amounts import NOTHING, Amounts
from reaper.domain.spoken import count

#: Proposals that a report makes.
MOST: Final = 3

#: Proposals of one kind at the most.
_ALIKE: Final = 2

#: Windows proposed to people at a keyboard, and to everything else; seconds.
_WINDOWS: Final = {Purpose.INTERACTIVE: 3600.0}
_OTHERWISE: Final = 14400.0

#: Share of the runs that may still work when a proposed limit ends.
_MAY_WORK: Final = 0.1

#: Device-seconds below which nothing is worth a proposal.
_WORTH: Final = 3600.0

_HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Something to do: what, why in numbers, and what it would have returned (0: it would show)."""

    kind: str
    subject: str
    title: str
    arithmetic: str
    seconds: float
    worth: Amounts = NOTHING


def propose(accounts: Accounts) -> tuple[Proposal, ...]:
    """Return the most worthwhile proposals, at most one about the same subject."""
    groups = accounts.by("purpose", "partition")
    found = [
        *(one for tail in accounts.tails for one in _of_tail(tail, groups)),
        *_acting(accounts.total),
        *_fewer(accounts),
    ]
    found = [one for one in found if one.seconds >= _WORTH]
    ranked = sorted(found, key=lambda one: (-one.seconds, one.kind, one.subject))
    chosen: dict[str, Proposal] = {}
    kinds: Counter[str] = Counter()
    for one in ranked:
        if one.subject not in chosen and kinds[one.kind] < _ALIKE:
            chosen[one.subject] = one
            kinds[one.kind] += 1
    clearer = [*_pricing(accounts), *_seeing(accounts.total)]
    return (*chosen.values(), *clearer)[:MOST]


def _of_tail(tail: Tail, groups: Mapping[tuple[str, ...], Figures]) -> Iterator[Proposal]:
    figures = groups.get((tail.purpose, tail.partition), Figures())
    where = f" in partition {tail.partition}" if tail.partition else ""
    called = "unclassified" if tail.purpose == Purpose.OTHER else tail.purpose
    subject = f"{called}{where}"
    window = _WINDOWS.get(Purpose(tail.purpose), _OTHERWISE)
    returned = dict(tail.windows).get(window, 0.0)
    yield Proposal(
        kind="window",
        subject=subject,
        title=f"Release {called} allocations{where} after {_hours(window)} h without work",
        arithmetic=(
            f"{tail.idle_runs} of {_runs(tail.runs)} were idle to their end; "
            f"{_hours(returned)} GPU-h lay beyond the first {_hours(window)} h of their last "
            f"stretch, and no work followed it"
        ),
        seconds=returned,
        worth=_worth(figures, returned),
    )
    for cut in _gentle(tail):
        yield Proposal(
            kind="limit",
            subject=subject,
            title=f"Default time limit of {_hours(cut.limit)} h for {called} allocations{where}",
            arithmetic=(
                f"{_runs(cut.ended)} idle from that age to the end: "
                f"{_hours(cut.returned)} GPU-h; {cut.working} of {_runs(tail.runs)} still worked "
                f"then and would ask for longer"
            ),
            seconds=cut.returned,
            worth=_worth(figures, cut.returned),
        )


def _gentle(tail: Tail) -> Iterator[Cut]:
    """Yield the shortest limit that hardly any run would have to ask to extend."""
    gentle = [cut for cut in tail.limits if cut.working <= _MAY_WORK * tail.runs]
    yield from gentle[:1]


def _acting(total: Figures) -> Iterator[Proposal]:
    yield Proposal(
        kind="act",
        subject="policies",
        title="Let the policies in force act",
        arithmetic=(
            f"{_hours(total.avoidable)} of {_hours(total.wasted)} wasted GPU-h came after a policy "
            f"could have released, or was held back"
        ),
        seconds=total.avoidable,
        worth=total.costs.avoidable,
    )


def _fewer(accounts: Accounts) -> Iterator[Proposal]:
    """Yield what teams held on some devices of runs whose others worked."""
    for (team,), one in accounts.by("team").items():
        if one.partial:
            name = team or "no team"
            yield Proposal(
                kind="size",
                subject=f"team {name}",
                title=f"Ask {name} to request fewer GPUs per job",
                arithmetic=(
                    f"{_hours(one.partial)} of its {_hours(one.wasted)} wasted GPU-h were idle "
                    f"devices of jobs whose other devices worked"
                ),
                seconds=one.partial,
                worth=_worth(one, one.partial),
            )


def _pricing(accounts: Accounts) -> Iterable[Proposal]:
    bare = {name or "unknown": one for (name,), one in accounts.by("model").items() if one.unpriced}
    if bare:
        hours = _hours(sum(one.unpriced for one in bare.values()))
        yield Proposal(
            kind="price",
            subject="rate card",
            title=f"Give {', '.join(bare)} a price",
            arithmetic=f"{hours} held GPU-h are in no sum of money",
            seconds=0.0,
        )


def _seeing(total: Figures) -> Iterable[Proposal]:
    if total.unknown >= _WORTH:
        gap = total.high - total.wasted
        joined = (
            f", {_hours(total.joined)} of them seen idle in stretches that unseen minutes cut short"
            if total.joined
            else ""
        )
        yield Proposal(
            kind="coverage",
            subject="coverage",
            title="See what is unseen",
            arithmetic=(
                f"{_hours(total.unknown)} of {_hours(total.allocated)} held GPU-h were unseen; "
                f"they make the range {_hours(gap)} GPU-h wide{joined}"
            ),
            seconds=0.0,
        )


def _worth(figures: Figures, seconds: float) -> Amounts:
    """Return the money of device-seconds at the average price of what the figures wasted."""
    if not figures.wasted:
        return NOTHING
    part = Decimal(seconds) / Decimal(figures.wasted)
    amounts = figures.costs.wasted.by_currency
    return Amounts(by_currency={name: amount * part for name, amount in amounts.items()})


def _runs(number: int) -> str:
    return count(number, "run")


def _hours(seconds: float) -> str:
    return f"{seconds / _HOUR:,.1f}".removesuffix(".0")
