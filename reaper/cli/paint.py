"""How things look in a terminal: letters in colour, foreign text made harmless, tables alike."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from reaper.web import words
from reaper.web.html.drawn import Piece
from reaper.web.html.view import Banner

LETTERS: Final[dict[str, str]] = {
    "A": "green",
    "L": "dark_olive_green3",
    "H": "dark_orange",
    "E": "yellow",
    "X": "medium_purple",
    "?": "bright_black",
    "!": "bold red",
}
"""The style of each letter; the letter itself says the same without colour."""

BURNS: Final = "bold dark_orange"

_LEVELS: Final = {"alarm": "bold white on red", "warning": "bold yellow", "note": "bold cyan"}


def console() -> Console:
    """Return the terminal; wide where there is none, so that nothing is folded for a file."""
    made = Console(highlight=False, soft_wrap=False)
    return made if made.is_terminal else Console(highlight=False, width=140)


def plain(text: str, style: str = "") -> Text:
    """Return a foreign text as it may be written to a terminal."""
    return Text(words.plain(text), style=style)


def track(pieces: Iterable[Piece]) -> Text:
    """Return letters in their colours."""
    drawn = Text()
    for piece in pieces:
        drawn.append(piece.letters, style=LETTERS.get(piece.letter, ""))
    return drawn


def banner(told: Banner) -> Text:
    """Return what must be read first."""
    line = Text(words.plain(told.title), style=_LEVELS[told.level])
    line.append(f"  {words.plain(told.text)}", style="default on default not bold")
    if told.cure:
        line.append(f"  {told.cure}", style="italic default on default not bold")
    return line


def facts(rows: Sequence[tuple[str, str]]) -> Padding:
    """Return names and what they are, aligned."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bright_black")
    grid.add_column(overflow="fold")
    for name, value in rows:
        if value:
            grid.add_row(name, plain(value))
    return Padding(grid, (0, 0, 0, 2))


def table(*columns: str, right: tuple[str, ...] = (), whole: tuple[str, ...] = ()) -> Table:
    """Return an empty table; columns in `right` are aligned there, those in `whole` not folded."""
    made = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bright_black")
    for name in columns:
        side: JustifyMethod = "right" if name in right else "left"
        made.add_column(name, justify=side, overflow="fold", no_wrap=name in whole)
    return made
