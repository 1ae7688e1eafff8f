"""
A picture packed so that one row, or what burns most, is read without the rest; pure.

Three kinds of parts, each compressed by itself, follow one another: the frame, which is all but the
rows; an index, which says where each row lies and what it is called; and leaves of rows, the
foremost first.  A body that is only a frame, with its rows in it, is read too, and a leaf with its
rows one by one: so pictures were written once.
"""

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Final

from reaper.domain.brief import brief, foremost, goes_by, named
from reaper.domain.picture import Picture, Row
from reaper.store.codec import decode, encode
from reaper.store.columns import decode_columns, encode_columns

#: Rows of a leaf: enough to be pressed well, few enough to be read for one of them.
_LEAF: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class _Leaf:
    rows: tuple[Row, ...]


def pack_picture(picture: Picture) -> bytes:
    """Return a picture as frame, index and leaves."""
    first = [row.run_key for row in foremost(picture.rows)]
    places = _places(picture.rows, first)
    rows = [picture.rows[place] for place in places]
    leaves = [_pressed(encode_columns(Row, part)) for part in _parts(rows)]
    index = {
        "sizes": [len(leaf) for leaf in leaves],
        "foremost": len(first),
        "places": places,
        "platforms": [row.platform for row in rows],
        "ids": [row.id for row in rows],
        "keys": [row.run_key for row in rows],
    }
    frame = encode(replace(picture, rows=()))
    return b"".join((_pressed(frame), _pressed(json.dumps(index)), *leaves))


def unpack_picture(body: bytes) -> Picture:
    """Return the whole picture; zlib.error where it is damaged."""
    opened = _opened(body)
    if opened.index is None:
        return opened.frame
    rows = zip(opened.index["places"], opened.rows(), strict=True)
    return replace(opened.frame, rows=tuple(row for _, row in sorted(rows, key=lambda one: one[0])))


def unpack_brief(body: bytes) -> Picture:
    """Return the brief picture of the whole."""
    opened = _opened(body)
    if opened.index is None:
        return brief(opened.frame)
    return brief(replace(opened.frame, rows=tuple(opened.rows(0, opened.index["foremost"]))))


def unpack_named(body: bytes, name: str) -> Picture:
    """Return the picture with no rows but those that go by a name."""
    opened = _opened(body)
    if opened.index is None:
        return replace(opened.frame, rows=named(opened.frame.rows, name))
    found = (row for place in opened.called(name) for row in opened.rows(place, place + 1))
    return replace(opened.frame, rows=tuple(found))


def _places(rows: tuple[Row, ...], first: list[str]) -> list[int]:
    """Return the rows' numbers in the order of the leaves."""
    rank = {key: number for number, key in enumerate(first)}
    return sorted(range(len(rows)), key=lambda place: rank.get(rows[place].run_key, len(rank)))


def _parts(rows: list[Row]) -> Iterator[tuple[Row, ...]]:
    return (tuple(rows[at : at + _LEAF]) for at in range(0, len(rows), _LEAF))


def _pressed(text: str) -> bytes:
    return zlib.compress(text.encode("ascii"), 1)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A body of which only the frame and the index are read; without an index it has no leaves."""

    frame: Picture
    index: dict[str, Any] | None = None
    leaves: bytes = b""

    def called(self, name: str) -> Iterable[int]:
        """Return the places of the rows that go by a name, in the order of the picture."""
        index = self.index or {}
        parts = zip(index["platforms"], index["ids"], index["keys"], strict=True)
        found = [place for place, names in enumerate(parts) if goes_by(name, *names)]
        return sorted(found, key=index["places"].__getitem__)

    def rows(self, first: int = 0, end: int | None = None) -> Iterator[Row]:
        """Yield the rows ``[first, end)`` in the order of the leaves."""
        index = self.index or {}
        end = len(index["keys"]) if end is None else end
        ends = list(accumulate(index["sizes"], initial=0))
        for leaf in range(first // _LEAF, -(-end // _LEAF)):
            begin = leaf * _LEAF
            text = zlib.decompress(self.leaves[ends[leaf] : ends[leaf + 1]])
            yield from _rows(text.decode("ascii"))[max(0, first - begin) : end - begin]


def _rows(text: str) -> tuple[Row, ...]:
    leaf = json.loads(text)
    return decode_columns(Row, leaf) if "columns" in leaf else decode(_Leaf, text).rows


def _opened(body: bytes) -> _Opened:
    frame, rest = _part(body)
    picture = decode(Picture, frame)
    if not rest:
        return _Opened(picture)
    index, leaves = _part(rest)
    return _Opened(picture, json.loads(index), leaves)


def _part(body: bytes) -> tuple[str, bytes]:
    """Return the text of the first part, and what follows it; zlib.error where it is cut short."""
    reader = zlib.decompressobj()
    text = reader.decompress(body) + reader.flush()
    if not reader.eof:
        raise zlib.error("incomplete or truncated stream")
    return text.decode("ascii"), reader.unused_data
