"""
Which target a series came from, and what its own labels said before the engine added some.

A series carries its page's labels and those of its target.  Where both had one of a name, the
page's is the one that begins with ``exported_``.  Pure.
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import Final

from exporter.contract.catalog import Family
from reaper.activity.exposition import Series
from reaper.activity.prometheus.answer import Metric

NAME: Final = "__name__"
INSTANCE: Final = "instance"
_MOVED: Final = "exported_"

Key = tuple[str, ...]
"""A target by the values of its labels; the first is the instance."""

Copies = Mapping[Key, Key]
"""Of targets that several engines scrape, which engine's copy is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Markings:
    """The names of the labels that tell targets apart, and those that tell copies apart."""

    target: tuple[str, ...] = (INSTANCE,)
    replica: tuple[str, ...] = ()

    def key(self, metric: Metric) -> Key:
        """Return which target a series is of."""
        return tuple(map(metric.get, self.target, repeat("")))

    def copy(self, metric: Metric) -> Key:
        """Return which of several engines' copies a series is of."""
        return tuple(map(metric.get, self.replica, repeat("")))


def markings(
    metrics: Iterable[Metric], labels: Iterable[str], *, replica: tuple[str, ...]
) -> Markings:
    """Find the labels of targets: all but the page's own and those that tell copies apart."""
    names = {name for metric in metrics for name in metric}
    own = {*labels, *(_MOVED + label for label in labels), *replica, NAME, INSTANCE}
    # What the page called so is the target's wherever the page's own was moved.
    moved = {label for label in labels if _MOVED + label in names}
    return Markings(target=(INSTANCE, *sorted((names - own) | moved)), replica=replica)


def copied(metric: Metric, key: Key, marks: Markings, copies: Copies) -> bool:
    """Tell whether a series is of the copy that is read; without copies every one is."""
    return not marks.replica or marks.copy(metric) == copies.get(key)


def series(family: Family, metric: Metric) -> Series:
    """Return a series as its page showed it; an absent label is empty."""
    labels, moved = _sorted(family)
    plain = map(metric.get, labels, repeat(""))
    return Series(family.name, labels, tuple(map(sys.intern, map(metric.get, moved, plain))))


@cache
def _sorted(family: Family) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a family's labels as pages have them, and what they are called where moved."""
    labels = tuple(sorted(family.labels))
    return labels, tuple(_MOVED + label for label in labels)


def page_label(metric: Mapping[str, str], label: str) -> str:
    """Return one of the page's own labels."""
    moved = metric.get(_MOVED + label)
    return metric.get(label, "") if moved is None else moved
