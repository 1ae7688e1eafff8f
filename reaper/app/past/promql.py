"""
As much of PromQL as the conditions of alerts about one moment need; pure.

Selectors, comparisons, arithmetic, ``and``, ``or``, ``unless``, and sums over labels.  What needs
a past (a range, an offset, a rate) is refused by name.
"""

import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Labels: TypeAlias = "frozenset[tuple[str, str]]"
Vector: TypeAlias = "dict[Labels, float]"
Value: TypeAlias = "float | Vector"
Samples: TypeAlias = "Sequence[tuple[str, Mapping[str, str], float]]"

_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_:][\w:]*)|(?P<text>"(?:[^"\\]|\\.)*")"""
    r"""|(?P<sign>=~|!~|==|!=|>=|<=|[-+*/<>=(){},\[\]]))"""
)
_COMPARES: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
_SUMS: Final[Mapping[str, Callable[[Iterable[float]], float]]] = {
    "sum": sum,
    "min": min,
    "max": max,
    "count": lambda values: float(len(tuple(values))),
}
_SETS: Final = ("and", "or", "unless")


class PromqlError(ValueError):
    """The expression needs more than this; the message says what."""


def evaluate(expression: str, samples: Samples, now: float) -> Value:
    """Return the value of an expression over samples of one moment; raise PromqlError."""
    reader = _Reader(tokens=_tokens(expression), samples=samples, now=now)
    found = reader.sets()
    if reader.place < len(reader.tokens):
        raise PromqlError(f"{expression!r}: {reader.tokens[reader.place][1]!r} is not known here")
    return found


def holds(expression: str, samples: Samples, now: float) -> bool:
    """Tell whether an alert with this condition would be pending; raise PromqlError."""
    found = evaluate(expression, samples, now)
    return bool(found)


def _tokens(expression: str) -> tuple[tuple[str, str], ...]:
    found, place, text = [], 0, expression.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            raise PromqlError(f"{expression!r}: cannot be read at {text[place : place + 12]!r}")
        found.append((match.lastgroup, match[match.lastgroup]))
        place = match.end()
    return tuple(found)


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Reads an expression from left to right, and evaluates it as it goes."""

    tokens: Sequence[tuple[str, str]]
    samples: Samples
    now: float
    place: int = 0

    def _next(self) -> str:
        return self.tokens[self.place][1] if self.place < len(self.tokens) else ""

    def _take(self, wanted: str = "") -> str:
        word = self._next()
        if not word or (wanted and word != wanted):
            raise PromqlError(f"{wanted or 'more'!r} is missing before {word or 'the end'!r}")
        self.place += 1
        return word

    def sets(self) -> Value:
        """Read ``and``, ``or`` and ``unless``, the loosest of all."""
        left = self._comparison()
        while self._next() in _SETS:
            how, on = self._take(), None
            if self._next() in ("on", "ignoring"):
                on = self._take(), self._listed()
            left = _joined(how, _vector(left), _vector(self._comparison()), on)
        return left

    def _comparison(self) -> Value:
        left = self._sum()
        while self._next() in _COMPARES:
            compare, right = _COMPARES[self._take()], self._sum()
            left = _compared(left, right, compare)
        return left

    def _sum(self) -> Value:
        left = self._product()
        while self._next() in ("+", "-"):
            how = operator.add if self._take() == "+" else operator.sub
            left = _combined(left, self._product(), how)
        return left

    def _product(self) -> Value:
        left = self._atom()
        while self._next() in ("*", "/"):
            how = operator.mul if self._take() == "*" else operator.truediv
            left = _combined(left, self._atom(), how)
        return left

    def _atom(self) -> Value:
        kind, word = self.tokens[self.place] if self.place < len(self.tokens) else ("", "")
        self._take()
        if kind == "number":
            return float(word)
        if word == "(":
            found = self.sets()
            self._take(")")
            return found
        if word in _SUMS:
            return self._summed(_SUMS[word])
        if kind != "name":
            raise PromqlError(f"{word!r} is not known here")
        if self._next() == "(":
            if word != "time":
                raise PromqlError(f"{word}() needs more than one moment")
            self._take("(")
            self._take(")")
            return self.now
        return self._selected(word)

    def _summed(self, how: Callable[[Iterable[float]], float]) -> Value:
        by = self._listed() if self._next() == "by" and self._take() else ()
        self._take("(")
        inner = _vector(self.sets())
        self._take(")")
        by = self._listed() if self._next() == "by" and self._take() else by
        groups: dict[Labels, list[float]] = defaultdict(list)
        for labels, value in inner.items():
            groups[frozenset(pair for pair in labels if pair[0] in by)].append(value)
        return {labels: how(values) for labels, values in groups.items()}

    def _listed(self) -> tuple[str, ...]:
        self._take("(")
        found = []
        while self._next() != ")":
            found.append(self._take())
            if self._next() == ",":
                self._take()
        self._take(")")
        return tuple(found)

    def _selected(self, name: str) -> Value:
        wanted = tuple(self._matchers()) if self._next() == "{" else ()
        if self._next() in ("[", "offset"):
            raise PromqlError(f"{name}: a range or an offset needs more than one moment")
        return {
            frozenset((key, text) for key, text in labels.items() if text): value
            for called, labels, value in self.samples
            if called == name and all(fits(labels.get(key, "")) for key, fits in wanted)
        }

    def _matchers(self) -> Iterable[tuple[str, Callable[[str], bool]]]:
        self._take("{")
        while self._next() != "}":
            key, how, text = self._take(), self._take(), self._take()[1:-1]
            pattern = re.compile(re.escape(text) if how in ("=", "!=") else text)
            yield key, _fits(pattern, wanted=how in ("=", "=~"))
            if self._next() == ",":
                self._take()
        self._take("}")


def _fits(pattern: re.Pattern[str], *, wanted: bool) -> Callable[[str], bool]:
    return lambda text: (pattern.fullmatch(text) is not None) is wanted


def _vector(value: Value) -> Vector:
    return value if isinstance(value, dict) else {frozenset(): value}


def _joined(
    how: str, left: Vector, right: Vector, on: tuple[str, tuple[str, ...]] | None
) -> Vector:
    def key(labels: Labels) -> Labels:
        if on is None:
            return labels
        kept = on[0] == "on"
        return frozenset(pair for pair in labels if (pair[0] in on[1]) is kept)

    there = {key(labels) for labels in right}
    if how == "or":
        ours = {key(labels) for labels in left}
        return left | {labels: one for labels, one in right.items() if key(labels) not in ours}
    return {labels: one for labels, one in left.items() if (key(labels) in there) is (how == "and")}


def _compared(left: Value, right: Value, compare: Callable[[float, float], bool]) -> Vector:
    """Return the values for which a comparison holds; of two numbers 1, or nothing."""
    if not isinstance(left, dict) and not isinstance(right, dict):
        return {frozenset(): 1.0} if compare(left, right) else {}
    if not isinstance(left, dict):
        return {key: one for key, one in _vector(right).items() if compare(left, one)}
    if not isinstance(right, dict):
        return {key: one for key, one in left.items() if compare(one, right)}
    return {key: one for key, one in left.items() if key in right and compare(one, right[key])}


def _combined(left: Value, right: Value, how: Callable[[float, float], float]) -> Value:
    if not isinstance(left, dict) and not isinstance(right, dict):
        return how(left, right)
    if not isinstance(left, dict):
        return {key: how(left, one) for key, one in _vector(right).items()}
    if not isinstance(right, dict):
        return {key: how(one, right) for key, one in left.items()}
    return {key: how(one, right[key]) for key, one in left.items() if key in right}
