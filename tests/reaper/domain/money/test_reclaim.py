"""What a release gave back is bounded from above, what was re-used of it from below."""

from dataclasses import replace

import pytest

from reaper.domain.money.account import account
from reaper.domain.money.entries import GIVEN_BACK, RELEASED, REVERTED, CapacitySpan, Event, Tenure
from reaper.domain.money.figures import Figures
from reaper.domain.money.ledger import Ledger, Terms
from reaper.domain.prices.rates import Kind
from tests.books import HOUR, TEN, priced, room, tenure_of, track_of

DAY = 24 * HOUR


def released(*, gpus: int = 1, limit: float | None = None, hours: float = 2) -> list[Tenure]:
    end = TEN + hours * HOUR
    until = None if limit is None else TEN + limit * HOUR
    return [tenure_of("1", f"GPU-{n}", TEN, end, limit=until) for n in range(gpus)]


def later(begin: float, end: float, *, owner: str = "otto", gpu: str = "GPU-0") -> Tenure:
    return tenure_of("2", gpu, TEN + begin * HOUR, TEN + end * HOUR, owner=owner)


def event(kind: str = RELEASED, hours: float = 2) -> Event:
    return Event(at=TEN + hours * HOUR, kind=kind, run_key="1+0")


def figures(
    tenures: list[Tenure],
    *events: Event,
    capacity: tuple[CapacitySpan, ...] = (room(1, TEN),),
    letters: str = "A" * 60 * 48,
    kind: Kind = Kind.OWNED,
) -> Figures:
    """The figures of two days in which every device plays the letters."""
    ledger = Ledger(
        tenures=tuple(tenures),
        tracks={one.gpu: track_of(TEN, letters) for one in tenures},
        events=events or (event(),),
        capacity=capacity,
    )
    terms = Terms(rates=priced("2", kind=kind))
    return account(ledger, begin=TEN, end=TEN + 2 * DAY, terms=terms).total


def hours(seconds: float) -> float:
    return round(seconds / HOUR, 3)


def test_reclaimed_lasts_until_the_runs_own_limit():
    assert hours(figures(released(limit=8)).reclaimed) == 6


@pytest.mark.parametrize("limit", [None, 400])
def test_reclaimed_lasts_at_most_a_day(limit: float | None):
    assert hours(figures(released(limit=limit)).reclaimed) == 24


def test_without_a_verified_release_nothing_is_reclaimed():
    assert figures(released(limit=8), event("case closed")).reclaimed == 0


def test_a_reverted_release_reclaimed_nothing():
    assert figures(released(limit=8), event(), event(REVERTED, 2.2)).reclaimed == 0


def test_a_run_that_still_lasts_has_given_nothing_back():
    lasting = [replace(one, end=None) for one in released(limit=8)]

    assert figures(lasting).reclaimed == 0


def test_what_owners_give_back_stands_apart():
    found = figures(released(limit=8), event(GIVEN_BACK))

    assert (hours(found.given_back), found.reclaimed) == (6, 0)


def test_only_devices_held_at_the_end_were_given_back():
    early = tenure_of("1", "GPU-9", TEN, TEN + HOUR, limit=TEN + 8 * HOUR)

    assert hours(figures([*released(limit=8), early]).reclaimed) == 6


def test_the_owners_return_within_half_an_hour_ends_it():
    back = later(2.5, 6, owner="mira")

    assert hours(figures([*released(limit=8), back]).reclaimed) == 0.5


def test_a_later_return_of_the_owner_ends_nothing():
    back = later(2.51, 6, owner="mira")

    assert hours(figures([*released(limit=8), back]).reclaimed) == 6


def test_a_return_ends_it_for_as_many_devices():
    back = later(2.25, 6, owner="mira", gpu="GPU-7")

    assert hours(figures([*released(gpus=2, limit=8), back]).reclaimed) == 6.25


def test_a_device_released_again_is_not_credited_twice():
    second = [replace(later(3, 4), limit=TEN + 12 * HOUR)]
    again = Event(at=TEN + 4 * HOUR, kind=RELEASED, run_key="2+0")

    assert hours(figures([*released(limit=8), *second], event(), again).reclaimed) == 2 + 8


def test_reused_is_work_of_others_while_nothing_else_was_free():
    assert hours(figures([*released(limit=8), later(3, 5)]).reused) == 2


def test_the_owners_own_work_is_not_reuse():
    assert figures([*released(limit=8), later(3, 5, owner="mira")]).reused == 0


def test_idleness_of_others_is_not_reuse():
    letters = "A" * 60 * 4 + "H" * 60 * 44

    assert hours(figures([*released(limit=8), later(3, 5)], letters=letters).reused) == 1


def test_nothing_is_reused_while_another_gpu_was_free():
    spans = (room(1, TEN), room(1, TEN, node="node2", end=TEN + 4 * HOUR))

    assert hours(figures([*released(limit=8), later(3, 5)], capacity=spans).reused) == 1


def test_a_gpu_of_another_model_is_no_alternative():
    spans = (room(1, TEN), room(8, TEN, node="node2", model="L4"))

    assert hours(figures([*released(limit=8), later(3, 5)], capacity=spans).reused) == 2


def test_where_the_inventory_is_unknown_nothing_is_reused():
    assert figures([*released(limit=8), later(3, 5)], capacity=()).reused == 0


@pytest.mark.parametrize("kind", [Kind.ON_DEMAND, Kind.SPOT])
def test_cash_begins_where_a_node_paid_by_the_hour_ended(kind: Kind):
    spans = (room(1, TEN, end=TEN + 5 * HOUR),)
    found = figures(released(limit=8), capacity=spans, kind=kind)

    assert hours(found.cash) == 3
    assert found.costs.cash.of("EUR") == 6


@pytest.mark.parametrize("kind", [Kind.OWNED, Kind.RESERVED])
def test_a_node_that_is_paid_anyway_saves_no_cash(kind: Kind):
    spans = (room(1, TEN, end=TEN + 5 * HOUR),)

    assert figures(released(limit=8), capacity=spans, kind=kind).cash == 0


def test_a_node_that_stays_saves_no_cash():
    assert figures(released(limit=8), kind=Kind.ON_DEMAND).cash == 0


def test_no_more_is_reused_than_was_given_back():
    shared = [replace(one, share=0.5) for one in released(limit=8)]

    assert hours(figures([*shared, later(3, 5)]).reused) == 2
    assert hours(figures([*shared, later(2, 8)]).reused) == 3
