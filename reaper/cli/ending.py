"""
How a command ends: its exit codes, and errors as one line each, never a traceback.

0 done · 1 refused, or a problem was found · 2 wrong usage or configuration · 3 no reaper answers
and there is no store to read · 4 a change was asked for, and whether it was made is not known.
"""

import click

from reaper.ports.errors import ReaperError
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


def ending(error: ReaperError) -> Ending:
    """Return how a command ends by an error of ours."""
    wrong_files = type(error).__name__ == "ConfigError"
    return Wrong(str(error)) if wrong_files else Ending(str(error))
