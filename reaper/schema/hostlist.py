"""Slurm's short form of many node names: ``gpu[01-03,07],login1`` (hostlist(3))."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Final

#: More names than any cluster has nodes: a typo must not fill the memory.
MOST: Final = 100_000

_PIECE = re.compile(r"\[([^\[\]]*)\]|([^\[\],]+)")
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)


class HostlistError(ValueError):
    """The text is no list of nodes; the message quotes it."""


def expand(text: str) -> tuple[str, ...]:
    """Return the names in Slurm's order, the order of `gres_detail`; () for an empty text."""
    names: list[str] = []
    for item in _items(text):
        names += _names(item, MOST - len(names))
    return tuple(names)


def _items(text: str) -> Iterator[str]:
    """Split at the commas that stand outside brackets."""
    start = depth = 0
    for position, char in enumerate(text):
        depth += (char == "[") - (char == "]")
        if char == "," and depth == 0:
            yield text[start:position]
            start = position + 1
    if text:
        yield text[start:]


def _names(item: str, room: int) -> Iterator[str]:
    pieces = list(_PIECE.finditer(item))
    if "".join(piece[0] for piece in pieces) != item or not item:
        raise HostlistError(f"{item[:80]!r} is no list of nodes")
    choices = [[piece[2]] if piece[2] else _numbers(piece[1]) for piece in pieces]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > room:
        raise HostlistError(f"{item[:80]!r} names more than {MOST} nodes")
    return ("".join(parts) for parts in product(*choices))


def _numbers(text: str) -> list[str]:
    """Return ``01-03,07`` as its numbers, each as wide as the range's first."""
    numbers: list[str] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise HostlistError(f"[{text[:80]}] is no range of nodes")
        first, last = match[1], match[2] or match[1]
        if not 0 <= int(last) - int(first) < MOST:
            raise HostlistError(f"[{text[:80]}] is no range of nodes")
        width = len(first)
        numbers += [f"{number:0{width}d}" for number in range(int(first), int(last) + 1)]
    return numbers
