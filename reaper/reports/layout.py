"""Tables as a terminal shows them, and the same as plain text where there is no terminal."""

from collections.abc import Sequence
from io import StringIO
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

#: Columns of a page that nobody's terminal bounds.
WIDTH: Final = 110


def table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str | Text]], *, words: int = 1
) -> Group:
    """Return a titled table; the first `words` columns and nameless ones hold text, not numbers."""
    grid = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for number, column in enumerate(columns):
        text = number < words or not column
        grid.add_column(column, justify="left" if text else "right", overflow="fold")
    for row in rows:
        grid.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in row))
    return Group(Text(title, style="bold"), grid, Text(""))


def lines(title: str, texts: Sequence[str]) -> Group:
    """Return a titled list of sentences."""
    return Group(Text(title, style="bold"), *(Text(f"  {text}") for text in texts), Text(""))


def plain(page: RenderableType, *, width: int = WIDTH) -> str:
    """Return a page as text without any control sequence or trailing blank."""
    paper = StringIO()
    Console(file=paper, width=width, force_terminal=False, no_color=True).print(page)
    return "\n".join(line.rstrip() for line in paper.getvalue().splitlines()).rstrip() + "\n"
