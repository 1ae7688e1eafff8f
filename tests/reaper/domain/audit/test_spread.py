"""How values are spread is the same whether they are held or wait on shelves."""

from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.audit.changes import Changes
from reaper.domain.audit.spread import Tally, spread

VALUES = st.lists(
    st.one_of(st.integers(0, 9).map(float), st.floats(min_value=0.0, max_value=1e12)), max_size=60
)


@given(VALUES)
def test_values_that_are_more_than_can_be_held_are_spread_alike(values):
    tally = Tally(kept=3)
    for value in values:
        tally.add([value])

    assert tally.spread() == spread(values)


@given(VALUES)
def test_each_rank_is_the_value_of_some_job(values):
    found = spread(values)
    ordered = sorted(values)

    if found is not None:
        assert found.median == ordered[-(-len(ordered) // 2) - 1]
        assert found.p90 == ordered[-(-9 * len(ordered) // 10) - 1]


@given(st.lists(st.tuples(st.integers(0, 400_000), st.integers(1, 90_000), st.integers(0, 8))))
def test_changes_add_up_alike_however_few_are_held(jobs):
    spans = [(float(begin), float(begin + lasts), float(cards)) for begin, lasts, cards in jobs]

    assert added(spans, kept=2) == added(spans, kept=1000)


def added(spans, *, kept):
    changes = Changes(kept=kept)
    for begin, end, cards in spans:
        changes.add([begin], [end], [cards])
    return [one for part in changes.inorder() for one in zip(*part, strict=True)]
