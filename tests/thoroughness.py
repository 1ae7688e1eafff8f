"""How many examples a slow property tries: all of them under CI, a fifth at a desk."""

from tests.components import under_ci


def examples(most: int) -> int:
    """Return how many examples to try where CI tries `most`."""
    return most if under_ci() else max(5, most // 5)
