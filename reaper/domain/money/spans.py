"""Half-open spans of time ``(begin, end)`` in seconds: merged, subtracted, clipped, measured."""

from collections.abc import Iterable, Sequence

Span = tuple[float, float]
"""``[begin, end)``; one whose end is not after its begin is empty."""


def merge(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans in order, those that touch or overlap joined, empty ones dropped."""
    joined: list[Span] = []
    for begin, end in sorted(span for span in spans if span[1] > span[0]):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return tuple(joined)


def subtract(spans: Iterable[Span], holes: Iterable[Span]) -> tuple[Span, ...]:
    """Return what of the spans lies in no hole, in order."""
    left: list[Span] = []
    cuts = merge(holes)
    for begin, end in merge(spans):
        start = begin
        for hole_begin, hole_end in cuts:
            if hole_end <= start:
                continue
            if hole_begin >= end:
                break
            if hole_begin > start:
                left.append((start, hole_begin))
            start = max(start, hole_end)
        if start < end:
            left.append((start, end))
    return tuple(left)


def clip(spans: Iterable[Span], begin: float, end: float) -> tuple[Span, ...]:
    """Return what of the spans lies in ``[begin, end)``."""
    cut = ((max(one, begin), min(other, end)) for one, other in spans)
    return tuple(span for span in cut if span[1] > span[0])


def overlap(spans: Sequence[Span], begin: float, end: float) -> float:
    """Return the seconds of disjoint spans that lie in ``[begin, end)``."""
    if not spans:
        return 0.0
    return sum(max(0.0, min(other, end) - max(one, begin)) for one, other in spans)
