"""
Entries of ``Picture.totals`` as samples: counters, and histograms by their bounds; pure.

An entry's name is the family's word and its label values, each after a colon; the first value may
hold colons itself.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from reaper.web.exposition.catalog import Family

SUM: Final = "sum"

Sample = tuple[tuple[str, ...], float]
"""Label values in the family's order, and the value."""

Histogram = tuple[tuple[str, ...], list[tuple[str, float]], float]
"""Label values, the counts up to each bound (smallest first), and the sum."""


def counters(family: Family, totals: Mapping[str, float]) -> Iterator[Sample]:
    """Yield a counter's entries."""
    yield from _entries(family.totals, len(family.labels), totals)


def histograms(family: Family, totals: Mapping[str, float]) -> Iterator[Histogram]:
    """Yield a histogram's entries, one for each set of label values."""
    found: dict[tuple[str, ...], dict[str, float]] = {}
    for labels, value in _entries(family.totals, len(family.labels) + 1, totals):
        found.setdefault(labels[:-1], {})[labels[-1]] = value
    for labels, entries in found.items():
        total = entries.pop(SUM, 0.0)
        yield labels, sorted(entries.items(), key=lambda entry: float(entry[0])), total


def _entries(word: str, count: int, totals: Mapping[str, float]) -> Iterator[Sample]:
    for name, value in sorted(totals.items()):
        first, _, rest = name.partition(":")
        labels = tuple(rest.rsplit(":", count - 1)) if rest else ()
        if first == word and len(labels) == count:
            yield labels, value
