"""
Reads the Prometheus text pages of one target: a series is parsed once, then only its number.

A page keeps its shape from scrape to scrape: the same lines in the same order, other numbers.
So the start of every line (name, labels, up to the number) is remembered in order, and a page
that still has these starts costs one comparison and one conversion a line.  Any other page is
read line by line, where a known start still saves the parsing; a start that left the page is
forgotten, so what is remembered is never more than one page.

Whoever writes a page may be hostile: what it may hold is bounded, so that its reading is too.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Final

#: Lines of a page; eight cards cut into seven instances each take some five thousand.
LINES: Final = 20_000
#: Bytes of a line.
LINE: Final = 8192
#: Labels of a series.
LABELS: Final = 32

#: Bytes of a number for which a page of the newest shape is read without looking at each line.
_NUMBER: Final = 64

#: What ``float()`` forgives and a page may not hold in a number.
_LOOSE: Final = b" \t\r\v\f_"


class PageError(ValueError):
    """The page is not to be trusted as a whole; the message names the line and what is wrong."""


@dataclass(frozen=True, slots=True)
class Series:
    """A name and its labels; `keys` are sorted, `values` belong to them."""

    name: str
    keys: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    def label(self, key: str) -> str:
        """Return a label's value; an absent label is empty."""
        return self.values[self.keys.index(key)] if key in self.keys else ""

    @property
    def labels(self) -> dict[str, str]:
        """Return the labels as a mapping."""
        return dict(zip(self.keys, self.values, strict=True))

    def __str__(self) -> str:
        labels = ",".join(f'{key}="{value}"' for key, value in self.labels.items())
        return f"{self.name}{{{labels}}}" if labels else self.name


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """
    A page's series in order; the same object for as long as the page keeps its shape.

    `starts` holds the beginning of every line, comments included, and `sampled` whether the line
    is a sample; `length` is what the starts and line ends take of the page, in bytes.
    """

    series: tuple[Series, ...] = ()
    starts: tuple[bytes, ...] = ()
    sampled: bytes = b""
    length: int = 0


@dataclass(frozen=True, slots=True)
class Samples:
    """A page's numbers, one per series of its layout; `times` in Unix seconds where given."""

    layout: Layout
    values: Sequence[float]
    times: Mapping[int, float] = field(default_factory=dict)

    def __iter__(self) -> Iterator[tuple[Series, float]]:
        return zip(self.layout.series, self.values, strict=True)


class Exposition:
    """The pages of one target; holds the newest page's layout and nothing else."""

    __slots__ = ("_layout",)

    def __init__(self) -> None:
        self._layout = Layout()

    def parse(self, page: bytes, *, openmetrics: bool = False) -> Samples:
        """Read a page; raise PageError, and keep nothing of it, when any line is wrong."""
        samples = self.again(page, openmetrics=openmetrics)
        if samples is None:
            samples = self.first(page, openmetrics=openmetrics)
        self.keep(samples)
        return samples

    def again(self, page: bytes, *, openmetrics: bool = False) -> Samples | None:
        """Read a page of the newest one's shape, quickly; None when it has another."""
        starts = self._layout.starts
        if not starts:
            return None
        # One line more than there are is enough to tell that they are too many.
        lines = page.split(b"\n", len(starts) + 1)
        if len(lines) != len(starts) + 1:
            return None
        broken = lines.pop() or _unended(lines, openmetrics=openmetrics)
        return None if broken else _again(self._layout, lines, len(page))

    def first(self, page: bytes, *, openmetrics: bool = False) -> Samples:
        """Read a page line by line and keep nothing, in any thread; raise PageError."""
        count = page.count(b"\n")
        if count > LINES:
            raise PageError(f"it has {count} lines; a page has at most {LINES}")
        lines = page.split(b"\n")
        if lines.pop() or not lines:
            message = f"line {len(lines) + 1}: the page breaks off without a line end"
            raise PageError(message)
        if _unended(lines, openmetrics=openmetrics):
            message = f"line {len(lines)}: the page breaks off before its # EOF"
            raise PageError(message)
        for number, line in enumerate(lines, 1):
            if len(line) > LINE:
                raise _wrong(number, line, f"has {len(line)} bytes; a line has at most {LINE}")
        return _Lines(self._layout, lines).read()

    def keep(self, samples: Samples) -> None:
        """Remember the shape of a page as the newest."""
        self._layout = samples.layout


def _unended(lines: list[bytes], *, openmetrics: bool) -> bool:
    return openmetrics and (not lines or lines[-1].rstrip(b"\r") != b"# EOF")


def _again(layout: Layout, lines: list[bytes], size: int) -> Samples | None:
    """Read a page of the layout's shape; None when it has another, or anything is unusual."""
    if size > layout.length + _NUMBER * len(lines):
        return None
    ends = list(map(bytes.removeprefix, lines, layout.starts))
    # A start that is not there leaves its line whole, and the sum too long.
    if sum(map(len, ends)) + layout.length != size:
        return None
    numbers = list(compress(ends, layout.sampled))
    joined = b"".join(numbers)
    if len(joined.translate(None, _LOOSE)) != len(joined):
        return None
    try:
        return Samples(layout, list(map(float, numbers)))
    except ValueError:
        return None


# ------------------------------------------------------------------ line by line

_NAME: Final = rb"[a-zA-Z_:][a-zA-Z0-9_:]*+"
_TEXT: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*"'
_LABELS: Final = rb'\{((?:[^"}]++|' + _TEXT + rb")*)\}"
_SAMPLE: Final = re.compile(
    rb"[ \t]*+(" + _NAME + rb")(?:[ \t]*+" + _LABELS + rb"[ \t]*+|[ \t]++)"
    rb"([^ \t\r]++)(?:[ \t]++([^ \t\r#]++))?"
    rb"(?:[ \t]++\#[ \t]*+" + _LABELS + rb"[^{}]*+)?[ \t\r]*+"
)
_LABEL: Final = re.compile(
    r'([a-zA-Z_][a-zA-Z0-9_]*+)[ \t]*+=[ \t]*+"([^"\\]*+(?:\\.[^"\\]*+)*)"[ \t]*+(?:,[ \t]*+|$)'
)
_ESCAPE: Final = re.compile(r'\\([\\n"])')
_COMMENT: Final = re.compile(rb"# (?:HELP|TYPE|UNIT) ")
_END: Final = b"# EOF"
_SHOWN: Final = 60

_Labels = tuple[tuple[str, ...], tuple[str, ...]]


class _Lines:
    """Reads one page line by line; `known` are the starts of the page before it."""

    def __init__(self, before: Layout, lines: list[bytes]) -> None:
        self.lines = lines
        starts = compress(before.starts, before.sampled)
        self.known = dict(zip(starts, before.series, strict=True))
        self.starts: list[bytes] = []
        self.sampled = bytearray()
        self.found: dict[Series, int] = {}
        self.labels: dict[bytes, _Labels] = {}
        self.values: list[float] = []
        self.times: dict[int, float] = {}
        self.ended = False

    def read(self) -> Samples:
        """Return the samples with a layout of their own."""
        for number, line in enumerate(self.lines, 1):
            if self.ended:
                raise _wrong(number, line, "stands after # EOF")
            if line[:1] == b"#" or not line.strip():
                self._comment(line)
            else:
                self._sample(number, line)
        return Samples(self._layout(), self.values, self._scaled())

    def _layout(self) -> Layout:
        return Layout(
            series=tuple(self.found),
            starts=tuple(self.starts),
            sampled=bytes(self.sampled),
            length=sum(map(len, self.starts)) + len(self.starts),
        )

    def _scaled(self) -> dict[int, float]:
        """Return Unix seconds: OpenMetrics writes these, the older text format milliseconds."""
        scale = 1.0 if self.ended else 0.001
        return {slot: time * scale for slot, time in self.times.items()}

    def _comment(self, line: bytes) -> None:
        """Remember the fixed words of a comment, else all of it: it must not become a sample."""
        self.ended = line.rstrip(b"\r") == _END
        fixed = _COMMENT.match(line)
        # No line begins with a line end: a page with empty lines is always read line by line,
        # else a sample could hide where nothing was.
        whole = line if line.strip() else b"\n"
        self.starts.append(fixed[0] if fixed else whole)
        self.sampled.append(0)

    def _sample(self, number: int, line: bytes) -> None:
        cut = line.rfind(b" ") + 1
        start, end = line[:cut], line[cut:]
        series = self.known.get(start) if end == end.strip() else None
        if series is None:
            match = _SAMPLE.fullmatch(line)
            if match is None:
                raise _wrong(number, line, 'is no sample; expected name{label="value"} number')
            start, end = line[: match.start(3)], match[3]
            name = sys.intern(match[1].decode())
            series = Series(name, *self._labels(number, line, match[2] or b""))
            if match[4] is not None:
                self.times[len(self.values)] = _number(number, line, match[4])
        if series in self.found:
            raise _wrong(number, line, f"repeats the series of line {self.found[series]}")
        self.values.append(_number(number, line, end))
        self.found[series] = number
        self.starts.append(start)
        self.sampled.append(1)

    def _labels(self, number: int, line: bytes, text: bytes) -> _Labels:
        """Parse a label set once for all the families that carry it."""
        labels = self.labels.get(text)
        if labels is None:
            labels = self.labels[text] = _labels(number, line, text)
        return labels


def _labels(number: int, line: bytes, text: bytes) -> _Labels:
    try:
        rest = text.decode().lstrip(" \t")
    except UnicodeDecodeError as error:
        raise _wrong(number, line, "is not UTF-8") from error
    labels: dict[str, str] = {}
    place = 0
    while place < len(rest):
        match = _LABEL.match(rest, place)
        if match is None:
            raise _wrong(number, line, 'has garbled labels; expected {label="value",…}')
        key, value = match.groups()
        if key in labels:
            raise _wrong(number, line, f"has the label {key} twice")
        if len(labels) == LABELS:
            raise _wrong(number, line, f"has more than {LABELS} labels")
        labels[sys.intern(key)] = sys.intern(_unescaped(value) if "\\" in value else value)
        place = match.end()
    ordered = tuple(sorted(labels))
    return ordered, tuple(labels[key] for key in ordered)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: "\n" if match[1] == "n" else match[1], text)


def _number(number: int, line: bytes, text: bytes) -> float:
    try:
        if len(text.translate(None, _LOOSE)) == len(text):
            return float(text)
    except ValueError:
        pass
    raise _wrong(number, line, f"has {text[:_SHOWN].decode(errors='replace')!r} for a number")


def _wrong(number: int, line: bytes, why: str) -> PageError:
    shown = line[:_SHOWN].decode(errors="replace")
    return PageError(f"line {number}: {shown!r} {why}")
