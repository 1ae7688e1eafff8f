"""
How a command ends: its exit codes, and errors as one line each, never a traceback.

0 done · 1 refused, or a problem was found · 2 wrong usage or configuration · 3 no reaper answers
and there is no store to read · 4 a change was asked for, and whether it was made is not known.
"""

from collections.abc import Sequence
from errno import EDQUOT, ENOSPC
from pathlib import Path

import click

from reaper.ports.errors import ReaperError, WrongError
from reaper.web import words


class Ending(click.ClickException):
    """Refused, or a problem was found: what, which one, what to do."""

    exit_code = 1

    def show(self, file: object = None) -> None:
        """Write every line of the message to standard error."""
        for line in self.message.splitlines():
            click.echo(f"gpu-reaper: {words.plain(line)}", err=True)


class Wrong(Ending):
    """Asked in a wrong way, or configured wrong."""

    exit_code = 2


class Unreachable(Ending):
    """No reaper answers, and there is no store to read."""

    exit_code = 3


class Unsure(Ending):
    """A change was asked for and no answer came: it may have been made."""

    exit_code = 4


def ending(error: ReaperError | OSError, asked: Sequence[str]) -> Ending | None:
    """
    Return how a command ends by an error; None for one that is a fault of the program.

    Here alone it is decided: what was written wrong ends with 2, and so does a file that was named
    in the words `asked` and cannot be read or written.  A service that ends so is not started
    again: what else fails may be well a moment later.
    """
    if isinstance(error, ReaperError):
        return Wrong(str(error)) if isinstance(error, WrongError) else Ending(str(error))
    if error.errno in (ENOSPC, EDQUOT):
        where = error.filename or "standard output"
        return Ending(f"{where}: {error.strerror}; make room for it")
    if not _named(str(error.filename or ""), asked):
        return None
    cure = "check the path, and who may read or write there"
    return Wrong(f"{error.filename}: {error.strerror}; {cure}")


def _named(path: str, asked: Sequence[str]) -> bool:
    """Tell whether a file, or a folder that it lies in, stands among the words of a command."""
    words = {Path(word.rpartition("=")[2]) for word in asked if word}
    return bool(path) and bool(words & {Path(path), *Path(path).parents})
