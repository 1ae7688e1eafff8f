"""Why something is so, as a value: a code and what its sentence needs; no sentence is made here."""

from dataclasses import dataclass
from typing import Final, TypeAlias, Union

Value: TypeAlias = Union[str, int, float, "Reason", tuple["Reason", ...]]
"""A name, a number, or further reasons. The unit of a number is in the name of the value."""

#: The code of words that are not ours: a platform's, a person's, or a text of an older store.
QUOTED: Final = "quoted"


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


def because(code: str, /, **values: Value) -> Reason:
    """Return a reason by its code and values."""
    return Reason(code, tuple(values.items()))


def quoted(text: str) -> Reason:
    """Return somebody else's words, which every language says as they are."""
    return Reason(QUOTED, (("text", text),))
