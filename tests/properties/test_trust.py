"""A reading is refused when a counter outgrows time or what was observed, and then alone."""

from hypothesis import given
from hypothesis import strategies as st

from reaper.activity.exporters.trust import implausible
from reaper.domain.facts.reading import Reading, between

SECONDS = st.one_of(st.sampled_from((0.0, 60.0, 95.0, 96.0, 121.0)), st.floats(0, 500))
COUNTERS = st.dictionaries(st.sampled_from(("sm", "tensor", "power")), SECONDS)
READINGS = st.builds(
    Reading,
    gpu=st.just("GPU-1"),
    at=st.sampled_from((0.0, 60.0, 120.0)),
    epoch=st.sampled_from(("1", "2")),
    observed=COUNTERS,
    active=COUNTERS,
)


def outgrown(observed: dict[str, float], active: dict[str, float]) -> bool:
    return any(seconds > observed.get(name, 0.0) * 1.05 + 1 for name, seconds in active.items())


def refused(before: Reading | None, reading: Reading) -> bool:
    if outgrown(reading.observed, reading.active):
        return True
    delta = between(before, reading) if before else None
    if delta is None:
        return False
    late = {"power": 15.0}
    return outgrown(delta.observed, delta.active) or any(
        seconds > delta.seconds * 1.5 + late.get(name, 5.0)
        for name, seconds in delta.observed.items()
    )


@given(st.one_of(st.none(), READINGS), READINGS)
def test_a_reading_is_refused_for_its_growth_alone(before: Reading | None, reading: Reading):
    assert bool(implausible(before, reading)) == refused(before, reading)
