"""Every language has every message, each once, and calls what there is."""

from pathlib import Path

import pytest
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

import reaper.languages
from reaper.languages.catalogue import CODES

ROOT = Path(reaper.languages.__file__).parent
THEMES = sorted(path.name for path in (ROOT / "english").glob("*.ftl"))
FOLDERS = {"english": "en", "russian": "ru"}


class Asked(Visitor):
    """Collects the messages and the functions that a message asks for."""

    def __init__(self):
        self.messages, self.functions = set(), set()

    def visit_MessageReference(self, node):  # noqa: N802 - the name of a class of its syntax
        self.messages.add(node.id.name)

    def visit_FunctionReference(self, node):  # noqa: N802
        self.functions.add(node.id.name)
        self.generic_visit(node)


def entries(folder, theme):
    parsed = FluentParser().parse((ROOT / folder / theme).read_text(encoding="utf-8"))
    assert not [entry.content for entry in parsed.body if isinstance(entry, ast.Junk)]
    return [entry for entry in parsed.body if isinstance(entry, ast.Message)]


def test_every_language_is_looked_at():
    assert tuple(FOLDERS.values()) == CODES


def names(folder, theme):
    return [entry.id.name for entry in entries(folder, theme)]


every_file = pytest.mark.parametrize(
    ("folder", "theme"), [(folder, theme) for folder in FOLDERS for theme in THEMES]
)


@every_file
def test_no_message_stands_twice(folder, theme):
    assert sorted(names(folder, theme)) == sorted(set(names(folder, theme)))


@every_file
def test_every_message_of_english_is_there(folder, theme):
    assert not set(names("english", theme)) - set(names(folder, theme))


@every_file
def test_a_message_asks_for_what_there_is(folder, theme):
    asked = Asked()
    for entry in entries(folder, theme):
        asked.visit(entry)

    assert asked.messages <= set(names(folder, theme))
    assert asked.functions <= {"SPAN", "SHORT", "RULE", "FAMILIES"}
