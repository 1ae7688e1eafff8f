"""A gain is shown with what speaks for and against it."""

from dataclasses import replace

import pytest

from reaper.domain.money.conduct import Demanded
from reaper.domain.money.effect import Effect, Half, effect, wasted
from reaper.domain.money.figures import Figures
from tests.builders import HOUR, START

WEEK = 7 * 86400.0


def held(*, active: float, waste: float, unknown: float = 0.0) -> Figures:
    """Return so many hours; what is unknown may be waste."""
    return Figures(
        active=active * HOUR,
        idle=waste * HOUR,
        wasted=waste * HOUR,
        high=(waste + unknown) * HOUR,
        unknown=unknown * HOUR,
    )


def side(under: Figures, others: Figures | None = None, **given: object) -> Half:
    base = Half(
        begin=START,
        end=START + 2 * WEEK,
        under=under,
        others=others or held(active=900, waste=100),
        demand=Demanded(share=0.5),
    )
    return replace(base, **given)


BEFORE = side(held(active=600, waste=400))
AFTER = side(held(active=800, waste=200))


def compared(before: Half = BEFORE, after: Half = AFTER, *, kept: float = 1.0) -> Effect:
    return effect(before, after, at=START, kept=kept)


def test_a_clear_gain_is_believed() -> None:
    found = compared()

    assert (found.change, found.elsewhere, found.owed) == (pytest.approx(-0.2), 0.0, found.change)
    assert found.doubts == ()


def test_what_everybody_gained_is_not_owed_to_the_policy() -> None:
    found = compared(after=replace(AFTER, others=held(active=1000, waste=0)))

    assert found.owed == pytest.approx(-0.1)
    assert "everybody else changed by -10.0 points too" in found.doubts[0]


@pytest.mark.parametrize(
    ("after", "kept", "doubt"),
    [
        pytest.param(
            replace(AFTER, under=held(active=600, waste=200, unknown=300)),
            1.0,
            "only 73% of the hours after it were seen",
            id="coverage",
        ),
        pytest.param(
            replace(AFTER, under=held(active=570, waste=240, unknown=190)),
            1.0,
            "the ranges overlap",
            id="unseen hours",
        ),
        pytest.param(
            replace(AFTER, under=held(active=60, waste=10)),
            1.0,
            "only 70 GPU-hours were held after it",
            id="few hours",
        ),
        pytest.param(
            replace(AFTER, under=held(active=1600, waste=400)),
            1.0,
            "+100% GPU-hours were held",
            id="other volume",
        ),
        pytest.param(
            replace(AFTER, demand=Demanded(share=0.9)),
            1.0,
            "jobs waited 50% of the time before, 90% after",
            id="demand",
        ),
        pytest.param(replace(AFTER, end=START + WEEK), 1.0, "no whole weeks", id="half the time"),
        pytest.param(AFTER, 0.3, "only 30% of the hours before", id="other people"),
        pytest.param(replace(AFTER, others=Figures()), 1.0, "nothing to compare with", id="alone"),
    ],
)
def test_what_speaks_against_a_gain_is_said(after: Half, kept: float, doubt: str) -> None:
    assert any(doubt in text for text in compared(after=after, kept=kept).doubts)


def test_nothing_held_is_no_change() -> None:
    found = compared(after=replace(AFTER, under=Figures()))

    assert (found.change, found.owed) == (None, None)


def test_a_share_is_a_range() -> None:
    share = wasted(held(active=600, waste=200, unknown=200))

    assert share is not None
    assert (share.low, share.high) == (0.2, 0.4)
