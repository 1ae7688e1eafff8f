"""Shell-style patterns compared with each other: whether one text could fit both."""

import re
from functools import lru_cache

_TOKEN = re.compile(r"\[!?\]?[^]]*\]|.", re.DOTALL)


def is_exact(pattern: str) -> bool:
    """Tell whether a pattern fits exactly one text (case aside)."""
    return not any(sign in pattern for sign in "*?[")


def meet(one: str, other: str) -> bool:
    """Tell whether some text could fit both patterns; a set in brackets may be any character."""
    return _meet(_tokens(one), _tokens(other))


def _tokens(pattern: str) -> tuple[str, ...]:
    found = _TOKEN.findall(pattern.lower())
    return tuple("?" if token.startswith("[") and len(token) > 1 else token for token in found)


@lru_cache(maxsize=4096)
def _meet(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if one[:1] == ("*",):
        return _meet(one[1:], other) or (bool(other) and _meet(one, other[1:]))
    if other[:1] == ("*",):
        return _meet(other, one)
    if not one or not other:
        return not one and not other
    return (one[0] == other[0] or "?" in (one[0], other[0])) and _meet(one[1:], other[1:])
