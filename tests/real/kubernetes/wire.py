"""
Protobuf as far as a kubelet's plugins need it: texts, flags, numbers and messages by their number.

Written by hand because it is forty lines: no compiler, no generated code.
"""

from collections import defaultdict
from collections.abc import Mapping


def message(fields: Mapping[int, "Value"]) -> bytes:
    """Write a message; a list is a repeated field, and what is empty is left out as proto3 does."""
    written = b""
    for number, value in fields.items():
        for one in value if isinstance(value, list) else [value] if value else []:
            if isinstance(one, int):
                written += _number(number << 3) + _number(one)
            else:
                body = one.encode() if isinstance(one, str) else one
                written += _number(number << 3 | 2) + _number(len(body)) + body
    return written


def texts(body: bytes, number: int) -> list[str]:
    """Read the texts of a field."""
    return [one.decode() for one in parts(body)[number]]


def parts(body: bytes) -> Mapping[int, list[bytes]]:
    """Read the texts and messages of a message, still as bytes, by their numbers."""
    found: dict[int, list[bytes]] = defaultdict(list)
    at = 0
    while at < len(body):
        key, at = _read_number(body, at)
        size, at = _read_number(body, at)
        if key & 7 == 2:
            found[key >> 3].append(body[at : at + size])
            at += size
    return found


Value = str | int | bytes | list[str] | list[bytes]


def _number(value: int) -> bytes:
    written = b""
    while value > 0x7F:
        written += bytes([value & 0x7F | 0x80])
        value >>= 7
    return written + bytes([value])


def _read_number(body: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while body[at] & 0x80:
        value |= (body[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return value | body[at] << shift, at + 1
