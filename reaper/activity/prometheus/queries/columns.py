"""
The labels of an answer's series as rows, read by their order instead of parsed one by one.

Engines write a series' labels sorted by name, so that one expression reads all that a family may
have.  It must find every series of the answer, else nothing is returned: the answer is then
written in some other way, or a label needs unescaping.  Pure.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

NAME: Final = "__name__"
_NAMED_FIRST: Final = '{"metric":{"__name__"'
_TEXT: Final = r'"([^"\\]*+)"'
_QUIET: Final = r'"[^"\\]*+"'

Row = tuple[str, ...]
"""A series' values of some labels; an absent label is empty."""


def rows(body: bytes, names: tuple[str, ...], *, count: int) -> Sequence[Row] | None:
    """
    Return the values of these labels (sorted, none twice) of each of so many series.

    None when they cannot be read so, or when there are other labels than these.
    """
    text = body.decode(errors="replace")
    named_first = text.startswith(_NAMED_FIRST, text.find('{"metric"'))
    # A quote inside a label is escaped, so this begins nowhere but where a series does.
    found = _expression(names, named_first=named_first).findall(text)
    if len(found) != count:
        return None
    return found if len(names) > 1 else [(value,) for value in found]


@lru_cache(maxsize=256)
def _expression(names: tuple[str, ...], *, named_first: bool) -> re.Pattern[str]:
    """Return what matches a series' labels; VictoriaMetrics puts the name before all others."""
    order = (NAME, *names) if named_first else sorted((NAME, *names))
    pairs = "".join(
        f'(?:"{re.escape(name)}":{_QUIET if name == NAME else _TEXT},?)?+' for name in order
    )
    return re.compile(rf'\{{"metric":\{{{pairs}\}}')
