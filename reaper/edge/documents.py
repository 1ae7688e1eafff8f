"""
YAML files as plain values that remember their lines.

Stricter than YAML 1.1: a key stands once, `yes`, `on`, `18:00` and `010` are texts, tags are
refused.  Anchors and merge keys work; a file that expands without end does not.
"""

import errno
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from re import compile as pattern
from typing import Any, Final

import yaml

from reaper.edge.files import read_text
from reaper.edge.problems import Problem, Where, place

MOST_NODES: Final = 200_000
"""Values a file may hold, aliases expanded; a directory of 20,000 people has 140,000."""

MOST_LEVELS: Final = 40

_CURES: Final[Mapping[int | None, str]] = {errno.EINVAL: "give a file"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file's value and, for each place in it, its line (from 1)."""

    name: str
    value: Any = None
    lines: Mapping[Where, int] = field(default_factory=dict)

    def problem(self, where: Where, what: str, cure: str = "") -> Problem:
        """Name a mistake at a place of this document."""
        return Problem(
            file=self.name,
            where=place(where, self.value),
            what=what,
            cure=cure,
            line=self.line(where),
        )

    def line(self, where: Where) -> int | None:
        """Return the line of a place, or of the nearest place around it."""
        while where and where not in self.lines:
            where = where[:-1]
        return self.lines.get(where)


def read(path: Path, *, name: str = "") -> tuple[Document, tuple[Problem, ...]]:
    """Read a file; what cannot be read or parsed is a problem and leaves its value empty."""
    name = name or str(path)
    try:
        text = read_text(path)
    except OSError as error:
        cure = _CURES.get(error.errno, "check the path and who may read it")
        return _broken(name, f"cannot be read: {error.strerror}", cure)
    except UnicodeDecodeError as error:
        return _broken(name, f"is not UTF-8 at byte {error.start}", "save it as UTF-8")
    return parse(text, name=name)


def parse(text: str, *, name: str) -> tuple[Document, tuple[Problem, ...]]:
    """Parse a text; every key that stands twice is named, a syntax error ends the reading."""
    builder = _Builder(name)
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            value = builder.build(loader, node, ()) if node is not None else None
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        return _syntax(name, error)
    except RecursionError:
        return _broken(name, "is nested too deeply", "write it flat")
    document = Document(name=name, value=value, lines=builder.lines)
    return document, tuple(document.problem(*found) for found in builder.found)


def _broken(name: str, what: str, cure: str) -> tuple[Document, tuple[Problem, ...]]:
    return Document(name=name), (Problem(file=name, where="", what=what, cure=cure),)


def _syntax(name: str, error: yaml.YAMLError) -> tuple[Document, tuple[Problem, ...]]:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    context, said = getattr(error, "context", None) or "", getattr(error, "problem", None) or ""
    if said.startswith("but "):
        said = f"{context}, {said}"
    cure = getattr(error, "cure", "check the indentation, colons and quotes here")
    problem = Problem(
        file=name,
        where="",
        what=f"is no YAML: {said}",
        cure=cure,
        line=mark.line + 1 if mark else None,
    )
    return Document(name=name), (problem,)


class _Loader(yaml.SafeLoader):
    """YAML 1.2's plain scalars: no sexagesimal numbers, octals, dates, or yes and no."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, Any]]] = {}  # noqa: RUF012 - yaml's own


_TAG: Final = "tag:yaml.org,2002:"
_ALLOWED: Final = {
    f"{_TAG}{kind}" for kind in ("str", "int", "float", "bool", "null", "seq", "map")
}

for _kind, _text, _first in (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    ("float", r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("merge", r"^(?:<<)$", "<"),
):
    _Loader.add_implicit_resolver(f"{_TAG}{_kind}", pattern(_text), list(_first))


class _Builder:
    """Turns nodes into values, noting lines and keys that stand twice."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: dict[Where, int] = {}
        self.found: list[tuple[Where, str, str]] = []
        self._nodes = 0

    def build(self, loader: _Loader, node: yaml.Node, where: Where) -> Any:  # noqa: ANN401
        """Return the value of a node, at any depth."""
        self._count(node, where)
        if node.tag not in _ALLOWED:
            raise _refuse(f"the tag {node.tag} is not allowed", node, "remove the tag")
        self.lines.setdefault(where, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(loader, node, where)
        if isinstance(node, yaml.SequenceNode):
            return [
                self.build(loader, item, (*where, position))
                for position, item in enumerate(node.value)
            ]
        return loader.construct_object(node)

    def _count(self, node: yaml.Node, where: Where) -> None:
        self._nodes += 1
        if self._nodes > MOST_NODES or len(where) > MOST_LEVELS:
            raise _refuse("it grows without end", node, "write it without aliases")

    def _mapping(self, loader: _Loader, node: yaml.MappingNode, where: Where) -> dict[str, Any]:
        value: dict[str, Any] = {}
        merged: list[yaml.Node] = []
        for key_node, value_node in node.value:
            if key_node.tag == f"{_TAG}merge":
                merged += _sources(value_node)
                continue
            if not isinstance(key_node, yaml.ScalarNode):
                raise _refuse("a key is no text", key_node, "write one word before the colon")
            key = key_node.value
            if key in value:
                line = key_node.start_mark.line + 1
                self.found.append(
                    ((*where, key), f"stands twice, again in line {line}", "keep one")
                )
                continue
            self.lines[*where, key] = key_node.start_mark.line + 1
            value[key] = self.build(loader, value_node, (*where, key))
        for source in merged:
            value = {**self.build(loader, source, where), **value}
        return value


def _sources(node: yaml.Node) -> list[yaml.Node]:
    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
    for item in nodes:
        if not isinstance(item, yaml.MappingNode):
            raise _refuse("<< stands before something without keys", item, "name a group of keys")
    return list(nodes)


class _RefusedError(yaml.MarkedYAMLError):
    """Well-formed, but not what a configuration may hold."""

    cure = ""


def _refuse(what: str, node: yaml.Node, cure: str) -> _RefusedError:
    error = _RefusedError(problem=what, problem_mark=node.start_mark)
    error.cure = cure
    return error
