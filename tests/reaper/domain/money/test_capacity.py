"""What nobody held is down, drained, reserved, stranded or unallocated, as the inventory says."""

import pytest

from reaper.domain.money.capacity import Free, Load, contradictions, free, match
from reaper.domain.money.entries import CapacitySpan
from tests.books import HOUR, MODEL, TEN, room

END = TEN + 10 * HOUR
STATES = ("unallocated", "stranded", "reserved", "drained", "down", "beyond")


def load(weight: float, begin: float = 0, end: float = 10, model: str = MODEL) -> Load:
    return Load(
        node="node1", model=model, begin=TEN + begin * HOUR, end=TEN + end * HOUR, weight=weight
    )


def hours(spans: list[CapacitySpan], *loads: Load) -> dict[str, float]:
    """GPU-hours by state in ten hours, empty states left out."""
    pieces = free(spans, loads, begin=TEN, end=END)
    sums = {name: total(pieces, name) for name in STATES}
    return {name: round(value, 6) for name, value in sums.items() if value}


def total(pieces: tuple[Free, ...], name: str) -> float:
    return sum(getattr(piece, name) * piece.seconds for piece in pieces) / HOUR


def test_an_empty_node_is_unallocated():
    assert hours([room(8, TEN)]) == {"unallocated": 80}


def test_what_is_held_is_not_free():
    assert hours([room(8, TEN)], load(3), load(1, 5)) == {"unallocated": 45}


@pytest.mark.parametrize("state", ["down", "drained", "reserved"])
def test_a_node_is_in_the_state_of_its_inventory(state: str):
    assert hours([room(8, TEN, state=state)]) == {state: 80}


def test_a_job_on_a_drained_node_stays_allocated():
    assert hours([room(8, TEN, state="drained")], load(3)) == {"drained": 50}


def test_holders_fill_gpus_that_are_up_before_reserved_ones():
    spans = [room(4, TEN), room(4, TEN, state="reserved")]

    assert hours(spans, load(5)) == {"reserved": 30}


def test_holders_fill_reserved_gpus_before_drained_and_drained_before_down_ones():
    spans = [room(2, TEN, state=state) for state in ("down", "drained", "reserved")]

    assert hours(spans, load(3)) == {"drained": 10, "down": 20}


def test_a_node_changes_its_state_in_time():
    spans = [room(8, TEN, end=TEN + 4 * HOUR), room(8, TEN + 4 * HOUR, state="down")]

    assert hours(spans, load(1)) == {"unallocated": 28, "down": 42}


def test_a_node_counts_only_while_it_is_in_the_inventory():
    assert hours([room(8, TEN + 9 * HOUR)]) == {"unallocated": 8}
    assert hours([room(8, TEN - HOUR, end=TEN + HOUR)]) == {"unallocated": 8}


def test_a_span_that_was_never_closed_ends_where_the_next_begins():
    assert hours([room(8, TEN), room(6, TEN + 5 * HOUR)]) == {"unallocated": 70}


def test_what_a_partition_leaves_uncut_is_stranded():
    assert hours([room(1, TEN, stranded=1 / 7)], load(3 / 7)) == {
        "unallocated": round(30 / 7, 6),
        "stranded": round(10 / 7, 6),
    }


def test_a_card_that_is_fully_held_strands_nothing():
    assert hours([room(1, TEN)], load(4 / 7), load(3 / 7)) == {}


def test_more_held_than_there_is_is_beyond_the_inventory():
    spans = [room(2, TEN)]
    pieces = free(spans, [load(3)], begin=TEN, end=END)

    assert total(pieces, "beyond") == 10
    assert [one.subject for one in contradictions(pieces, spans)] == ["node1"]


def test_a_node_without_an_inventory_is_beyond_it():
    assert hours([], load(2)) == {"beyond": 20}


def test_a_moment_between_two_sources_is_no_contradiction():
    spans = [room(2, TEN + 60)]

    assert contradictions(free(spans, [load(2)], begin=TEN, end=END), spans) == []


def test_a_state_without_a_meaning_is_taken_for_down_and_named():
    spans = [room(2, TEN, state="perhaps")]

    assert hours(spans) == {"down": 20}
    assert contradictions((), spans)[0].text == "state 'perhaps' is taken for down"


@pytest.mark.parametrize(
    ("model", "known", "expected"),
    [
        ("NVIDIA A100-SXM4-80GB", ("a100",), "a100"),
        ("NVIDIA A100-SXM4-80GB", ("a40", "a100"), "a100"),
        ("NVIDIA H100", ("",), ""),
        ("NVIDIA H100", (), "NVIDIA H100"),
        ("", ("a100",), "a100"),
    ],
)
def test_a_device_is_of_the_model_its_inventory_means(
    model: str, known: tuple[str, ...], expected: str
):
    assert match(model, known) == expected


def test_of_two_records_with_one_begin_the_ended_one_knows_more():
    ended = room(8, TEN, end=TEN + 2 * HOUR)

    assert hours([room(8, TEN), ended]) == {"unallocated": 16}
    assert hours([ended, room(8, TEN)]) == {"unallocated": 16}
