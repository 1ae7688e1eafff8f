"""A language that nobody speaks: what a page says in plain letters was not said by its tables."""

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from typing import TypeVar

from fluent.syntax import FluentParser, FluentSerializer, ast
from fluent.syntax.visitor import Transformer

from reaper.languages.catalogue import Catalogue, Theme
from reaper.languages.language import Language
from tests.project import ROOT

WIDE = "en-x-wide"

#: Plain letters as the wide ones that no table, name or number has.
_WIDE = {code: code + 0xFEE0 for code in (*range(ord("A"), ord("Z") + 1), *range(97, 123))}

#: What is read to people beside what stands between tags.
_SPOKEN = frozenset(("title", "aria-label", "placeholder", "alt", "data-label", "label"))

#: Elements that hold nothing that is read.
_SILENT = frozenset(("style", "script", "code", "pre"))

#: Elements that never end.
_VOID = frozenset(("meta", "link", "input", "br", "hr", "img", "rect", "path", "col"))


Spoken = TypeVar("Spoken", bound=Language)


class _Widening(Transformer):
    """Says the text of messages; one that is empty says so by its name."""

    def visit_Message(self, node: ast.Message) -> ast.Message:  # noqa: N802 - a class of its syntax
        if node.id.name == "date":
            return node
        said = self.generic_visit(node)
        if said.value.equals(ast.Pattern([ast.Placeable(ast.StringLiteral(""))])):
            said.value = ast.Pattern([ast.TextElement(node.id.name.translate(_WIDE))])
        return said

    def visit_TextElement(self, node: ast.TextElement) -> ast.TextElement:  # noqa: N802
        return ast.TextElement(node.value.translate(_WIDE))


def pseudo_language(theme: Theme, kind: type[Spoken] = Language) -> Spoken:
    """Return the language that nobody speaks, made of the English messages of a theme."""
    return kind(WIDE, lambda: _wide(theme), lambda: _wide("units"))


def _wide(theme: Theme) -> Catalogue:
    source = ROOT / "reaper/languages/english" / f"{theme}.ftl"
    parsed = FluentParser().parse(source.read_text(encoding="utf-8"))
    return Catalogue(WIDE, FluentSerializer().serialize(_Widening().visit(parsed)))


class _Page(HTMLParser):
    """Gathers what a page says, but for what is marked as of another language, and for code."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._off: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        foreign = tag != "html" and given.get("lang") == "en"
        if (self._off or foreign or tag in _SILENT) and tag not in _VOID:
            self._off.append(tag)
        if not self._off:
            self.said += [text for name, text in attrs if name in _SPOKEN and text]

    def handle_endtag(self, tag: str) -> None:
        if self._off and self._off[-1] == tag:
            self._off.pop()

    def handle_data(self, data: str) -> None:
        if not self._off:
            self.said.append(data)


def untranslated(page: str, names: Iterable[str]) -> set[str]:
    """Return the words in plain letters that a page says and that are no names or units."""
    reading = _Page()
    reading.feed(page)
    known = {word for name in names for word in _words(name)}
    return {word for said in reading.said for word in _words(said)} - known


def _words(text: str) -> set[str]:
    """Return the words of two letters and more; one letter alone is a letter of a track."""
    found = re.findall(r"[A-Za-z]{2,}", text)
    return {word.lower() for word in found if len(set(word)) > 1}
