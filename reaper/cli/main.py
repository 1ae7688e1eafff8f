"""The program ``gpu-reaper``: its commands, each imported when it is asked for."""

from dataclasses import dataclass
from importlib import import_module
from typing import Final

import click


@dataclass(frozen=True, slots=True)
class Entry:
    """A command: its name, where it lies, and what the list of commands says of it."""

    name: str
    where: str
    says: str


COMMANDS: Final[tuple[Entry, ...]] = (
    Entry("run", "service:run", "Run the reaper until SIGTERM or Ctrl-C."),
    Entry("demo", "service:demo", "Show it all on this machine, without any GPU."),
    Entry("status", "status:status", "What is idle now, whose, what it burns, what is next."),
    Entry("explain", "explain:explain", "One allocation: track, signals, rule, what is next."),
    Entry("keep", "request:keep", "Keep an idle allocation of yours for a while."),
    Entry("release", "request:release", "Give an allocation of yours back now."),
    Entry("dispute", "request:dispute", "Say that a verdict is wrong; an operator looks at it."),
    Entry("pause", "request:pause", "Stop every act; for operators."),
    Entry("resume", "request:resume", "Lift the pause or another hold; for operators."),
    Entry("resume-workload", "resuming:resume_workload", "Start again what was released."),
    Entry("rule", "request:rule", "Rule on a dispute; for operators."),
    Entry("queue", "queue:queue", "What waits for an operator: disputes, approvals, refusals."),
    Entry("approve", "request:approve", "Approve the release of a large allocation; two must."),
    Entry("report", "report:report", "This week so far, in GPU-hours and money, by owner."),
    Entry("reconcile", "reconcile:reconcile", "Our GPU-hours against the scheduler's own."),
    Entry("audit", "audit:audit", "What recorded jobs of a scheduler held and wasted."),
    Entry("rates", "rates:rates", "Draft a rate file; show what a GPU-hour costs and why."),
    Entry("buy-or-rent", "buy_or_rent:buy_or_rent", "How many GPUs of one's own pay off."),
    Entry("check", "check:check", "Every mistake of a configuration at once, with its cure."),
    Entry(
        "doctor", "examination.doctor:doctor", "What stands in the way, each finding with its cure."
    ),
    Entry("replay", "past:replay", "What a recorded file tells, judged by the same rules."),
    Entry("simulate", "simulate:simulate", "What other policies would have done with the past."),
    Entry("effect", "effect:effect", "Before and after a change of a policy, and how believable."),
    Entry("capture", "past:capture", "What was decided on, as a file that can be replayed."),
    Entry("version", "version:version", "Print the version."),
)
"""Every command, in the order of the help."""

_ASKED: Final = "words of the command line"

_PLACES: Final = {entry.name: entry.where for entry in COMMANDS}


class Commands(click.Group):
    """A group that imports a command when it is asked for, and lists them without."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the help."""
        return list(_PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        if cmd_name not in _PLACES:
            return None
        module, _, name = _PLACES[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"reaper.cli.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.says) for entry in COMMANDS])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words of the command line: they say which files were named."""
        ctx.meta[_ASKED] = tuple(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an error of ours ends it with one line."""
        from reaper.cli.ending import ending
        from reaper.ports import ReaperError

        try:
            return super().invoke(ctx)
        except (ReaperError, OSError) as error:
            if end := ending(error, ctx.meta[_ASKED]):
                raise end from error
            raise


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gpu-reaper", prog_name="gpu-reaper")
def cli() -> None:
    """
    Find GPUs that are held but idle, warn their owners, free them by policy, account for it.

    Exit codes: 0 done; 1 refused, or a problem was found; 2 wrong usage or configuration;
    3 no reaper answers and there is no store to read; 4 a change was asked for, and whether it was
    made is not known.
    """
