"""Whatever the books hold, every GPU-hour is somewhere, once, and blindness is never idleness."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.facts.track import Track
from reaper.domain.money.account import account
from reaper.domain.money.figures import Figures
from reaper.domain.money.holding import holdings
from reaper.domain.money.ledger import Accounts, Ledger
from tests.book_strategies import SPAN, ledgers, terms
from tests.books import HOUR, TEN

END = TEN + SPAN
KNOWN = END + 2 * HOUR
TERMS = terms()
TINY = 1e-3
"""Rounding of device-seconds summed over a few thousand minutes."""

ADDITIVE = [one.name for one in fields(Figures) if one.name != "costs"]


def accounts(ledger: Ledger, begin: float = TEN, end: float = END) -> Accounts:
    return account(ledger, begin=begin, end=end, as_of=KNOWN, terms=TERMS)


def figures(ledger: Ledger, begin: float = TEN, end: float = END) -> Figures:
    return accounts(ledger, begin, end).total


@given(ledgers())
def test_all_states_add_up_to_the_calendar(ledger: Ledger):
    total = figures(ledger)

    assert total.states == pytest.approx(total.calendar, abs=TINY)


@given(ledgers())
def test_idle_is_wasted_or_a_pause_and_the_range_holds(ledger: Ledger):
    total = figures(ledger)

    assert total.wasted + total.one_witness <= total.idle + TINY
    assert total.wasted + total.one_witness + total.pause == pytest.approx(total.idle, abs=TINY)
    assert total.wasted + total.one_witness <= total.high + TINY
    assert total.high <= total.idle + total.unknown + TINY
    assert total.avoidable <= total.wasted + TINY
    assert total.reused <= total.reclaimed + TINY
    assert total.cash <= total.reclaimed + TINY


@given(ledgers(), st.data())
def test_hiding_minutes_never_adds_idleness_or_waste(ledger: Ledger, data: st.DataObject):
    hidden = replace(
        ledger, tracks={gpu: hide(track, data) for gpu, track in ledger.tracks.items()}
    )
    before, after = figures(ledger), figures(hidden)

    for name in ("active", "low", "idle", "wasted", "avoidable", "reused"):
        assert getattr(after, name) <= getattr(before, name) + TINY, name
    assert after.allocated == pytest.approx(before.allocated, abs=TINY)
    assert after.calendar == before.calendar


@given(ledgers(), st.integers(min_value=0, max_value=SPAN))
def test_joined_spans_are_the_sum_of_their_parts(ledger: Ledger, cut: int):
    whole = figures(ledger)
    parts = figures(ledger, TEN, TEN + cut) + figures(ledger, TEN + cut, END)

    for name in ADDITIVE:
        assert getattr(parts, name) == pytest.approx(getattr(whole, name), abs=TINY), name
    for currency in ("EUR", "USD"):
        assert float(parts.costs.high.of(currency)) == pytest.approx(
            float(whole.costs.high.of(currency)), abs=TINY
        )


@given(ledgers(), st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(ledger: Ledger, chance):
    shuffled = replace(
        ledger,
        tenures=shuffle(ledger.tenures, chance),
        capacity=shuffle(ledger.capacity, chance),
        demand=shuffle(ledger.demand, chance),
    )

    assert accounts(shuffled) == accounts(ledger)


@given(ledgers())
def test_records_written_again_change_nothing(ledger: Ledger):
    again = replace(ledger, tenures=ledger.tenures * 2, capacity=ledger.capacity * 2)

    assert accounts(again) == accounts(ledger)


@given(ledgers())
def test_a_device_is_never_held_more_than_once(ledger: Ledger):
    held, _ = holdings(ledger.tenures, as_of=KNOWN)
    edges = {at for one in held for part in one.parts for at in (part.begin, part.end)}

    for edge in edges:
        load: dict[str, float] = {}
        for one in held:
            weight = sum(part.weight for part in one.parts if part.begin <= edge < part.end)
            load[one.tenure.gpu] = load.get(one.tenure.gpu, 0.0) + weight
        assert all(weight <= 1 + TINY for weight in load.values())


@given(ledgers())
def test_keys_add_up_to_the_total(ledger: Ledger):
    found = accounts(ledger)
    runs = sum((run.figures for run in found.runs), Figures())

    for name in ("active", "low", "idle", "startup", "unknown", "wasted", "high", "unpriced"):
        assert getattr(runs, name) == pytest.approx(getattr(found.total, name), abs=TINY), name


def hide(track: Track, data: st.DataObject) -> Track:
    """Return the track with a random stretch of minutes unseen."""
    first = data.draw(st.integers(0, len(track)))
    count = data.draw(st.integers(0, len(track) - first))
    letters = track.letters[:first] + "?" * count + track.letters[first + count :]
    return Track(start=track.start, letters=letters)


def shuffle(items: tuple, chance) -> tuple:
    found = list(items)
    chance.shuffle(found)
    return tuple(found)
