"""
What MIG instances are of a card, told by the name that a scheduler or a driver gives their type.

Compute slices count: ``3g.20gb`` is three sevenths.  Cards are cut into seven slices, but for
those whose smallest profiles are written otherwise, which have four.
"""

import re
from typing import Final

_PROFILE = re.compile(
    r"(?:^|[_\-. :])(?:\d+c\.)?(\d)g\.(\d+)gb(?:[.+_][a-z0-9.+_]*)?$", re.IGNORECASE
)

#: Profiles, and words in a card's name, that say that the card is cut into four.
_QUARTERED: Final = frozenset(((1, 6), (2, 12), (4, 24), (2, 48), (4, 96)))
_QUARTERED_CARDS = re.compile(r"a30(?![0-9])|rtx[_ -]?pro[_ -]?6000", re.IGNORECASE)

SEVENTHS: Final = 7
QUARTERS: Final = 4


def part_of_card(kind: str) -> float:
    """Return how much of a card one device of a type is: 1 unless the name ends in a profile."""
    found = _PROFILE.search(kind.strip())
    if found is None:
        return 1.0
    compute, memory = int(found[1]), int(found[2])
    four = (compute, memory) in _QUARTERED or _QUARTERED_CARDS.search(kind) is not None
    return min(1.0, compute / (QUARTERS if four else SEVENTHS))


def is_slice(kind: str) -> bool:
    """Tell whether a type is a MIG profile."""
    return _PROFILE.search(kind.strip()) is not None
