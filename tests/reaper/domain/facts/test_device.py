"""What part of a card an instance is."""

import pytest

from tests.builders import device


@pytest.mark.parametrize(
    ("model", "profile", "slices"),
    [
        pytest.param("NVIDIA H100 80GB HBM3", "", (1, 1), id="a whole card"),
        pytest.param("NVIDIA H100 80GB HBM3", "3g.40gb", (3, 7), id="three of seven"),
        pytest.param("NVIDIA A30", "2g.12gb", (2, 4), id="two of four"),
        pytest.param("NVIDIA H100 80GB HBM3", "1c.3g.40gb", (3, 7), id="a compute instance"),
        pytest.param("NVIDIA H100 80GB HBM3", "odd", (1, 7), id="an unknown profile"),
    ],
)
def test_an_instance_is_its_compute_slices_of_the_card(
    model: str, profile: str, slices: tuple[int, int]
) -> None:
    """By the profile's name and the card's model."""
    assert device(model=model, mig_profile=profile).slices == slices
