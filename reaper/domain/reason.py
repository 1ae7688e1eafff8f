"""Why something is so, as a value: a code and what its sentence needs; no sentence is made here."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias, Union

Value: TypeAlias = Union[str, int, float, "Reason", tuple["Reason", ...]]
"""A name, a number, or further reasons. The unit of a number is in the name of the value."""

#: The code of words that are not ours: a platform's, a person's, or a text of an older store.
QUOTED: Final = "quoted"

#: The code of several reasons beside each other.
TOGETHER: Final = "together"


@dataclass(frozen=True, slots=True)
class Reason:
    """
    Why something is so: the code of a message of the catalogue, and its values by name.

    Decisions compare codes, never sentences. Several reasons beside each other are a tuple.
    """

    code: str
    values: tuple[tuple[str, Value], ...] = ()

    def value(self, name: str) -> Value:
        """Return one of its values; KeyError where it has none of that name."""
        return dict(self.values)[name]


Words: TypeAlias = str | Reason
"""What is said: a reason of ours, or words that somebody typed, as they are."""


def because(code: str, /, **values: Value) -> Reason:
    """Return a reason by its code and values."""
    return Reason(code, tuple(values.items()))


def quoted(text: str) -> Reason:
    """Return somebody else's words, which every language says as they are."""
    return Reason(QUOTED, (("text", text),))


def together(*reasons: Reason) -> Reason:
    """Return reasons beside each other as one; a single one is itself."""
    return reasons[0] if len(reasons) == 1 else Reason(TOGETHER, (("reasons", reasons),))


def codes(words: Words) -> Iterator[str]:
    """Yield the codes of a reason and of all that lie within it; of somebody's words none."""
    if isinstance(words, str):
        return
    yield words.code
    for _, value in words.values:
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Reason):
                yield from codes(inner)
