"""Files and functions stay short enough to be read."""

import ast
from pathlib import Path

import pytest

from tests.project import name_of, parse, python_files

MAX_LINES = 300
MAX_FUNCTION_LINES = 60


@pytest.mark.parametrize("path", python_files("exporter", "reaper", "tests"), ids=name_of)
def test_a_file_has_at_most_300_lines(path: Path):
    lines = len(path.read_text(encoding="utf-8").splitlines())

    assert lines <= MAX_LINES, f"{name_of(path)} has {lines} lines; split it by what it knows"


@pytest.mark.parametrize("path", python_files("exporter", "reaper", "tests"), ids=name_of)
def test_a_function_has_at_most_60_lines(path: Path):
    assert long_functions(parse(path)) == []


def test_a_function_of_61_lines_is_found():
    body = "\n".join(["def f():", *["    x = 1"] * 60])

    assert long_functions(ast.parse(body)) == ["f: 61 lines"]


def long_functions(tree: ast.Module) -> list[str]:
    return [
        f"{node.name}: {length} lines"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1) > MAX_FUNCTION_LINES
    ]
