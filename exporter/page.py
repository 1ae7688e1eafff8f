"""
Exposition text: families in catalogue order, each series behind a prefix that is made only once.

It knows the text format and refuses to know what a value means.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final

from exporter.contract.catalog import Family

#: Rows of one family: label values in the family's order, and the number.
Rows = Iterable[tuple[tuple[str, ...], float]]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


class Page:
    """Renders one set of families; remembers the text before each number."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families = tuple(families)
        self._heads = {family.name: head(family) for family in self._families}
        self._prefixes: dict[str, dict[tuple[str, ...], str]] = {
            family.name: {} for family in self._families
        }

    def render(self, rows: Mapping[str, Rows]) -> bytes:
        """Return the page; `rows` are by family name, and a family without rows is left out."""
        lines: list[str] = []
        for family in self._families:
            found = rows.get(family.name)
            if found:
                self._add(lines, family, found)
        return "".join(lines).encode()

    def _add(self, lines: list[str], family: Family, rows: Rows) -> None:
        known = self._prefixes[family.name]
        start = len(lines)
        for labels, value in rows:
            prefix = known.get(labels)
            if prefix is None:
                prefix = known[labels] = series(family, labels)
            lines.append(f"{prefix}{number(value)}\n")
        if len(lines) == start:
            return
        lines.insert(start, self._heads[family.name])
        if len(known) > 2 * (len(lines) - start) + 64:
            known.clear()


def head(family: Family) -> str:
    """Return a family's HELP and TYPE lines."""
    text = family.help.replace("\\", "\\\\").replace("\n", "\\n")
    return f"# HELP {family.name} {text}\n# TYPE {family.name} {family.kind}\n"


def series(family: Family, labels: tuple[str, ...]) -> str:
    """Return the text of a series up to its number."""
    pairs = zip(family.labels, labels, strict=True)
    body = ",".join(f'{name}="{escape(value)}"' for name, value in pairs)
    return f"{family.name}{{{body}}} " if body else f"{family.name} "


def escape(value: str) -> str:
    """Escape a label value; what is no valid text becomes a replacement character."""
    return value.translate(_ESCAPES).encode("utf-8", "replace").decode()


def number(value: float) -> str:
    """Write a number as the format wants it."""
    if value == value and abs(value) != math.inf:  # noqa: PLR0124 - the fastest test for NaN
        return repr(value)
    return "NaN" if math.isnan(value) else ("+Inf" if value > 0 else "-Inf")
