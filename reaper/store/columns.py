"""
Many frozen values of one kind as JSON, field by field; pure.

A field that is the same default everywhere is left out, and what repeats is written once, what all
have alike as the one value: so many values are shorter than one by one, and written in less than
half the time.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from itertools import chain, islice
from operator import attrgetter
from types import NoneType
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

from reaper.store.codec import Convert, dump, shape_of

T = TypeVar("T")

_REPEATING: Final = (str, int, float, tuple[str, ...])


def encode_columns(kind: type[T], values: Sequence[T]) -> str:
    """Return values of one dataclass as JSON of ASCII letters."""
    return dump(_written(kind, values))


def decode_columns(kind: type[T], body: Mapping[str, Any]) -> tuple[T, ...]:
    """Return the values of what :func:`encode_columns` wrote, read as JSON."""
    columns, parts, count = body["columns"], _parts(kind), body["count"]
    found = {name: parts[name].read(columns[name], count) for name in columns if name in parts}
    if not found:
        return tuple([kind() for _ in range(count)])
    rows = zip(*found.values(), strict=True)
    return tuple([kind(**dict(zip(found, row, strict=True))) for row in rows])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One field of a dataclass: how its column is written and read."""

    get: Callable[[Any], Any]
    default: object
    write: Callable[[list[Any]], Any]
    read: Callable[[Any, int], Any]
    """From a column and the number of its values."""


def _written(kind: type[Any], values: Sequence[Any]) -> dict[str, Any]:
    columns = {}
    for name, part in _parts(kind).items():
        found = list(map(part.get, values))
        if found.count(part.default) < len(found):
            columns[name] = part.write(found)
    return {"count": len(values), "columns": columns}


def _described(kind: Any) -> dict[str, _Part]:  # noqa: ANN401 - any dataclass
    hints = get_type_hints(kind)
    return {field.name: _part(field, hints[field.name]) for field in fields(kind)}


_parts: Final[Callable[[Any], dict[str, _Part]]] = cache(_described)


def _part(field: Field[Any], hint: Any) -> _Part:  # noqa: ANN401 - a type hint is any object
    factory, shape = field.default_factory, shape_of(hint)
    default = field.default if factory is MISSING else factory()
    get, many = attrgetter(field.name), _many(hint)
    if many is not None:
        return _Part(get=get, default=default, write=_flat(many), read=_parted(many))
    write = _each(shape.write)
    return _Part(
        get=get,
        default=default,
        write=_once(write) if _repeats(hint) else write,
        read=_looked_up(_each(shape.read)),
    )


def _many(hint: Any) -> type[Any] | None:  # noqa: ANN401 - a type hint is any object
    """Return the dataclass of which a field holds any number; None for any other field."""
    arguments = get_args(hint)
    if get_origin(hint) is tuple and arguments[1:] == (...,) and is_dataclass(arguments[0]):
        return arguments[0]  # type: ignore[return-value]
    return None


def _repeats(hint: Any) -> bool:  # noqa: ANN401 - a type hint is any object
    """Tell whether values of a type may be keys of a table."""
    kinds = [one for one in get_args(hint) if one is not NoneType]
    return hint in _REPEATING or (len(kinds) == 1 and kinds[0] in _REPEATING)


def _each(convert: Convert | None) -> Callable[[list[Any]], list[Any]]:
    if convert is None:
        return lambda items: items
    return lambda items: [convert(item) for item in items]


def _once(write: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    """Write a column as its different values and the place of each, where that is shorter."""

    def written(items: list[Any]) -> Any:  # noqa: ANN401 - what JSON takes
        first = items[0]
        if items.count(first) == len(items):
            return {"of": write([first])}
        different = dict.fromkeys(items)
        if 2 * len(different) > len(items):
            return write(items)
        places = dict(zip(different, range(len(different)), strict=True))
        return {"of": write([*different]), "at": list(map(places.__getitem__, items))}

    return written


def _looked_up(read: Callable[[list[Any]], list[Any]]) -> Callable[[Any, int], list[Any]]:
    def found(column: Any, count: int) -> list[Any]:  # noqa: ANN401 - what JSON gives
        if isinstance(column, list):
            return read(column)
        values = read(column["of"])
        return list(map(values.__getitem__, column["at"])) if "at" in column else values * count

    return found


def _flat(kind: type[Any]) -> Callable[[list[Any]], Any]:
    """Write all values of all rows behind one another, and how many each row has."""
    return lambda rows: {
        "sizes": list(map(len, rows)),
        "all": _written(kind, [*chain.from_iterable(rows)]),
    }


def _parted(kind: type[Any]) -> Callable[[Any, int], list[tuple[Any, ...]]]:
    def rows(column: Any, _count: int) -> list[tuple[Any, ...]]:  # noqa: ANN401 - what JSON gives
        values = iter(decode_columns(kind, column["all"]))
        return [tuple(islice(values, size)) for size in column["sizes"]]

    return rows
