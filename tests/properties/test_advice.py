"""Advice never counts for a case, however it fared."""

from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.ladder import delivered
from reaper.domain.escalation.notice import Delivery, Notice, advice_on
from reaper.domain.judgement.policy import Mode
from tests.builders import HOUR, MINUTE, START, case, notice, run

instants = st.integers(min_value=-180, max_value=0).map(lambda minutes: START + minutes * MINUTE)


@st.composite
def advised(draw: st.DrawFn) -> Notice:
    """Draw advice that looks as much like a delivered warning as any could."""
    at = draw(instants)
    base = notice(
        id=f"{advice_on(run().key)}:{draw(st.integers(1, 9))}",
        case_id=advice_on(run().key),
        kind="advice",
        rung=draw(st.integers(0, 2)),
        round=draw(st.integers(0, 3)),
        created=at,
        delivery=draw(st.sampled_from(list(Delivery))),
    )
    arrived = base.delivered(channel="slack", at=at, personal=True, handle="1.1")
    return draw(st.sampled_from((base, arrived)))


@st.composite
def warned(draw: st.DrawFn) -> tuple[Notice, ...]:
    """Draw the warnings of a case, each delivered or not."""
    rungs = draw(st.integers(0, 2))
    arrivals = [draw(st.none() | instants) for _ in range(rungs)]
    return tuple(notice(rung=rung, delivered=at) for rung, at in enumerate(arrivals))


@st.composite
def cases(draw: st.DrawFn, rung: int) -> Case:
    """Draw an open case that has come so far."""
    mode = draw(st.sampled_from(list(Mode)))
    return case(rung=rung, mode=mode, opened=START - 3 * HOUR)


@given(data=st.data(), warnings=warned(), advice=st.lists(advised(), min_size=1, max_size=4))
def test_no_advice_stands_for_a_delivered_warning(
    data: st.DataObject, warnings: tuple[Notice, ...], advice: list[Notice]
) -> None:
    standing = data.draw(cases(len(warnings)))
    mixed = tuple(data.draw(st.permutations([*warnings, *advice])))

    assert delivered(standing, mixed) == delivered(standing, warnings)
