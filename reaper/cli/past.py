"""``replay``: recorded files through the rules of this program."""

from pathlib import Path

import click

from reaper.cli.ending import Ending


@click.command
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--json", "form", flag_value="json", default=None, help="Write JSON.")
def replay(path: Path, *, form: str | None) -> None:
    """
    Replay the recorded file at PATH.

    A .csv of another system gives its hours held, at zero and unused.
    """
    if path.suffix != ".csv":
        raise Ending(f"{path}: not a file that can be replayed; give a .csv")
    from reaper.reports.traces import TraceError
    from reaper.reports.traces import replay as replayed
    from reaper.reports.traces.pages import PAGES

    try:
        told = replayed(path)
    except (TraceError, OSError) as error:
        raise Ending(str(error)) from error
    click.echo(PAGES[form or "text"](told), nl=False)
