"""What runs left idle at their end, and what windows and limits would have returned of it."""

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.account import account
from reaper.domain.money.ledger import Ledger, Tail, Terms
from tests.books import HOUR, MINUTE, TEN, room, run_of, tenure_of, track_of

DAY = 24 * HOUR


def tails(letters: dict[str, str], *, hours: float, **fields: object) -> tuple[Tail, ...]:
    """Tell of one run on some devices, from TEN until its end."""
    end = TEN + hours * HOUR
    ledger = Ledger(
        tenures=tuple(
            tenure_of("1", gpu, TEN, end, run=run_of("1", started=TEN), **fields) for gpu in letters
        ),
        tracks={gpu: track_of(TEN, drawn) for gpu, drawn in letters.items()},
        capacity=(room(8, TEN),),
    )
    return account(ledger, begin=TEN, end=TEN + DAY, terms=Terms()).tails


def hours_beyond(tail: Tail) -> dict[float, float]:
    return {window / HOUR: round(seconds / HOUR, 3) for window, seconds in tail.windows}


def test_what_lies_beyond_a_window_would_have_come_back():
    (tail,) = tails({"GPU-0": "A" * 60 + "H" * 300}, hours=6)

    assert hours_beyond(tail) == {0.5: 4.5, 1: 4, 2: 3, 4: 1}
    assert (tail.purpose, tail.partition, tail.runs, tail.idle_runs) == ("training", "gpu", 1, 1)


def test_a_stretch_that_work_followed_would_not():
    assert tails({"GPU-0": "H" * 300 + "A" * 60}, hours=6) == ()


def test_only_the_last_stretch_counts():
    (tail,) = tails({"GPU-0": "H" * 180 + "A" + "H" * 179}, hours=6)

    assert hours_beyond(tail)[1] == pytest.approx(119 / 60, abs=0.001)


def test_a_run_is_idle_only_where_all_of_its_devices_are():
    (tail,) = tails({"GPU-0": "H" * 360, "GPU-1": "A" * 120 + "H" * 240}, hours=6)

    assert hours_beyond(tail)[1] == 2 * 3


def test_a_run_with_one_device_at_work_to_the_end_leaves_no_tail():
    assert tails({"GPU-0": "H" * 360, "GPU-1": "A" * 360}, hours=6) == ()


def test_unseen_time_at_the_end_is_no_idle_end():
    assert tails({"GPU-0": "H" * 300 + "?" * 60}, hours=6) == ()


def test_a_limit_counts_what_it_would_have_cut_and_who_would_ask_for_longer():
    ledger = Ledger(
        tenures=(
            tenure_of("1", "GPU-0", TEN, TEN + 10 * HOUR),
            tenure_of("2", "GPU-1", TEN, TEN + 10 * HOUR),
            tenure_of("3", "GPU-2", TEN, TEN + 2 * HOUR),
        ),
        tracks={
            "GPU-0": track_of(TEN, "A" * 60 + "H" * 540),
            "GPU-1": track_of(TEN, "A" * 300 + "H" * 300),
            "GPU-2": track_of(TEN, "A" * 120),
        },
        capacity=(room(8, TEN),),
    )
    (tail,) = account(ledger, begin=TEN, end=TEN + DAY, terms=Terms()).tails
    four, eight, *_ = tail.limits

    assert (four.returned / HOUR, four.ended, four.working) == (6 + 5, 2, 1)
    assert (eight.returned / HOUR, eight.ended, eight.working) == (2 + 2, 2, 0)


def test_classes_and_partitions_are_told_apart():
    (tail,) = tails({"GPU-0": "H" * 360}, hours=6, purpose=Purpose.INTERACTIVE, partition="dev")

    assert (tail.purpose, tail.partition) == ("interactive", "dev")


def test_waste_beside_working_devices_is_partial():
    letters = {"GPU-0": "A" * 360, "GPU-1": "H" * 360}
    ledger = Ledger(
        tenures=tuple(
            tenure_of("1", gpu, TEN, TEN + 6 * HOUR, run=run_of("1", started=TEN))
            for gpu in letters
        ),
        tracks={gpu: track_of(TEN, drawn) for gpu, drawn in letters.items()},
        capacity=(room(8, TEN),),
    )
    total = account(ledger, begin=TEN, end=TEN + DAY, terms=Terms()).total

    assert (total.wasted, total.partial) == (6 * HOUR, 6 * HOUR)


def test_waste_of_a_whole_run_is_not_partial():
    ledger = Ledger(
        tenures=(
            tenure_of("1", "GPU-0", TEN, TEN + 3 * HOUR, run=run_of("1", started=TEN)),
            tenure_of("1", "GPU-1", TEN, TEN + 3 * HOUR, run=run_of("1", started=TEN)),
        ),
        tracks={
            "GPU-0": track_of(TEN, "H" * 180),
            "GPU-1": track_of(TEN, "A" * 60 + "H" * 120),
        },
        capacity=(room(8, TEN),),
    )
    total = account(ledger, begin=TEN, end=TEN + 180 * MINUTE, terms=Terms()).total

    assert (total.wasted, total.partial) == (5 * HOUR, HOUR)
