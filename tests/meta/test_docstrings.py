"""Every package states its law, every module and public name what it is."""

import ast
from pathlib import Path

import pytest

from tests.project import name_of, parse, python_files

SHORTEST_LAW = 40
"""Characters below which a package's docstring can hardly say what it refuses to know."""


@pytest.mark.parametrize("path", python_files("exporter", "reaper"), ids=name_of)
def test_modules_and_public_names_have_docstrings(path: Path):
    assert undocumented(parse(path)) == []


@pytest.mark.parametrize(
    "path",
    [path for path in python_files("exporter", "reaper") if path.name == "__init__.py"],
    ids=name_of,
)
def test_a_package_states_its_law(path: Path):
    law = ast.get_docstring(parse(path)) or ""

    assert len(law) >= SHORTEST_LAW, f"{name_of(path)}: say what it knows and refuses to know"


def test_what_lacks_a_docstring_is_found():
    code = "def shown(): ...\ndef _hidden(): ...\nclass Shown:\n    def method(self): ..."

    assert undocumented(ast.parse(code)) == ["the module", "shown", "Shown"]


def undocumented(tree: ast.Module) -> list[str]:
    names = [] if ast.get_docstring(tree) else ["the module"]
    names += [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    return names
