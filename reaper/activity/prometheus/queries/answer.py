"""
Reads an engine's answer: which series there are, and their numbers.

Series keep their order from minute to minute, and only numbers change.  So an answer is cut into
its numbers and the rest; the rest is parsed only when its digest is not the one of the last
answer.  An answer with a warning is partial and no answer at all: what it lacks is unknown.
"""

import json
import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import repeat
from typing import Any, Final

from reaper.activity.prometheus.queries.columns import Row, rows
from reaper.ports import SourceError

Metric = Mapping[str, str]
"""A series' labels, its name among them."""

#: A quote inside a label is escaped, so this stands nowhere but where a number does.
_VALUE: Final = re.compile(rb'"value":\s*\[[^\],]*,\s*"([^"]*)"\s*\]')
#: The same as engines write it, which is found twice as fast.
_COMPACT: Final = re.compile(rb'"value":\[[^\],]*,"([^"]*)"\]')
_RESULT: Final = re.compile(rb'"result":\s*\[')
_SHOWN: Final = 200


@dataclass(frozen=True, eq=False)
class Vector:
    """One number a series; `digest` is the same for as long as the series are."""

    digest: bytes = b""
    values: "array[float]" = field(default_factory=lambda: array("d"))
    body: bytes = b""

    def metrics(self) -> tuple[Metric, ...]:
        """Parse the series, in the order of the values; they weigh more than all the rest."""
        return tuple(item["metric"] for item in json.loads(self.body)["data"]["result"])

    def rows(self, names: tuple[str, ...]) -> Sequence[Row]:
        """Return each series' values of some labels, sorted and none twice; absent is empty."""
        found = rows(self.body, names, count=len(self.values))
        if found is not None:
            return found
        return [tuple(map(metric.get, names, repeat(""))) for metric in self.metrics()]


@dataclass(frozen=True, slots=True)
class RawSeries:
    """A series' raw samples: (Unix seconds, number), oldest first."""

    metric: Metric
    samples: tuple[tuple[float, float], ...]


def vector(body: bytes, *, whose: str) -> Vector:
    """Read the answer to an instant vector; raise SourceError when it is not whole."""
    pieces = _COMPACT.split(body)
    if len(pieces) == 1:
        pieces = _VALUE.split(body)
    if len(pieces) == 1:
        _envelope(body, whose)
        return Vector(body=body)
    _envelope(_rest(pieces, whose), whose)
    # The end of the answer may hold how long the engine took.
    series = sha256(b"\0".join(pieces[:-1:2]))
    try:
        values = array("d", map(float, pieces[1::2]))
    except ValueError as error:
        raise SourceError(f"{whose}: an answer holds no numbers: {error}") from None
    return Vector(digest=series.digest(), values=values, body=body)


def matrix(body: bytes, *, whose: str) -> tuple[RawSeries, ...]:
    """Read the answer to a range selector: raw samples; raise SourceError when it is not whole."""
    content = _envelope(body, whose)
    try:
        return tuple(
            RawSeries(
                item["metric"], tuple((float(at), float(text)) for at, text in item["values"])
            )
            for item in content["data"]["result"]
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SourceError(f"{whose}: an answer holds no samples: {error!r}") from None


def _rest(pieces: Sequence[bytes], whose: str) -> bytes:
    """Return the answer without its series."""
    head, tail = pieces[0], pieces[-1]
    begin = _RESULT.search(head)
    if begin is None:
        raise SourceError(f"{whose}: an answer is no vector: {_shown(head)}")
    return head[: begin.end()] + tail.lstrip().removeprefix(b"}")


def _envelope(body: bytes, whose: str) -> Any:  # noqa: ANN401 - JSON
    """Parse an answer and refuse one that is not whole."""
    try:
        content = json.loads(body)
        result = content["data"]["result"]
    except (ValueError, KeyError, TypeError):
        raise SourceError(f"{whose}: an answer broke off or is no JSON: {_shown(body)}") from None
    if content.get("status") != "success" or not isinstance(result, list):
        raise SourceError(f"{whose}: an answer is no success: {_shown(body)}")
    if content.get("isPartial") or content.get("warnings"):
        warned = "; ".join(map(str, content.get("warnings") or ("isPartial is true",)))
        raise SourceError(f"{whose}: an answer is partial: {warned[:_SHOWN]}")
    return content


def _shown(body: bytes) -> str:
    return " ".join(body[:_SHOWN].decode(errors="replace").split())
