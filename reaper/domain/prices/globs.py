"""Shell-style patterns compared with each other, case aside."""

import re
from fnmatch import fnmatchcase

_ANY = re.compile(r"\*")
_ONE = re.compile(r"\?|\[!?\]?[^]]*\]")


def is_exact(pattern: str) -> bool:
    """Tell whether a pattern fits exactly one text."""
    return not any(sign in pattern for sign in "*?[")


def alike(one: str, other: str) -> bool:
    """
    Tell whether two patterns plainly fit the same text: the shortest of one fits the other.

    ``*a100*`` and ``*h100*`` could both fit ``a100h100``; nobody means that, so they are not alike.
    """
    one, other = one.lower(), other.lower()
    return one == other or fnmatchcase(_shortest(one), other) or fnmatchcase(_shortest(other), one)


def _shortest(pattern: str) -> str:
    return _ANY.sub("", _ONE.sub("0", pattern))
