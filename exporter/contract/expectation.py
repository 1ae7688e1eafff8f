"""
What a scenario expects: the steps of each allocation in order, verdicts, what never happens.

A step is written ``kind``, ``kind: words of its text``, either with ``@moment`` or
``@earliest..latest``; ``...`` stands for any steps.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from typing import Final, TypeVar

from exporter.contract import telling
from exporter.contract.drawing import duration, moments
from exporter.contract.tables import Table
from exporter.contract.telling import ExpectedWords

T = TypeVar("T")

#: Kinds of steps as a scenario writes them, each with the kind of event in the ledger.
STEPS: Final[Mapping[str, str]] = {
    "began": "run began",
    "ended": "run ended",
    "opened": "case opened",
    "warning": "warning",
    "final": "final",
    "would release": "would release",
    "release": "release intended",
    "verified": "verified",
    "failed": "failed",
    "reverted": "reverted",
    "dropped": "dropped",
    "closed": "case closed",
    "given back": "given back",
    "asked": "release asked",
    "own release": "owner's release intended",
    "not done": "owner's release not done",
    "ended by owner": "ended by its owner",
    "keep": "keep",
    "dispute": "dispute",
    "overdue": "dispute overdue",
    "upheld": "dispute upheld",
    "rejected": "dispute rejected",
    "approved": "approved",
    "advice": "advice",
    "would save": "would save",
    "save": "save intended",
    "saved": "saved",
    "not saved": "not saved",
    "refused": "refused",
    "interlock": "interlock",
    "paused": "paused",
    "resumed": "resumed",
}

#: Other words for steps and verdicts, each with the word that this format has.
_OTHER_WORDS: Final[Mapping[str, str]] = {
    "warn": "warning",
    "warned": "warning",
    "final warning": "final",
    "final notice": "final",
    "released": "release",
    "release intended": "release",
    "would have released": "would release",
    "kept": "keep",
    "disputed": "dispute",
    "case opened": "opened",
    "case closed": "closed",
    "close": "closed",
    "run began": "began",
    "run ended": "ended",
    "save intended": "save",
    "hung": "stalled",
    "host busy": "idle, host busy",
    "idle host busy": "idle, host busy",
}

#: Steps that touch people and their work: where steps are expected, all of these must be named.
TOUCHING: Final = (
    "warning",
    "final",
    "would save",
    "save",
    "would release",
    "release",
    "own release",
)

#: Stands in a list of steps for any steps at all.
ANYTHING: Final = "..."

#: Keys of the table that name no allocation.
_RESERVED: Final = frozenset(
    ("never", "cluster", "says", "never_says", "operator", "alerts", "never_alerts")
)

#: Verdicts, and ``gone`` for an allocation that does not run.
VERDICTS: Final = (
    "busy",
    "starved",
    "partial",
    "idle",
    "empty",
    "idle, host busy",
    "stalled",
    "suspect",
    "warm",
    "unknown",
    "gone",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedStep:
    """
    A step: its kind, words that its text contains, and when, in seconds from start.

    `anything` stands for any steps, none included.
    """

    kind: str = ""
    words: str = ""
    earliest: float | None = None
    latest: float | None = None
    anything: bool = False
    written: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedVerdict:
    """A verdict at a moment, with words that its reason and what holds its case contain."""

    allocation: str
    at: float
    kind: str
    words: str = ""
    held: str = ""
    written: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedNever:
    """A step that never happens, to one allocation or to any (empty)."""

    step: ExpectedStep
    allocation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """
    All that a scenario expects.

    `cluster` are the steps that concern no single allocation; None where nothing is said of them.
    """

    steps: Mapping[str, tuple[ExpectedStep, ...]] = field(default_factory=dict)
    cluster: tuple[ExpectedStep, ...] | None = None
    verdicts: tuple[ExpectedVerdict, ...] = ()
    never: tuple[ExpectedNever, ...] = ()
    says: tuple[ExpectedWords, ...] = ()
    """What a notice says."""
    never_says: tuple[ExpectedWords, ...] = ()
    operator: tuple[ExpectedWords, ...] = ()
    """What stands in the queue of operators."""
    alerts: tuple[ExpectedWords, ...] = ()
    """Alerts, by name or expression, whose condition holds."""
    never_alerts: tuple[ExpectedWords, ...] = ()

    @property
    def told(self) -> tuple[ExpectedWords, ...]:
        """Return all that somebody must be told, or never."""
        return (*self.says, *self.never_says, *self.operator, *self.alerts, *self.never_alerts)

    @property
    def anything(self) -> bool:
        """Tell whether the scenario expects anything at all."""
        steps = self.steps or self.verdicts or self.never or self.told
        return bool(steps or self.cluster is not None)

    @property
    def moments(self) -> tuple[float, ...]:
        """Return the moments that must be looked at, in seconds from start."""
        told = (at for item in self.told for at in (item.earliest, item.latest) if at is not None)
        return (*(item.at for item in self.verdicts), *told)


def read(table: Table, names: frozenset[str], *, length: float | None = None) -> Expectation:
    """
    Read what is expected of the allocations of these names; mistakes go to the table.

    Nothing is judged before the start and after `length`.
    """
    steps: dict[str, tuple[ExpectedStep, ...]] = {}
    verdicts: list[ExpectedVerdict] = []
    for key in table.values:
        if key in _RESERVED:
            continue
        name = key.rpartition("@")[0] or key
        if name not in names:
            table.wrong(key, f"no allocation {name!r}; {_cure(name, names)}")
        elif "@" in key:
            verdicts += _each(table, key, partial(verdict, key, length=length))
        else:
            steps[key] = tuple(_each(table, key, step))
    said = "cluster" in table.values
    return Expectation(
        steps=steps,
        cluster=tuple(_each(table, "cluster", step)) if said else None,
        verdicts=tuple(verdicts),
        never=tuple(_each(table, "never", partial(never, names))),
        says=tuple(_each(table, "says", partial(telling.notice, names))),
        never_says=tuple(_each(table, "never_says", partial(telling.notice, names))),
        operator=tuple(_each(table, "operator", partial(telling.operator, names))),
        alerts=tuple(_each(table, "alerts", telling.alert)),
        never_alerts=tuple(_each(table, "never_alerts", telling.alert)),
    )


def _cure(name: str, names: frozenset[str]) -> str:
    near = get_close_matches(name, sorted(_RESERVED), 1)
    return (
        f"did you mean {near[0]!r}?" if near else f"drawn are {', '.join(sorted(names)) or 'none'}"
    )


def _each(table: Table, key: str, reader: Callable[[object], T]) -> Iterator[T]:
    for value in table.listed(key):
        try:
            yield reader(value)
        except ValueError as error:
            table.wrong(key, str(error))


def step(text: object) -> ExpectedStep:
    """Read ``"closed: activity returned@2h"``; raise ValueError with what is wrong and its cure."""
    written = str(text).strip()
    if written == ANYTHING:
        return ExpectedStep(anything=True, written=written)
    said, at, when = written.rpartition("@")
    earliest, latest = moments(when) if at else (None, None)
    kind, _, words = (said if at else written).partition(":")
    return ExpectedStep(
        kind=known(kind.strip(), STEPS, "step"),
        words=words.strip(),
        earliest=earliest,
        latest=latest,
        written=written,
    )


def verdict(place: str, value: object, *, length: float | None = None) -> ExpectedVerdict:
    """Read ``"4711@30m" = "idle: no work"``, or a table with `verdict` and `held`."""
    table = value if isinstance(value, dict) else {"verdict": value}
    if left := sorted(set(table) - {"verdict", "held"}):
        message = f"{left[0]!r} is unknown; write verdict and held"
        raise ValueError(message)
    allocation, _, when = place.rpartition("@")
    written = str(table.get("verdict", ""))
    kind, _, words = written.partition(":")
    at = duration(when.strip())
    if at < 0 or (length is not None and at > length):
        side = "before start" if at < 0 else "after length"
        raise ValueError(f"{when.strip()} lies {side}: nothing is judged then")
    return ExpectedVerdict(
        allocation=allocation,
        at=at,
        kind=known(kind.strip(), VERDICTS, "verdict"),
        words=words.strip(),
        held=str(table.get("held", "")),
        written=written,
    )


def never(allocations: frozenset[str], text: object) -> ExpectedNever:
    """Read ``"release"`` or ``"4711 release"``."""
    first, _, rest = str(text).strip().partition(" ")
    if first in allocations and rest:
        return ExpectedNever(step=step(rest), allocation=first)
    return ExpectedNever(step=step(text))


def known(word: str, words: Mapping[str, str] | tuple[str, ...], what: str) -> str:
    """Return a word that is one of `words`; raise ValueError that names them otherwise."""
    plain = " ".join(word.lower().replace("_", " ").replace("-", " ").split())
    for said in (word, plain, _OTHER_WORDS.get(plain, "")):
        if said in words:
            return said
    near = get_close_matches(word, tuple(words), 1)
    cure = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(words)}"
    message = f"no {what} {word!r}; {cure}"
    raise ValueError(message)
