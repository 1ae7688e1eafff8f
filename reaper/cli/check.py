"""``gpu-reaper check``: every mistake of a configuration at once, and what its modes still lack."""

from pathlib import Path

import click

from reaper.cli.ending import Wrong
from reaper.web import words


@click.command
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--schema", is_flag=True, help="Write the JSON schema of a configuration, instead.")
def check(files: tuple[Path, ...], *, schema: bool) -> None:
    """
    Check configuration FILES, or the one of this machine, and all that they need to start.

    What is told as a mistake keeps `gpu-reaper run` from starting and ends with exit code 2. What
    a mode still lacks is told and ends with 0: the reaper starts without it, and refuses to act.
    Secrets, files and rights are looked at as this user, in this environment.
    """
    if schema:
        _schema()
        return
    from reaper.config import foreseen
    from reaper.config.configuration import PLACES, find

    paths = files or (find(),)
    if paths == (None,):
        click.echo(f"no configuration at {PLACES[0]}: the defaults are in force")
    problems = foreseen(paths)
    mistakes = [problem for problem in problems if not problem.lacking]
    for problem in problems:
        click.echo(f"{'lacks  ' if problem.lacking else 'mistake'}  {words.plain(str(problem))}")
    if mistakes:
        raise Wrong(f"{len(mistakes)} to correct")
    click.echo(f"no mistake in {', '.join(str(path or 'the defaults') for path in paths)}")


def _schema() -> None:
    import json

    from reaper.config import schema as written

    click.echo(json.dumps(written(), indent=1))
