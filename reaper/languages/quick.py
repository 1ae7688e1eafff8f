"""
Messages of the plain kind, said without Fluent: text, values, and one choice by a value.

Most messages are; what asks for more (others, functions, plurals that are not English) is left to
Fluent.  A test sees to it that both say the same.  It spares a command line the library, which
takes longer to load than a short command, and pages most of what saying takes.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

#: A message in a file: its name, and its text with the lines that go on.
_MESSAGE: Final = re.compile(r"^([a-zA-Z][\w-]*) = ?(.*(?:\n[ \t]+.*)*)", re.MULTILINE)

_PLAIN: Final = r'(?:[^{}\n]|\{ (?:\$[\w-]+|"[^"\\]*") \})*'
_PLACE: Final = re.compile(r'\{ (\$[\w-]+|"[^"]*") \}')
_CHOICE: Final = re.compile(
    rf"({_PLAIN})\{{ \$([\w-]+) ->((?:\n\s+\*?\[\w+\] {_PLAIN})+)\n\s*\}}({_PLAIN})"
)
_VARIANT: Final = re.compile(r"\n\s+(\*?)\[(\w+)\] (.*)")
_PLURALS: Final = frozenset(("zero", "one", "two", "few", "many"))

Given = Mapping[str, str | int | float]
Saying = Callable[[Given], str]
"""Says a message with its values; KeyError where one is missing."""


def messages(source: str) -> dict[str, str]:
    """Return the messages of a file by their names, as they are written there."""
    return dict(_MESSAGE.findall(source))


def saying(written: str, *, english: bool) -> Saying | None:
    """Return what says a message; None where it takes more than is done here."""
    if re.fullmatch(_PLAIN, written):
        return partial(_filled, _parts(written))
    found = _CHOICE.fullmatch(written)
    if found is None:
        return None
    before, by, variants, after = found.groups()
    choices = {
        key: _parts(f"{before}{text.rstrip()}{after}")
        for _, key, text in _VARIANT.findall(variants)
    }
    usual = next(key for mark, key, _ in _VARIANT.findall(variants) if mark)
    if not english and _PLURALS & choices.keys():
        return None
    return partial(_chosen, by, choices, choices[usual])


def _parts(text: str) -> tuple[tuple[str, str], ...]:
    """Return a text as pairs: words, and the name of the value that follows them ("": none)."""
    pieces = _PLACE.split(text)
    pairs = list(zip(pieces[::2], [*pieces[1::2], ""], strict=True))
    return tuple(
        (words + place[1:-1], "") if place.startswith('"') else (words, place[1:])
        for words, place in pairs
    )


def _filled(parts: tuple[tuple[str, str], ...], given: Given) -> str:
    return "".join(f"{words}{given[name]}" if name else words for words, name in parts)


def _chosen(
    by: str,
    choices: Mapping[str, tuple[tuple[str, str], ...]],
    usual: tuple[tuple[str, str], ...],
    given: Given,
) -> str:
    value = given[by]
    if isinstance(value, int) and str(value) not in choices:
        return _filled(choices.get("one", usual) if value == 1 else usual, given)
    return _filled(choices.get(str(value), usual), given)
