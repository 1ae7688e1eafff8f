"""The program ``gpu-reaper``: its commands, each imported when it is asked for."""

from importlib import import_module
from typing import Final

import click

from reaper.cli.ending import ending
from reaper.ports import ReaperError

COMMANDS: Final[dict[str, str]] = {
    "run": "reaper.cli.service:run",
    "status": "reaper.cli.status:status",
    "explain": "reaper.cli.explain:explain",
    "keep": "reaper.cli.request:keep",
    "dispute": "reaper.cli.request:dispute",
    "pause": "reaper.cli.request:pause",
    "resume": "reaper.cli.request:resume",
    "report": "reaper.cli.report:report",
    "check": "reaper.cli.check:check",
    "doctor": "reaper.cli.doctor:doctor",
    "replay": "reaper.cli.past:replay",
    "version": "reaper.cli.version:version",
}
"""Every command and where it lies, in the order of the help."""


class Commands(click.Group):
    """A group that imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an error of ours ends it with one line."""
        try:
            return super().invoke(ctx)
        except ReaperError as error:
            raise ending(error) from error


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """
    Find GPUs that are held but idle, warn their owners, free them by policy, account for it.

    Exit codes: 0 done; 1 refused, or a problem was found; 2 wrong usage or configuration;
    3 no reaper answers and there is no store to read.
    """
