"""Budgets refuse by name, whatever the order."""

from dataclasses import replace
from itertools import permutations

import pytest

from reaper.domain.escalation.budget import Candidate, Limits, Ration, ration
from reaper.domain.escalation.decision import Intent, Phase, Verb
from reaper.languages.catalogue import refused
from tests.builders import START, intent


def candidate(ident: str, *, owner: str = "", node: str = "", devices: int = 1) -> Candidate:
    """Return a candidate; owner and node are its own unless named."""
    return Candidate(
        case_id=ident,
        owner=owner or f"user-{ident}",
        nodes=(node or f"node-{ident}",),
        devices=devices,
        since=START,
    )


def rationed(
    *candidates: Candidate, spent: tuple[Intent, ...] = (), allocated: int = 1000
) -> Ration:
    """Ration under the default limits."""
    return ration(candidates, spent=spent, limits=Limits(), allocated=allocated, now=START)


def test_at_most_five_acts_a_cycle() -> None:
    """The rest waits for the next."""
    result = rationed(*(candidate(str(number)) for number in range(8)))

    assert len(result.granted) == 5
    assert all("5 acts a cycle" in refused(refusal) for refusal in result.refused.values())


@pytest.mark.parametrize(
    ("candidates", "reason"),
    [
        pytest.param([candidate(str(n), owner="mira") for n in range(3)], "2 an owner", id="owner"),
        pytest.param([candidate(str(n), node="gpu01") for n in range(2)], "1 a node", id="node"),
        pytest.param(
            [candidate("a", devices=15), candidate("b", devices=6)], "2% of the", id="share"
        ),
        pytest.param([candidate("a", devices=17)], "two operators", id="approval"),
    ],
)
def test_a_limit_refuses_by_name(candidates: list[Candidate], reason: str) -> None:
    """One over the limit, and the reason says which."""
    result = rationed(*candidates)

    assert [reason in refused(refusal) for refusal in result.refused.values()] == [True]


def test_one_allocation_is_always_allowed_by_the_share() -> None:
    """Two per cent of ten GPUs is none; one act still may be."""
    assert len(rationed(candidate("a", devices=8), allocated=10).granted) == 1


def test_the_last_hour_counts_and_plans_count_too() -> None:
    """Observe and act spend alike."""
    spent = (intent(phase=Phase.PLANNED, created=START - 600),)

    assert "1 a node" in refused(rationed(candidate("a", node="gpu01"), spent=spent).refused["a"])


def test_the_answer_does_not_depend_on_the_order() -> None:
    """Longest idle first, then by name."""
    items = [candidate(str(number), owner="mira") for number in range(4)]

    answers = {tuple(c.case_id for c in rationed(*order).granted) for order in permutations(items)}

    assert answers == {("0", "1")}


def spent(verb: Verb, ident: str = "a") -> Intent:
    """Return an act of a case that has begun on the node of the same name."""
    base = intent(phase=Phase.BEGUN)
    effect = replace(base.effect, id=f"{ident}:{verb}", case_id=ident, verb=verb)
    return replace(base, effect=effect, owner=f"user-{ident}", nodes=(f"node-{ident}",))


def test_a_release_that_follows_its_save_was_rationed_with_it() -> None:
    """A node's one act an hour is not spent twice by one case."""
    again = replace(candidate("a", devices=17), follows=True)

    assert len(rationed(again, spent=(spent(Verb.SAVE),)).granted) == 1


def test_a_save_spends_like_any_act() -> None:
    """Nobody else's on that node, not even another save."""
    other = candidate("b", node="node-a")

    assert "1 a node" in refused(rationed(other, spent=(spent(Verb.SAVE),)).refused["b"])


def test_a_save_and_its_release_are_one_act() -> None:
    """An owner's second act is left."""
    both = (spent(Verb.SAVE), spent(Verb.RELEASE))
    other = candidate("b", owner="user-a")

    assert len(rationed(other, spent=both).granted) == 1


def test_giving_something_back_spends_nothing() -> None:
    """A restore is no act."""
    other = candidate("b", node="node-a")

    assert len(rationed(other, spent=(spent(Verb.RESTORE),)).granted) == 1
