"""Which signals an allocation's processes catch, as its nodes say: silence is never a yes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Catches = Mapping[str, frozenset[str]]
"""Per target with a receiver (``batch``, ``step``), the signals that all of its receivers catch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receivers:
    """
    A node's word on who would receive a signal (wire: allocation_catches_signal).

    `platform` is empty where an older exporter does not say it.
    """

    node: str
    id: str
    start: float
    catches: Catches
    platform: str = ""


def united(words: Iterable[Receivers]) -> Catches:
    """Return what the receivers on all nodes catch; one that does not speaks for its target."""
    found: dict[str, frozenset[str]] = {}
    for word in words:
        for target, signals in word.catches.items():
            found[target] = found.get(target, signals) & signals
    return found
