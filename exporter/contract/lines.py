"""Where things stand in the text of a scenario, so that a mistake names its line."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

Place = tuple[str | int, ...]
"""A table by its name and, of several, its number from 0; then a key of it."""

_BARE: Final = r"[A-Za-z0-9_-]+"
_HEADER: Final = re.compile(rf'\s*\[(\[?)\s*({_BARE})((?:\.(?:{_BARE}|"[^"]*"))*)\s*\]')
_KEY: Final = re.compile(rf"""(?:"([^"]*)"|'([^']*)'|({_BARE}))\s*=(?!=)""")


def lines(text: str) -> Mapping[Place, int]:
    """Return the line, from 1, of each table and of each key in it."""
    found: dict[Place, int] = {}
    counts: Counter[str] = Counter()
    here: Place = ()
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header is None:
            for key in _KEY.finditer(line.partition("#")[0] if '"' not in line else line):
                found.setdefault((*here, next((part for part in key.groups() if part), "")), number)
            continue
        several, name, below = header.groups()
        if several and not below:
            counts[name] += 1
        here = (name, counts[name] - 1) if counts[name] else (name,)
        found.setdefault(here, number)
        found.setdefault((name,), number)
    return found
