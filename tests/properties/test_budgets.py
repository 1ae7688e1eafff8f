"""Whatever wants to act in whatever order, no budget is ever exceeded."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.escalation.budget import HOUR, Candidate, Limits, ration
from reaper.domain.escalation.decision import Intent
from tests.builders import MINUTE, START, intent

LIMITS = Limits(per_cycle=2, per_hour=5, per_owner=2, per_node=1, share=0.1, approval=16)
ALLOCATED = 100

wishes = st.lists(
    st.tuples(
        st.integers(0, 20),
        st.sampled_from(["mira", "otto", "anna"]),
        st.lists(st.sampled_from(["n1", "n2", "n3", "n4"]), min_size=1, max_size=2, unique=True),
        st.integers(1, 20),
        st.booleans(),
    ),
    max_size=12,
)


def candidate(number: int, wish: tuple[int, str, list[str], int, bool]) -> Candidate:
    since, owner, nodes, devices, approved = wish
    return Candidate(
        case_id=f"c{number}",
        owner=owner,
        nodes=tuple(nodes),
        devices=devices,
        since=START - since * MINUTE,
        approved=approved,
    )


def begun(item: Candidate, now: float) -> Intent:
    """Return the intent of a candidate that may act."""
    return replace(intent(created=now), owner=item.owner, nodes=item.nodes, devices=item.devices)


@given(st.lists(wishes, min_size=1, max_size=8), st.integers(1, 30))
def test_no_budget_is_exceeded_in_any_hour(turns: list[list], apart: int) -> None:
    spent: list[Intent] = []
    for turn, listed in enumerate(turns):
        now = START + turn * apart * MINUTE
        wanting = [candidate(number, wish) for number, wish in enumerate(listed)]
        granted = ration(wanting, spent=spent, limits=LIMITS, allocated=ALLOCATED, now=now).granted
        spent += [begun(item, now) for item in granted]

        recent = [item for item in spent if item.created > now - HOUR]
        assert len(granted) <= LIMITS.per_cycle
        assert len(recent) <= LIMITS.per_hour
        assert max(Counter(i.owner for i in recent).values(), default=0) <= LIMITS.per_owner
        nodes = Counter(node for item in recent for node in item.nodes)
        assert max(nodes.values(), default=0) <= LIMITS.per_node
        held = sum(item.devices for item in recent)
        assert len(recent) <= 1 or held <= LIMITS.share * ALLOCATED
        assert all(item.approved or item.devices <= LIMITS.approval for item in granted)


@given(wishes, st.randoms(use_true_random=False))
def test_who_may_act_does_not_depend_on_the_order(listed: list, chance) -> None:
    wanting = [candidate(number, wish) for number, wish in enumerate(listed)]
    shuffled = chance.sample(wanting, len(wanting))

    def granted(items: list[Candidate]) -> list[str]:
        found = ration(items, spent=(), limits=LIMITS, allocated=ALLOCATED, now=START)
        return sorted(item.case_id for item in found.granted)

    assert granted(wanting) == granted(shuffled)
