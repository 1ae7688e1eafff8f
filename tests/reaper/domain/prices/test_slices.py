"""A MIG instance is as many slices of a card as its profile says."""

import pytest

from reaper.domain.prices.slices import is_slice, part_of_card


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("1g.10gb", 1 / 7),
        ("3g.20gb", 3 / 7),
        ("a100_2g.10gb", 2 / 7),
        ("nvidia_a100_3g.39gb", 3 / 7),
        ("A100 4g.20gb", 4 / 7),
        ("7g.80gb", 1.0),
        ("1c.3g.20gb", 3 / 7),
        ("1g.10gb+me", 1 / 7),
        ("1g.6gb", 1 / 4),
        ("nvidia_a30_2g.12gb", 2 / 4),
        ("4g.24gb", 1.0),
    ],
)
def test_a_profile_at_the_end_of_a_type_is_a_part_of_a_card(kind: str, expected: float):
    assert is_slice(kind)
    assert part_of_card(kind) == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["", "a100", "a100_80gb", "h100", "rtx3g", "3g", "10g.1tb"])
def test_any_other_type_is_a_whole_card(kind: str):
    assert not is_slice(kind)
    assert part_of_card(kind) == 1


@pytest.mark.parametrize("cut", [("4g.20gb", "3g.20gb"), ("3g.20gb", "2g.10gb", "2g.10gb")])
def test_the_parts_of_a_card_are_no_more_than_the_card(cut: tuple[str, ...]):
    assert sum(map(part_of_card, cut)) == pytest.approx(1)
