"""
Exposition text: families in catalogue order, each series behind a prefix that is made only once.

It knows the text format and refuses to know what a value means.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from exporter.contract.catalog import Family

#: Rows of one family: label values in the family's order, and the number.
Rows = Iterable[tuple[tuple[str, ...], float]]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
#: Seconds for which a page serves all; ages on it are wrong by no more.
_YOUNG: Final = 1.5
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
        return self.join(self.blocks(rows))

    def blocks(self, rows: Mapping[str, Rows]) -> Mapping[str, str]:
        """Return the text of each family that has rows, by its name."""
        return dict(self.gradually(rows))

    def gradually(self, rows: Mapping[str, Rows]) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of one family after the other that has rows."""
        for family in self._families:
            found = rows.get(family.name)
            if found:
                yield family.name, self._block(family, found)

    def join(self, *parts: Mapping[str, str]) -> bytes:
        """Return the page that blocks make; each family's block is in one of `parts`."""
        found = {name: text for part in parts for name, text in part.items()}
        names = (family.name for family in self._families)
        return "".join([found[name] for name in names if name in found]).encode()

    def _block(self, family: Family, rows: Rows) -> str:
        known = self._prefixes[family.name]
        lines = [self._heads[family.name]]
        for labels, value in rows:
            prefix = known.get(labels)
            if prefix is None:
                prefix = known[labels] = series(family, labels)
            # The difference of a number with itself tells the finite ones, without a call.
            lines.append(f"{prefix}{value if value - value == 0 else number(value)}\n")
        if len(known) > 2 * len(lines) + 64:
            known.clear()
        return "".join(lines)


class Shared:
    """One rendered page for all who ask while it is young and nothing of its `state` changed."""

    def __init__(self) -> None:
        self._of: object = None
        self._until = -math.inf
        self._body = b""

    def page(self, state: object, now: float, render: Callable[[], bytes]) -> bytes:
        """Return the page at `now`, rendered by at most one of those who ask."""
        if state != self._of or now >= self._until:
            self.put(state, now, render())
        return self._body

    def put(self, state: object, now: float, body: bytes) -> None:
        """Take a page that was rendered before anybody asked."""
        self._body, self._of, self._until = body, state, now + _YOUNG


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
    if math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else ("+Inf" if value > 0 else "-Inf")
