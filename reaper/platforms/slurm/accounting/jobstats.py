"""
The summary that jobstats leaves in a job's AdminComment when it ends.

``JS1:`` and then base64 of gzipped JSON; ``JS1:Short`` and ``JS1:None`` where it has none.
Rates are means over the whole job, in percent, rounded to a tenth: 0.0 is anything below 0.05 %.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MARK: Final = "JS1:"
_EMPTY: Final = frozenset(("Short", "None", ""))

#: What a summary may unpack to: one of thousands of GPUs has some hundred kilobytes.
MOST_BYTES: Final = 4 * 2**20


class SummaryError(ValueError):
    """A summary that cannot be unpacked or holds something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A job's GPUs with their mean rates as shares, the fullest one's memory, host memory."""

    rates: tuple[float, ...] = ()
    gpu_memory: float | None = None
    memory_used: float | None = None
    """Bytes, over all nodes."""
    lacking: tuple[str, ...] = ()
    """Nodes without any value of a GPU."""


def summary(comment: str) -> Summary | None:
    """Return the summary in a comment, None where there is none; raise SummaryError."""
    packed = comment.strip()
    if not packed.startswith(MARK) or packed.removeprefix(MARK) in _EMPTY:
        return None
    body = _unpacked(packed.removeprefix(MARK))
    nodes = body.get("nodes")
    if not isinstance(nodes, Mapping) or not all(
        isinstance(one, Mapping) for one in nodes.values()
    ):
        raise SummaryError("the summary of jobstats has no nodes")
    rates = tuple(rate for node in nodes.values() for rate in _numbers(node, "gpu_utilization"))
    if not all(0 <= rate <= 100 for rate in rates):
        raise SummaryError("the summary of jobstats has a rate outside 0 to 100")
    full = [share for node in nodes.values() for share in _filled(node)]
    used = [node.get("used_memory") for node in nodes.values()]
    return Summary(
        rates=tuple(rate / 100 for rate in rates),
        gpu_memory=max(full, default=None),
        memory_used=sum(map(float, used)) if used and all(map(_is_number, used)) else None,
        lacking=tuple(name for name, node in nodes.items() if not node.get("gpu_utilization")),
    )


def _unpacked(text: str) -> Mapping[str, object]:
    try:
        stream = zlib.decompressobj(16 + zlib.MAX_WBITS)
        raw = stream.decompress(base64.b64decode(text, validate=True), MOST_BYTES)
        body = json.loads(raw)
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        raise SummaryError(f"the summary of jobstats cannot be unpacked ({error})") from error
    if not isinstance(body, Mapping):
        raise SummaryError("the summary of jobstats is no object")
    return body


def _numbers(node: Mapping[str, object], key: str) -> list[float]:
    values = node.get(key)
    found = list(values.values()) if isinstance(values, Mapping) else []
    if not all(map(_is_number, found)):
        raise SummaryError(f"the summary of jobstats has a {key} that is no number")
    return [float(value) for value in found]


def _filled(node: Mapping[str, object]) -> list[float]:
    used, whole = _numbers(node, "gpu_used_memory"), _numbers(node, "gpu_total_memory")
    if len(used) != len(whole):
        return []
    return [part / of for part, of in zip(used, whole, strict=True) if of > 0]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
