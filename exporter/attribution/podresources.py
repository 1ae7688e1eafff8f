"""
The kubelet's pod-resources answer: bytes in, who was given which device in.

Pure.  The few messages are read by their field numbers (kubelet API ``podresources/v1``), so that
neither generated code nor a protobuf library is needed; unknown fields are skipped.
"""

from collections.abc import Iterator
from dataclasses import dataclass

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class WireError(ValueError):
    """The bytes are no message; they were cut off or come from something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A pod's devices in the kubelet's words: plugin device ids, and DRA (driver, device) names."""

    namespace: str
    name: str
    ids: tuple[str, ...]
    claims: tuple[tuple[str, str], ...] = ()


def parse(body: bytes) -> tuple[Assignment, ...]:
    """Read a ListPodResourcesResponse."""
    return tuple(_pod(pod) for number, pod in _fields(body) if number == 1)


def _pod(body: bytes) -> Assignment:
    name = namespace = ""
    ids: list[str] = []
    claims: list[tuple[str, str]] = []
    for number, value in _fields(body):
        if number == 1:
            name = value.decode(errors="replace")
        elif number == 2:
            namespace = value.decode(errors="replace")
        elif number == 3:
            for inner, part in _fields(value):
                if inner == 2:
                    ids += [one.decode(errors="replace") for n, one in _fields(part) if n == 2]
                elif inner == 5:
                    claims += [_claim(one) for n, one in _fields(part) if n == 4]
    return Assignment(namespace=namespace, name=name, ids=tuple(ids), claims=tuple(claims))


def _claim(body: bytes) -> tuple[str, str]:
    found = {number: value.decode(errors="replace") for number, value in _fields(body)}
    return found.get(2, ""), found.get(4, "")


def _fields(body: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the length-delimited fields of a message; numbers of other types are skipped."""
    at = 0
    while at < len(body):
        key, at = _varint(body, at)
        kind = key & 7
        if kind == _VARINT:
            _, at = _varint(body, at)
        elif kind in {_FIXED64, _FIXED32}:
            at += 8 if kind == _FIXED64 else 4
        elif kind == _BYTES:
            length, at = _varint(body, at)
            if at + length > len(body):
                raise WireError(f"a field of {length} bytes is cut off")
            yield key >> 3, body[at : at + length]
            at += length
        else:
            raise WireError(f"wire type {kind} is not in use")


def _varint(body: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(body):
            raise WireError("a number is cut off")
        byte = body[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise WireError("a number has no end")
