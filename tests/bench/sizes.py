"""
How large a bench is: whole where figures are wanted, small where it only has to work.

`make bench` prints the figures that `docs/capacity.md` and its peers name; `make test` sees that
every bench still runs, at sizes that take seconds.
"""

import os
from typing import Final, TypeVar

S = TypeVar("S")

WHOLE: Final = os.environ.get("BENCH_SIZE") == "whole"
"""Whether the sizes are those that the figures stand for."""


def sized(whole: S, small: S) -> S:
    """Return the size of a bench."""
    return whole if WHOLE else small
