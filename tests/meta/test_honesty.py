"""Nothing is pretended: no stubs, no mocks, no swallowed errors but at the named guards."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

from tests.project import name_of, parse, python_files

PROMISES = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
MOCKS = {"Mock", "MagicMock", "AsyncMock", "patch", "mocker", "create_autospec"}
BROAD = {"Exception", "BaseException"}

GUARDS = {
    "exporter/sampling/sampler.py": "a collector's error never fails the others",
    "exporter/collectors/__init__.py": "a collector's error never fails the others",
    "exporter/sampling/worker.py": "a driver's error reaches the parent as a message",
    "reaper/observers.py": "a source that fails leaves its old answer to age",
    "reaper/cycle.py": "a cycle that fails is counted and the next one runs",
    "reaper/performers.py": "an effect that fails has an outcome",
    "reaper/app.py": "the last line before the process ends",
}
"""The only files that may catch everything, each with its reason; a folder counts as its file."""


@pytest.mark.parametrize("path", python_files("exporter", "reaper"), ids=name_of)
def test_nothing_is_left_to_do(path: Path):
    assert promises(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", python_files("exporter", "reaper"), ids=name_of)
def test_errors_are_caught_by_name(path: Path):
    assert is_guard(name_of(path)) or broad_handlers(parse(path)) == []


@pytest.mark.parametrize("path", python_files("tests"), ids=name_of)
def test_tests_inject_and_never_patch(path: Path):
    assert mocks(parse(path)) == []


def test_a_promise_is_found():
    code = "x = 1  # TODO later\ny = 'TODO in a text is fine'\nraise NotImplementedError\n"

    assert promises(code) == ["line 1: TODO", "line 3: NotImplementedError"]


def test_a_broad_handler_is_found():
    code = (
        "try:\n  f()\nexcept (OSError, Exception):\n  pass\n"
        "try:\n  f()\nexcept:\n  pass\n"
        "try:\n  f()\nexcept OSError:\n  pass\n"
    )

    assert broad_handlers(ast.parse(code)) == ["line 3", "line 7"]


def test_a_mock_is_found():
    code = "from unittest.mock import Mock\n@x.patch('a')\ndef f(mocker): client.patch_it()"

    assert mocks(ast.parse(code)) == ["line 1: Mock", "line 2: patch", "line 3: mocker"]


def promises(text: str) -> list[str]:
    found = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and (word := PROMISES.search(token.string)):
            found.append(f"line {token.start[0]}: {word[0]}")
        if token.type == tokenize.NAME and token.string == "NotImplementedError":
            found.append(f"line {token.start[0]}: NotImplementedError")
    return found


def is_guard(name: str) -> bool:
    return any(name == guard or name.startswith(f"{guard[:-3]}/") for guard in GUARDS)


def broad_handlers(tree: ast.Module) -> list[str]:
    return [
        f"line {node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or BROAD & {n.id for n in ast.walk(node.type) if is_name(n)})
    ]


def is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


def mocks(tree: ast.Module) -> list[str]:
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="unittest.mock" | "mock", names=names):
                found += [(node.lineno, alias.name) for alias in names]
            case ast.Import(names=names):
                found += [
                    (node.lineno, a.name) for a in names if a.name in {"mock", "unittest.mock"}
                ]
            case ast.arg(arg=name) if name in MOCKS:
                found.append((node.lineno, name))
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in MOCKS:
                found.append((node.lineno, name))
    return [f"line {line}: {name}" for line, name in sorted(found)]
