"""
Mistakes in a file, said so that the next edit cures them: file, line, key, what, cure.

pydantic finds them; here its errors become sentences.  The schema of the model gives the known
keys and the examples; values are quoted, but never inside a secret.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from reaper.schema import Mistake, Secret, closest, shown

Where = tuple[str | int, ...]
"""A place in a document: keys and positions from its root."""

Schema = Mapping[str, Any]
"""A JSON schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """
    One thing that is wrong in one place, and its cure.

    `lacking` marks what is no mistake but still missing for the act mode.
    """

    file: str
    where: str
    what: str
    cure: str = ""
    line: int | None = None
    lacking: bool = False

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        said = f"{self.what}; {self.cure}" if self.cure else self.what
        return ": ".join(part for part in (place, self.where, said) if part)


def mistakes(
    error: ValidationError, model: type[BaseModel], value: object
) -> Iterator[tuple[Where, str, str]]:
    """Yield where, what and cure of each mistake that a model found in a value."""
    root = model.model_json_schema()
    for item in error.errors(include_url=False):
        where = _where(item["loc"], value, missing=item["type"] == "missing")
        trail = tuple(_trail(root, where, value))
        what, cure = _sentence(item, trail, where)
        yield where, what, cure


def place(where: Where, value: object) -> str:
    """
    Write a place as a person names it.

    >>> place(("policies", 0, "idle", "for"), {"policies": [{"name": "night"}]})
    'policy "night": idle.for'
    """
    head, rest = _head(where, value)
    text = ""
    for step in rest:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return ": ".join(part for part in (head, text) if part)


def _head(where: Where, value: object) -> tuple[str, Where]:
    if len(where) > 1 and where[0] == "policies" and isinstance(value, Mapping):
        item = _step(value.get("policies"), where[1])
        name = item.get("name") if isinstance(item, Mapping) else None
        if isinstance(name, str | int):
            return f'policy "{name}"', where[2:]
    return "", where


def _where(loc: Sequence[str | int], value: object, *, missing: bool) -> Where:
    """Drop from pydantic's location what is no place in the document: names of union members."""
    where: list[str | int] = []
    for position, step in enumerate(loc):
        if _has(value, step):
            value = _step(value, step)
            where.append(step)
        elif missing and position == len(loc) - 1:
            where.append(step)
    return tuple(where)


def _has(value: object, step: str | int) -> bool:
    if isinstance(value, Mapping):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and step < len(value)


def _step(value: object, step: str | int) -> object:
    return value[step] if _has(value, step) else None  # type: ignore[index]


# ------------------------------------------------------------------ the schema beside the value


def _trail(root: Schema, where: Where, value: object) -> Iterator[Schema]:
    """Yield the schema of every place from the root to `where`."""
    schema: Schema = _resolve(root, root, value)
    yield schema
    for step in where:
        value = _step(value, step)
        inner = schema.get("items", {}) if isinstance(step, int) else _property(schema, step)
        schema = _resolve(inner, root, value)
        yield schema


def _property(schema: Schema, key: str) -> Schema:
    found = schema.get("properties", {}).get(key) or schema.get("additionalProperties")
    return found if isinstance(found, Mapping) else {}


def _resolve(schema: Schema, root: Schema, value: object) -> Schema:
    """Follow references and choose the alternative that the value means."""
    if "$ref" in schema:
        return _resolve(root["$defs"][schema["$ref"].rpartition("/")[2]], root, value)
    choices = [
        _resolve(choice, root, value)
        for choice in (*schema.get("oneOf", ()), *schema.get("anyOf", ()))
    ]
    groups = [choice for choice in choices if "properties" in choice]
    for group in groups:
        kind = group["properties"].get("kind", {}).get("const")
        usual = schema.get("default-kind")
        if kind is not None and isinstance(value, Mapping) and value.get("kind", usual) == kind:
            return group
    return groups[0] if len(groups) == 1 else {**schema, "choices": choices}


# ------------------------------------------------------------------ sentences

_SHAPES: Final = {
    "model_type": "write its keys below it",
    "model_attributes_type": "write its keys below it",
    "dict_type": "write its keys below it",
    "list_type": "write a list, for example [a, b]",
    "tuple_type": "write a list, for example [a, b]",
    "string_type": "write a text, in quotes where it looks like a number",
    "bool_type": "write true or false",
    "bool_parsing": "write true or false",
    "int_type": "write a whole number",
    "int_parsing": "write a whole number",
    "int_from_float": "write a whole number",
    "float_type": "write a number",
    "float_parsing": "write a number",
    "path_type": "write a path",
}
"""What to write where the shape of a value is wrong, by pydantic's type of error."""

_BOUNDS: Final = {
    "greater_than": ("not above", "gt", "write more than"),
    "greater_than_equal": ("below", "ge", "write at least"),
    "less_than": ("not below", "lt", "write less than"),
    "less_than_equal": ("above", "le", "write at most"),
}


def _sentence(item: Any, trail: Sequence[Schema], where: Where) -> tuple[str, str]:  # noqa: ANN401
    kind, context = item["type"], item.get("ctx", {})
    written = _written(item.get("input"), trail)
    match kind:
        case "missing":
            return "missing", _example(trail[-1])
        case "extra_forbidden":
            return "unknown key", _known(str(where[-1]), trail[-2])
        case "literal_error" | "enum":
            return _choice(item["input"], written, context["expected"])
        case "union_tag_invalid":
            return _choice(context["tag"], f'kind "{context["tag"]}"', context["expected_tags"])
        case "union_tag_not_found":
            return "kind is missing", _example(trail[-1])
        case "value_error":
            error = context["error"]
            return (error.what, error.cure) if isinstance(error, Mistake) else (str(error), "")
        case _ if kind in _BOUNDS:
            says, bound, cure = _BOUNDS[kind]
            return f"{written} is {says} {context[bound]:g}", f"{cure} {context[bound]:g}"
        case "too_short":
            return "empty", "write at least one"
        case "string_pattern_mismatch":
            return f"{written} is not allowed", _example(
                trail[-1]
            ) or f"it must match {context['pattern']}"
        case _ if item.get("input") is None:
            return "empty", _SHAPES.get(kind, "write it")
        case _:
            return f"{written} does not fit", _SHAPES.get(kind, item["msg"].lower())


def _written(value: object, trail: Sequence[Schema]) -> str:
    if any(schema.get("title") == Secret.__name__ for schema in trail):
        return "it"
    return shown(value)


def _example(schema: Schema) -> str:
    """Return "write for example …" from the examples, the choices or the default of a field."""
    for choice in (schema, *schema.get("choices", ())):
        if examples := choice.get("examples"):
            return f"write for example {examples[0]}"
        if options := choice.get("enum"):
            return f"write {_either([str(option) for option in options])}"
    kinds = [
        choice["properties"]["kind"].get("const", "")
        for choice in schema.get("choices", ())
        if "kind" in choice.get("properties", {})
    ]
    return f"write kind: {_either(kinds)}" if kinds else "write it"


def _known(key: str, schema: Schema) -> str:
    known = sorted(schema.get("properties", {}))
    near = closest(key, known)
    if near:
        return f'did you mean "{near}"?'
    return f"known here: {', '.join(known)}" if known else "remove it"


def _choice(value: object, written: str, expected: str) -> tuple[str, str]:
    options = [
        part.strip().strip("'") for part in expected.replace(" or ", ", ").split(",") if part
    ]
    near = closest(str(value), options)
    cure = f'did you mean "{near}"?' if near else f"write {_either(options)}"
    return f"{written} is not known", cure


def _either(options: Sequence[str]) -> str:
    *most, last = options or ("",)
    return f"{', '.join(most)} or {last}" if most else last
