"""What holds for every sequence of readings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.sampling.snapshot import Absent, Activity, Measured
from exporter.sampling.tally import Tally

HIDDEN = Absent(state="stale", reason="hidden")
steps = st.lists(
    st.tuples(
        st.floats(0.01, 6, allow_nan=False),
        st.none() | st.floats(0, 1, allow_nan=False),
        st.booleans(),
    ),
    min_size=1,
    max_size=40,
)


def readings(drawn, *, hide=False):
    """Return readings from (distance, value or absent, hidden) steps."""
    at, found = 0.0, []
    for distance, value, hidden in drawn:
        at += distance
        absent = value is None or (hide and hidden)
        signal = HIDDEN if absent else Measured(value=value, source="gpm")
        found.append(Activity(gpu="g", at=at, signals={"sm": signal}, links={}))
    return found


def tally(items):
    counters = Tally()
    for item in items:
        counters.add_activity(item, 1.0)
    return counters


def counts(counters):
    seen = counters.observed.get("sm", 0.0)
    active = counters.active.get("sm", 0.0)
    return [seen, active, seen - active, *counters.above]


@given(steps)
def test_observed_never_exceeds_elapsed(drawn):
    items = readings(drawn)

    assert tally(items).observed.get("sm", 0.0) <= items[-1].at - items[0].at + 1e-9


@given(steps)
def test_active_never_exceeds_observed(drawn):
    counters = tally(readings(drawn))

    assert counters.active.get("sm", 0.0) <= counters.observed.get("sm", 0.0) + 1e-9


@given(steps)
def test_hiding_a_reading_adds_neither_work_nor_idleness(drawn):
    whole, hidden = counts(tally(readings(drawn))), counts(tally(readings(drawn, hide=True)))

    assert all(less <= more + 1e-9 for less, more in zip(hidden, whole, strict=True))


@given(steps)
def test_leaving_a_reading_out_never_adds_observed_time(drawn):
    items = readings(drawn)
    kept = [item for item, (_, _, out) in zip(items, drawn, strict=True) if not out]

    assert tally(kept).observed.get("sm", 0.0) <= items[-1].at - items[0].at + 1e-9


@given(steps, st.lists(st.booleans(), min_size=40, max_size=40))
def test_any_split_of_scrapes_sums_alike(drawn, scraped):
    counters, before, grown = Tally(), [0.0] * 7, [0.0] * 7
    for item, look in zip(readings(drawn), scraped, strict=False):
        counters.add_activity(item, 1.0)
        if look:
            now = counts(counters)
            grown = [sum_ + new - old for sum_, new, old in zip(grown, now, before, strict=True)]
            before = now
    rest = [new - old for new, old in zip(counts(counters), before, strict=True)]

    assert [a + b for a, b in zip(grown, rest, strict=True)] == pytest.approx(counts(counters))


@given(steps)
def test_counters_never_fall(drawn):
    counters, before = Tally(), [0.0] * 4
    for item in readings(drawn):
        counters.add_activity(item, 1.0)
        assert all(new >= old for new, old in zip(counters.above, before, strict=True))
        before = list(counters.above)
