"""The text of a file, some of it at a time: no job is lost by bytes that are no UTF-8."""

from collections.abc import Iterator
from typing import BinaryIO, Final

#: Bytes that are read at once, and then to the end of their line.
_AT_ONCE: Final = 1 << 20


class Text:
    """The text of a file from its first lines on, which are read at once."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._lines = 0
        self.notes: tuple[str, ...] = ()
        """What is said of it, once it was read to its end."""
        self.first = self._next()

    def whole(self) -> str:
        """Return all of it."""
        return "".join(self.parts())

    def parts(self) -> Iterator[str]:
        """Yield it in parts, each of which ends with a line."""
        yield self.first
        yield from self._rest()

    def _rest(self) -> Iterator[str]:
        while more := self._next():
            yield more

    def _next(self) -> str:
        raw = self._raw.read(_AT_ONCE)
        if len(raw) == _AT_ONCE:
            raw += self._raw.readline()
        text = self._decoded(raw)
        self._lines += text.count("\n")
        return text

    def _decoded(self, raw: bytes) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = self._lines + raw.count(b"\n", 0, error.start) + 1
            note = f"bytes that are no UTF-8, first on line {line}: shown as replacement signs"
            self.notes = self.notes or (note,)
            return raw.decode("utf-8", errors="replace")
