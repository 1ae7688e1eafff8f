"""
What a scenario expects people and dashboards to be told: notices, operators, alerts.

Written ``ID KIND: words``, ``ID: words`` or an alert's name, each with ``@moment`` or
``@earliest..latest`` where that matters.  Words between slashes are a regular expression.
"""

import re
from dataclasses import dataclass
from typing import Final

from exporter.contract.drawing import moments

#: Kinds of notices; ``notice`` is any of them.
NOTICES: Final = ("warning", "final", "advice", "released", "reverted", "failed", "notice")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedWords:
    """
    Words that somebody is told, of an allocation or (empty) of any, in seconds from start.

    `words` are part of the text in any case of letters, or a regular expression between slashes.
    """

    words: str = ""
    allocation: str = ""
    kind: str = ""
    earliest: float | None = None
    latest: float | None = None
    written: str = ""

    def are_in(self, text: str) -> bool:
        """Tell whether a text, its blanks made one each, has the words."""
        plain = " ".join(text.split())
        if _is_pattern(self.words):
            return re.search(self.words[1:-1], plain, re.IGNORECASE) is not None
        return self.words.lower() in plain.lower()

    def cover(self, at: float, slack: float) -> bool:
        """Tell whether a moment is meant, with some slack on both sides."""
        if self.earliest is None or self.latest is None:
            return True
        return self.earliest - slack < at < self.latest + slack


def notice(allocations: frozenset[str], text: object) -> ExpectedWords:
    """Read ``"4711 final@2h: will be released"``; raise ValueError with what is wrong."""
    written = str(text).strip()
    head, _, words = written.partition(":")
    said, earliest, latest = timed(head)
    name, _, kind = said.rpartition(" ")
    if kind not in NOTICES:
        message = f"no notice {kind!r}; known are {', '.join(NOTICES)}"
        raise ValueError(message)
    _known(name.strip(), allocations)
    return ExpectedWords(
        words=_words(words),
        allocation=name.strip(),
        kind="" if kind == "notice" else kind,
        earliest=earliest,
        latest=latest,
        written=written,
    )


def operator(allocations: frozenset[str], text: object) -> ExpectedWords:
    """Read ``"4711: hangs@2h"`` or ``"words"``; raise ValueError with what is wrong."""
    written = str(text).strip()
    said, earliest, latest = timed(written)
    name, colon, words = said.partition(":")
    named = bool(colon) and name.strip() in allocations
    return ExpectedWords(
        words=_words(words if named else said),
        allocation=name.strip() if named else "",
        earliest=earliest,
        latest=latest,
        written=written,
    )


def alert(text: object) -> ExpectedWords:
    """Read ``"GpusIdleLong@6h"``, an alert or an expression; raise ValueError."""
    written = str(text).strip()
    said, earliest, latest = timed(written)
    return ExpectedWords(words=said, earliest=earliest, latest=latest, written=written)


def timed(text: str) -> tuple[str, float | None, float | None]:
    """Return a text without its moments, and these."""
    said, at, when = text.rpartition("@")
    if not at:
        return text.strip(), None, None
    return (said.strip(), *moments(when))


def _words(text: str) -> str:
    words = text.strip()
    if _is_pattern(words):
        try:
            re.compile(words[1:-1])
        except re.error as error:
            message = f"{words}: no regular expression: {error}"
            raise ValueError(message) from error
    return words


def _is_pattern(words: str) -> bool:
    return len(words) > 1 and words[0] == words[-1] == "/"


def _known(name: str, allocations: frozenset[str]) -> None:
    if name and name not in allocations:
        message = f"no allocation {name!r}; drawn are {', '.join(sorted(allocations)) or 'none'}"
        raise ValueError(message)
