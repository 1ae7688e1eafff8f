"""
Which target a series came from, and what its own labels said before the engine added some.

A series carries its page's labels and those of its target.  Where both had one of a name, the
page's is the one that begins with ``exported_``.  Pure.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter
from typing import Final

from exporter.contract.catalog import Family
from reaper.activity.prometheus.queries.answer import Metric, Vector
from reaper.activity.prometheus.queries.columns import NAME, Row

INSTANCE: Final = "instance"
MOVED: Final = "exported_"
_MOVED_LABEL: Final = b'"exported_'

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
    own = {*labels, *(MOVED + label for label in labels), *replica, NAME, INSTANCE}
    # What the page called so is the target's wherever the page's own was moved.
    moved = {label for label in labels if MOVED + label in names}
    return Markings(target=(INSTANCE, *sorted((names - own) | moved)), replica=replica)


def shown(
    family: Family,
    found: Vector,
    labels: tuple[str, ...],
    marks: Markings,
    copies: Copies,
    *,
    begin: int = 0,
) -> Iterator[tuple[Key, int, Row]]:
    """
    Yield the series of the copies that are read: target, slot, and what its page's labels said.

    Slots are counted from `begin`; an absent label is empty.
    """
    moved: tuple[str, ...] = ()
    known = {*family.labels, *marks.target, *marks.replica}
    if _MOVED_LABEL in found.body:
        moved = tuple(MOVED + label for label in labels)
        known.update(MOVED + label for label in family.labels)
    names = tuple(sorted(known))
    own, own_moved = _picking(names, labels), _picking(names, moved)
    whose = _picking(names, (*marks.target, *marks.replica))
    keys: dict[Row, Key | None] = {}
    for slot, row in enumerate(found.rows(names), begin):
        target = whose(row)
        try:
            key = keys[target]
        except KeyError:
            key = keys[target] = _read(target, marks, copies)
        if key is not None:
            values = own(row)
            yield key, slot, tuple(map(_either, own_moved(row), values)) if moved else values


def _either(moved: str, plain: str) -> str:
    return moved or plain


def _read(target: Row, marks: Markings, copies: Copies) -> Key | None:
    """Return which target it is when its copy is the one that is read; without copies all are."""
    key = target[: len(marks.target)]
    return key if not marks.replica or target[len(key) :] == copies.get(key) else None


def _picking(names: tuple[str, ...], chosen: tuple[str, ...]) -> Callable[[Row], Row]:
    """Return what picks some columns of a row."""
    places = tuple(map(names.index, chosen))
    if not places:
        return lambda _: ()
    if len(places) == 1:
        return itemgetter(slice(places[0], places[0] + 1))
    return itemgetter(*places)


def page_label(metric: Mapping[str, str], label: str) -> str:
    """Return one of the page's own labels."""
    moved = metric.get(MOVED + label)
    return metric.get(label, "") if moved is None else moved
