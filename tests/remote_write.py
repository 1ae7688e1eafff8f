"""
Scraping without a scraper: pages written into an engine at any time, as Prometheus would.

The remote-write protocol by hand: its messages are few, and its compression allows literals.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.request import ProxyHandler, Request, build_opener

from reaper.activity.exposition import Exposition, Series

OPENER = build_opener(ProxyHandler({}))
STALE = struct.pack("<Q", 0x7FF0000000000002)
"""The one NaN that says that a series has ended."""

Labels = tuple[tuple[str, str], ...]
Sample = tuple[Labels, bytes, float]
"""A series, its eight bytes, Unix seconds."""


@dataclass(slots=True)
class Scraper:
    """Writes one target's pages into an engine; what a page no longer shows ends."""

    address: str
    labels: Mapping[str, str]
    _before: frozenset[Labels] = frozenset()
    _exposition: Exposition = field(default_factory=Exposition)

    def scrape(self, page: bytes, at: float) -> None:
        """Write a page as scraped at a time."""
        found = {
            self._labelled(series): struct.pack("<d", value)
            for series, value in self._exposition.parse(page)
        }
        found[self._labelled(Series("up"))] = struct.pack("<d", 1.0)
        ended = dict.fromkeys(self._before - set(found), STALE)
        self._before = frozenset(found)
        push(self.address, ((series, value, at) for series, value in {**found, **ended}.items()))

    def fail(self, at: float) -> None:
        """Write a scrape that failed: every series ends."""
        up = self._labelled(Series("up"))
        samples = [(series, STALE, at) for series in self._before - {up}]
        push(self.address, [*samples, (up, struct.pack("<d", 0.0), at)])
        self._before = frozenset([up])

    def _labelled(self, series: Series) -> Labels:
        own = {name: value for name, value in series.labels.items() if value}
        moved = {f"exported_{name}" if name in self.labels else name: own[name] for name in own}
        return tuple(sorted({"__name__": series.name, **moved, **self.labels}.items()))


def push(address: str, samples: Iterable[Sample]) -> None:
    """Write samples into an engine."""
    body = snappy(b"".join(field_of(1, series_of(*sample)) for sample in samples))
    headers = {
        "Content-Type": "application/x-protobuf",
        "Content-Encoding": "snappy",
        "X-Prometheus-Remote-Write-Version": "0.1.0",
    }
    request = Request(f"http://{address}/api/v1/write", data=body, headers=headers)
    with OPENER.open(request, timeout=30) as answer:
        assert answer.status in {200, 204}


def series_of(labels: Labels, value: bytes, at: float) -> bytes:
    """Return a TimeSeries message."""
    named = b"".join(
        field_of(1, field_of(1, name.encode()) + field_of(2, text.encode()))
        for name, text in labels
    )
    return named + field_of(2, b"\x09" + value + b"\x10" + varint(round(at * 1000)))


def field_of(number: int, content: bytes) -> bytes:
    """Return a length-delimited field."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def varint(number: int) -> bytes:
    """Return an unsigned number, seven bits a byte."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def snappy(content: bytes) -> bytes:
    """Return a block of literals alone."""
    return varint(len(content)) + b"".join(literals(content))


def literals(content: bytes) -> Iterator[bytes]:
    """Yield the content in literals of at most 64 KiB, each with its length in two bytes."""
    for first in range(0, len(content), 65536):
        part = content[first : first + 65536]
        yield b"\xf4" + struct.pack("<H", len(part) - 1) + part
