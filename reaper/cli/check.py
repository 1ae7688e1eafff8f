"""``gpu-reaper check``: every mistake of a configuration at once, and what its modes still lack."""

from pathlib import Path

import click

from reaper.cli.ending import Ending


@click.command
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--schema", is_flag=True, help="Write the JSON schema of a configuration, instead.")
def check(files: tuple[Path, ...], *, schema: bool) -> None:
    """
    Check configuration FILES, or the one of this machine.

    A mistake ends with exit code 1; what a mode still lacks is told and ends with 0: the program
    starts without it, and refuses to act.
    """
    if schema:
        _schema()
        return
    from reaper.config import check as checked
    from reaper.config.configuration import PLACES, find

    paths = files or tuple(path for path in [find()] if path)
    if not paths:
        click.echo(f"no configuration at {PLACES[0]}: the defaults are in force, and are right")
        return
    problems = checked(paths)
    mistakes = [problem for problem in problems if not problem.lacking]
    for problem in problems:
        click.echo(f"{'lacks  ' if problem.lacking else 'mistake'}  {problem}")
    if mistakes:
        raise Ending(f"{len(mistakes)} to correct")
    click.echo(f"no mistake in {', '.join(str(path) for path in paths)}")


def _schema() -> None:
    import json

    from reaper.config import schema as written

    click.echo(json.dumps(written(), indent=1))
