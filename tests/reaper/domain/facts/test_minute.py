"""What a minute's letter says, signal by signal."""

from dataclasses import replace

import pytest

from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.minute import UNLEARNT, Baseline, Minute, letter
from reaper.domain.facts.reading import Reading, between
from reaper.domain.facts.thresholds import DEFAULT
from tests.builders import MINUTE, START, reading


def classify(later: Reading, baseline: Baseline = UNLEARNT, *, mig: bool = False) -> Minute:
    """Classify the minute between START and a later reading."""
    delta = between(reading(START, **_counters(later)), later)
    assert delta is not None
    return letter(delta, thresholds=DEFAULT, pace=NORMAL, baseline=baseline, mig=mig)


def _counters(later: Reading) -> dict[str, object]:
    zero = {
        "observed": dict.fromkeys(later.observed, 0.0),
        "active": dict.fromkeys(later.active, 0.0),
        "above": (0.0,) * len(later.above),
        "links": dict.fromkeys(later.links, 0.0),
    }
    return {**zero, "joules": None if later.joules is None else 0.0}


def minute(**given: object) -> Reading:
    """Return the reading a minute after START; idle and held unless told otherwise."""
    return reading(START + MINUTE, **given)


SM = {"sm": 0.0, "tensor": 0.0, "dram": 0.0, "engine": 0.0}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({"busy": 3.0}, "A", id="sm at its bound"),
        pytest.param({"active": SM | {"tensor": 0.6}, "above": (1.0, 0, 0, 0)}, "A", id="tensor"),
        pytest.param({"active": SM | {"dram": 3.0}, "above": (1.0, 0, 0, 0)}, "A", id="dram"),
        pytest.param({"links": {"pcie": 60 * 200e6}}, "A", id="copying over PCIe"),
        pytest.param({"busy": 2.9}, "L", id="sm just below its bound"),
        pytest.param({"above": (1.0, 0.0, 0.0, 0.0)}, "L", id="one second above the lowest edge"),
        pytest.param({"links": {"pcie": 60 * 11e6}}, "L", id="a trickle over PCIe"),
        pytest.param({}, "H", id="memory and a context"),
        pytest.param({"processes": 0}, "H", id="memory alone"),
        pytest.param({"memory_used": 0.0}, "H", id="a context alone"),
        pytest.param({"memory_used": 0.0, "processes": 0}, "E", id="nothing at all"),
        pytest.param({"active": SM | {"engine": 60.0}}, "X", id="a resident kernel, no work"),
    ],
)
def test_a_minute_is_classified_by_its_busiest_signal(
    given: dict[str, object], expected: str
) -> None:
    """Each signal alone decides what it can decide."""
    assert classify(minute(**given)).letter == expected


def test_more_than_three_unseen_seconds_make_a_minute_unseen() -> None:
    """Coverage below 95 % is no coverage, however idle the seen part was."""
    part = dict.fromkeys(("sm", "tensor", "dram", "engine"), 56.9)

    assert classify(minute(observed=part)).letter == "?"
    assert classify(minute(observed=dict.fromkeys(part, 57.0))).letter == "H"


def test_without_profiling_utilisation_decides() -> None:
    """Zero is an idle candidate; one resident kernel is activity by utilisation."""
    engine = {"observed": {"engine": 60.0}, "above": (0.0,) * 4}

    assert classify(minute(active={"engine": 0.0}, **engine)).letter == "H"
    assert classify(minute(active={"engine": 0.6}, **engine)).letter == "A"


def test_no_signal_at_all_is_unseen_not_idle() -> None:
    """A device that is only known by its memory says nothing about work."""
    assert classify(minute(observed={}, active={}, above=())).letter == "?"


def test_silent_profiling_beside_a_hot_busy_engine_is_a_contradiction() -> None:
    """A stuck counter reads zero while utilisation and power say otherwise."""
    stuck = minute(active=SM | {"engine": 60.0}, joules=60 * 400.0)

    assert classify(stuck, Baseline(held=70.0)).letter == "!"


def test_two_signals_are_two_witnesses_and_one_call_is_one() -> None:
    """Utilisation and profiling are families; tensor and SM are one."""
    both = classify(minute()).evidence
    alone = classify(
        minute(active={"engine": 0.0}, observed={"engine": 60.0}, above=(0.0,) * 4)
    ).evidence

    assert both.testified == ("profiling", "utilisation")
    assert alone.testified == ("utilisation",)


def test_power_near_a_learnt_baseline_is_a_witness() -> None:
    """Before the baseline is learnt power says nothing."""
    idle = minute(joules=60 * 71.0)

    assert "power" in classify(idle, Baseline(held=70.0)).evidence.testified
    assert "power" not in classify(idle).evidence.testified


@pytest.mark.parametrize(
    "later",
    [
        pytest.param({"epoch": "two"}, id="the exporter restarted"),
        pytest.param({"active": SM | {"sm": -1.0}}, id="a counter went back"),
        pytest.param({"at": START}, id="no time passed"),
    ],
)
def test_readings_over_a_reset_do_not_join(later: dict[str, object]) -> None:
    """The interval that holds a reset is unseen."""
    assert between(reading(START), replace(minute(), **later)) is None


@pytest.mark.parametrize("mig", [True, False])
def test_graphics_of_a_mig_instance_are_no_second_witness(mig):
    later = reading(START + MINUTE, active={"sm": 0.0, "engine": 0.0}, memory_used=40e9)

    families = classify(later, mig=mig).evidence.testified

    assert ("utilisation" in families) is not mig


def quiet_after_work(*, mig: bool) -> Minute:
    """Return a quiet minute of a device without utilisation whose counters have counted."""
    counters = {"sm": 42.0, "tensor": 7.0, "dram": 9.0}
    earlier = reading(START, active=counters, memory_used=40e9)
    delta = between(earlier, replace(earlier, at=START + MINUTE, observed=_later(earlier)))
    assert delta is not None
    return letter(delta, thresholds=DEFAULT, pace=NORMAL, mig=mig)


def test_an_instance_that_has_counted_before_has_a_second_witness():
    found = quiet_after_work(mig=True)

    assert found.letter == "H"
    assert found.evidence.testified == ("profiling", "history")


def test_a_whole_gpu_whose_utilisation_is_missing_has_none():
    """There utilisation exists: that it is not shown is a lack, and one call is one witness."""
    assert quiet_after_work(mig=False).evidence.testified == ("profiling",)


def test_an_instance_that_never_counted_may_be_stuck():
    later = reading(START + MINUTE, active={"sm": 0.0}, memory_used=40e9)

    assert classify(later, mig=True).evidence.testified == ("profiling",)


def test_utilisation_at_its_top_without_anybody_is_a_contradiction():
    later = reading(
        START + MINUTE, active={"sm": 0.0, "engine": 60.0}, memory_used=0.0, processes=0
    )

    assert classify(later).letter == "!"


@pytest.mark.parametrize("watts", [None, 70.0, 300.0])
@pytest.mark.parametrize(("processes", "memory"), [(0, 0.0), (0, 500e6), (None, 0.0), (None, 60e6)])
def test_utilisation_alone_is_stuck_where_nobody_is_there_whatever_power_says(
    watts, processes, memory
):
    later = reading(
        START + MINUTE,
        active={"engine": 60.0},
        memory_used=memory,
        processes=processes,
        joules=None if watts is None else watts * MINUTE,
    )

    assert classify(later, Baseline(empty=70.0)).letter == "!"


@pytest.mark.parametrize(("processes", "memory"), [(1, 0.0), (None, 500e6), (0, None)])
def test_utilisation_alone_is_work_where_somebody_may_be_there(processes, memory):
    later = reading(
        START + MINUTE, active={"engine": 60.0}, memory_used=memory, processes=processes
    )

    assert classify(later).letter == "A"


@pytest.mark.parametrize(
    ("engine", "watts", "board", "expected"),
    [
        pytest.param(60.0, 360.0, 700.0, "!", id="a busy engine"),
        pytest.param(0.0, 360.0, 700.0, "!", id="no utilisation either"),
        pytest.param(60.0, 340.0, 700.0, "X", id="a collective that spins"),
        pytest.param(0.0, 340.0, 700.0, "H", id="a card that rests warm"),
        pytest.param(60.0, 360.0, None, "X", id="an unknown product"),
    ],
)
def test_the_power_of_work_contradicts_profiling_at_zero_before_anything_is_learnt(
    engine, watts, board, expected
):
    later = reading(START + MINUTE, active=SM | {"engine": engine}, joules=watts * MINUTE)
    delta = between(reading(START, **_counters(later)), later)
    assert delta is not None

    found = letter(delta, thresholds=DEFAULT, pace=NORMAL, board=board)

    assert found.letter == expected


def over(minutes: int, **active: float) -> str:
    """Return the letters of minutes that share two readings."""
    later = reading(
        START + minutes * MINUTE,
        observed=dict.fromkeys(("sm", "tensor", "dram", "engine"), minutes * MINUTE),
        active=SM | {"engine": 60.0} | active,
        above=(active.get("sm", 0.0), 0.0, 0.0, 0.0),
    )
    delta = between(reading(START, **_counters(later)), later)
    assert delta is not None
    return letter(delta, thresholds=DEFAULT, pace=NORMAL).letters


@pytest.mark.parametrize(
    ("seconds", "letters"),
    [
        pytest.param(300.0, "?" * 175 + "A" * 5, id="five minutes of work"),
        pytest.param(6.0, "?" * 178 + "AA", id="as much as two minutes of work can be"),
        pytest.param(3.0, "?" * 179 + "A", id="as much as one can be"),
        pytest.param(2.0, "L" * 180, id="less than one"),
        pytest.param(600.0, "A" * 180, id="work on average"),
    ],
)
def test_work_is_not_averaged_away_over_minutes_that_share_their_readings(seconds, letters):
    assert over(180, sm=seconds) == letters


def test_a_minute_of_its_own_is_little_work_as_it_is():
    assert over(1, sm=2.9) == "L"


def _later(earlier: Reading) -> dict[str, float]:
    return {signal: seconds + MINUTE for signal, seconds in earlier.observed.items()}


@pytest.mark.parametrize(
    ("watts", "counted", "expected"),
    [
        pytest.param(70.0, 15.0, "H", id="a sample of fifteen seconds in a look of five"),
        pytest.param(400.0, 15.0, "!", id="the power of work, seen for longer than the look"),
        pytest.param(400.0, 2.0, "!", id="the power of work, seen for a part of the look"),
        pytest.param(400.0, 0.0, "H", id="no sample in the look"),
    ],
)
def test_energy_is_spread_over_the_seconds_in_which_it_was_counted(watts, counted, expected):
    later = reading(START + 5.0, active=SM, joules=watts * counted)
    later = replace(later, observed={**dict.fromkeys(SM, 5.0), "power": counted})
    delta = between(reading(START, **_counters(later)), later)
    assert delta is not None

    assert letter(delta, thresholds=DEFAULT, pace=NORMAL, board=700.0).letter == expected
