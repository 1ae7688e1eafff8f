"""
Frozen values as compact JSON, and back; pure.

A dataclass becomes an object of its fields that differ from their defaults, so that a body
stays short and a field that is added later reads as its default.  Fields that a type no longer
has are ignored.  Understood are text, numbers, decimals, enums, literals, optional values,
tuples, mappings by text, reasons, and dataclasses of them; any other type is a TypeError when it
is first met.
"""

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from decimal import Decimal
from enum import Enum
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from reaper.domain.escalation.decision import Refusal
from reaper.domain.reason import QUOTED, Reason, Value, Words, quoted

T = TypeVar("T")

Convert = Callable[[Any], Any]

_PLAIN: Final = (str, int, float, bool)
dump: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
"""Write what JSON takes, short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How a type goes to JSON and comes back; None where JSON takes it as it is."""

    write: Convert | None = None
    read: Convert | None = None


def encode(value: object) -> str:
    """Return a dataclass value as JSON of ASCII letters."""
    write = shape_of(type(value)).write
    return dump(write(value) if write else value)


def pack(value: object) -> bytes:
    """Return a dataclass value as compressed JSON: what is written every minute stays small."""
    return zlib.compress(encode(value).encode("ascii"), 1)


def unpack(kind: type[T], body: bytes) -> T:
    """Return the value of a type from what :func:`pack` made; zlib.error where it is damaged."""
    return decode(kind, zlib.decompress(body).decode("ascii"))


def decode(kind: type[T], body: str) -> T:
    """Return the value of a type from its JSON; ValueError, KeyError or TypeError if it is none."""
    read = shape_of(kind).read
    value: T = json.loads(body)
    return read(value) if read else value


def _describe(hint: Any) -> Shape:  # noqa: ANN401 - a type hint is any object
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _PLAIN or origin is Literal:
        return Shape()
    if hint is Reason:
        return Shape(write=_said, read=_reason)
    if hint == Words:
        return Shape(write=_words, read=_words_read)
    if hint is Refusal:
        return _refusal()
    if hint is Decimal:
        return Shape(write=str, read=Decimal)
    if origin in (Union, UnionType) and arguments[1:] == (NoneType,):
        return _optional(shape_of(arguments[0]))
    if origin is tuple:
        return _tuple(arguments)
    if origin is Mapping and arguments[0] is str:
        return _mapping(shape_of(arguments[1]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Shape(write=attrgetter("value"), read=hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return _dataclass(hint)
    raise TypeError(f"{hint}: not a type that the store can keep")


shape_of: Final[Callable[[Any], Shape]] = cache(_describe)
"""Return how a type goes to JSON and comes back."""


def _said(reason: Reason) -> Any:  # noqa: ANN401 - what JSON takes
    """Write a reason as its code and values; somebody's words as the plain text that they are."""
    return reason.value("text") if reason.code == QUOTED else _coded(reason)


def _coded(reason: Reason) -> list[Any]:
    return [reason.code, {name: _value(value) for name, value in reason.values}]


def _value(value: Value) -> Any:  # noqa: ANN401 - what JSON takes
    if isinstance(value, tuple):
        return [_coded(one) for one in value]
    return _coded(value) if isinstance(value, Reason) else value


def _reason(body: Any) -> Reason:  # noqa: ANN401 - as JSON has it
    """Read a reason; a text of an older store, or of the API, is somebody's words."""
    return quoted(body) if isinstance(body, str) else _decoded(body)


def _decoded(body: Sequence[Any]) -> Reason:
    code, values = body
    return Reason(code, tuple([(name, _read_value(value)) for name, value in values.items()]))


def _read_value(body: Any) -> Value:  # noqa: ANN401 - as JSON has it
    if not isinstance(body, list):
        found: str | int | float = body
        return found
    if body and isinstance(body[0], str):
        return _decoded(body)
    return tuple([_decoded(one) for one in body])


def _words(words: Words) -> Any:  # noqa: ANN401 - what JSON takes
    return words if isinstance(words, str) else _coded(words)


def _words_read(body: Any) -> Words:  # noqa: ANN401 - as JSON has it
    return body if isinstance(body, str) else _decoded(body)


def _refusal() -> Shape:
    """A refusal was a text once, ``rule: reason``, and is in the answers of the API."""
    whole = _dataclass(Refusal)

    def read(body: Any) -> Refusal:  # noqa: ANN401 - as JSON has it
        if isinstance(body, str):
            rule, mark, why = body.partition(": ")
            return Refusal(rule=rule, reason=why) if mark else Refusal(rule="", reason=body)
        found: Refusal = whole.read(body) if whole.read else Refusal(**body)
        return found

    return Shape(write=whole.write, read=read)


def _optional(item: Shape) -> Shape:
    return Shape(write=_unless_none(item.write), read=_unless_none(item.read))


def _unless_none(convert: Convert | None) -> Convert | None:
    if convert is None:
        return None
    return lambda value: None if value is None else convert(value)


def _tuple(arguments: tuple[Any, ...]) -> Shape:
    if arguments[1:] != (Ellipsis,):
        return _fixed_tuple(tuple(shape_of(argument) for argument in arguments))
    write, read = shape_of(arguments[0]).write, shape_of(arguments[0]).read
    return Shape(
        write=None if write is None else lambda items: [write(item) for item in items],
        read=tuple if read is None else lambda items: tuple([read(item) for item in items]),
    )


def _fixed_tuple(items: tuple[Shape, ...]) -> Shape:
    return Shape(
        write=_each([item.write for item in items]) if any(i.write for i in items) else None,
        read=_each([item.read for item in items]) if any(i.read for i in items) else tuple,
    )


def _each(converts: list[Convert | None]) -> Convert:
    return lambda items: tuple(
        convert(item) if convert else item for convert, item in zip(converts, items, strict=True)
    )


def _mapping(item: Shape) -> Shape:
    write, read = item.write, item.read
    return Shape(
        write=dict if write is None else lambda kept: {key: write(kept[key]) for key in kept},
        read=None if read is None else lambda kept: {key: read(kept[key]) for key in kept},
    )


def _dataclass(kind: type[Any]) -> Shape:
    hints = get_type_hints(kind)
    shapes = {field.name: shape_of(hints[field.name]) for field in fields(kind)}
    return Shape(write=_writer(kind, shapes), read=_reader(kind, shapes))


def _writer(kind: type[Any], shapes: Mapping[str, Shape]) -> Convert:
    parts = [
        (field.name, attrgetter(field.name), _default(field), shapes[field.name].write)
        for field in fields(kind)
    ]

    def write(value: Any) -> dict[str, Any]:  # noqa: ANN401 - a value of `kind`
        body = {}
        for name, get, default, convert in parts:
            item = get(value)
            if item != default:
                body[name] = convert(item) if convert else item
        return body

    return write


def _reader(kind: type[Any], shapes: Mapping[str, Shape]) -> Convert:
    converts = [(name, shape.read) for name, shape in shapes.items() if shape.read]
    names = shapes.keys()

    def read(body: dict[str, Any]) -> Any:  # noqa: ANN401 - a value of `kind`
        for name, convert in converts:
            if name in body:
                body[name] = convert(body[name])
        if not body.keys() <= names:
            body = {name: body[name] for name in body if name in names}
        return kind(**body)

    return read


def _default(field: Field[Any]) -> object:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default
