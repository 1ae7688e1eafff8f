"""Proposals are the most worthwhile ones, each with its arithmetic, and never more than three."""

from decimal import Decimal

import pytest

from reaper.domain.money.figures import Costs, Figures, Key, total
from reaper.domain.money.ledger import Accounts, Cut, Tail
from reaper.domain.money.proposals import MOST, propose
from reaper.domain.prices.amounts import Amounts
from tests.books import HOUR


def euros(amount: str) -> Amounts:
    return Amounts(by_currency={"EUR": Decimal(amount)})


def accounts(*tails: Tail, **figures: object) -> Accounts:
    """Books in which one team held training and interactive GPUs."""
    known = {"idle": 200 * HOUR, "wasted": 100 * HOUR, "costs": Costs(wasted=euros("250"))}
    one = Figures(**{**known, **figures})
    lines = {
        Key(team="vision", owner="mira", purpose=purpose, partition=partition, model="A100"): one
        for purpose, partition in (("interactive", "dev"), ("training", "gpu"))
    }
    return Accounts(
        begin=0.0,
        end=7 * 24 * HOUR,
        as_of=7 * 24 * HOUR,
        figures=lines,
        total=total(lines.values()),
        tails=tails,
    )


def tail(purpose: str, partition: str, *, window: float, cuts: tuple[Cut, ...] = ()) -> Tail:
    return Tail(
        purpose=purpose,
        partition=partition,
        runs=20,
        idle_runs=8,
        windows=((HOUR, window), (4 * HOUR, window)),
        limits=cuts,
    )


DEV = tail("interactive", "dev", window=40 * HOUR)


def test_a_window_would_return_the_idle_ends_at_the_average_price():
    (one, *_) = propose(accounts(DEV))

    assert one.title == ("Release interactive allocations in partition dev after 1 h without work")
    assert one.seconds == 40 * HOUR
    assert one.worth == euros("100")
    assert "8 of 20 runs were idle to their end" in one.arithmetic


def test_the_better_of_window_and_limit_is_proposed():
    cut = Cut(limit=8 * HOUR, returned=60 * HOUR, ended=6, working=1)
    found = propose(accounts(tail("interactive", "dev", window=40 * HOUR, cuts=(cut,))))

    assert [one.kind for one in found if one.subject.startswith("interactive")] == ["limit"]
    assert "1 of 20 runs still worked then" in found[0].arithmetic


def test_a_limit_that_many_would_have_to_extend_is_none():
    hard = Cut(limit=4 * HOUR, returned=90 * HOUR, ended=9, working=5)
    soft = Cut(limit=12 * HOUR, returned=50 * HOUR, ended=5, working=2)
    found = propose(accounts(tail("interactive", "dev", window=40 * HOUR, cuts=(hard, soft))))

    assert (
        found[0].title == "Default time limit of 12 h for interactive allocations in partition dev"
    )


def test_the_most_worthwhile_comes_first_and_three_are_enough():
    tails = [tail("training", f"gpu{n}", window=n * 10 * HOUR) for n in range(1, 6)]
    found = propose(accounts(*tails, avoidable=7 * HOUR, partial=3 * HOUR))

    assert len(found) == MOST
    assert [round(one.seconds / HOUR) for one in found] == [50, 40, 14]


def test_what_is_worth_less_than_an_hour_is_not_proposed():
    assert propose(accounts(tail("training", "gpu", window=0.5 * HOUR))) == ()


@pytest.mark.parametrize(
    ("figures", "kind"),
    [
        ({"avoidable": 20 * HOUR}, "act"),
        ({"partial": 20 * HOUR}, "size"),
        ({"unpriced": 20 * HOUR}, "price"),
        ({"unknown": 20 * HOUR, "high": 110 * HOUR}, "coverage"),
    ],
)
def test_every_kind_of_waste_has_its_proposal(figures: dict[str, float], kind: str):
    (one,) = propose(accounts(**figures))

    assert one.kind == kind
    assert one.arithmetic


def test_nothing_is_proposed_where_nothing_was_wasted():
    assert propose(accounts(idle=0.0, wasted=0.0, costs=Costs())) == ()


def test_what_would_only_be_seen_returns_nothing():
    (one,) = propose(accounts(unpriced=20 * HOUR))

    assert (one.seconds, one.worth) == (0.0, Amounts())


def test_the_width_of_the_range_says_what_it_is_made_of():
    """The unseen alone would not explain it."""
    found = propose(
        accounts(unknown=17 * HOUR, wasted=26 * HOUR, high=71 * HOUR, joined=28 * HOUR, avoidable=0)
    )

    (seeing,) = [one for one in found if one.kind == "coverage"]
    assert seeing.arithmetic == (
        "34 of 434 held GPU-h were unseen; they make the range 90 GPU-h wide, 56 of them seen idle "
        "in stretches that unseen minutes cut short"
    )
