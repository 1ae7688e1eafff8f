"""``gpu-reaper doctor``: what stands in the way, each finding with its cure."""

from typing import TYPE_CHECKING

import click
from rich.console import Group, RenderableType
from rich.text import Text

from reaper.cli import paint
from reaper.cli.ending import Ending, Wrong
from reaper.cli.reach import Reach, reaching

if TYPE_CHECKING:
    from reaper.platforms import Finding

_MARKS = {True: ("ok", "green"), False: ("wrong", "bold red"), None: ("unsure", "yellow")}


@click.command
@reaching
def doctor(reach: Reach) -> None:
    """
    Look at everything the reaper needs.

    Configuration, running reaper, store, exporters and their clocks, platforms and channels.
    Nothing is changed. Ends with 1 when something is wrong.
    """
    import asyncio

    from reaper.cli.examination.checks import examine

    found = asyncio.run(examine(reach))
    paint.console().print(page(found))
    wrong = sum(finding.ok is False for finding in found)
    if wrong and all(finding.subject == "configuration" for finding in found):
        raise Wrong(f"{wrong} to correct")
    if wrong:
        raise Ending(f"{wrong} to cure")


def page(found: tuple["Finding", ...]) -> RenderableType:
    """Return findings as a table, and how many of each there are."""
    table = paint.table("", "what", "finding", "needed to", "cure")
    for finding in found:
        mark, style = _MARKS[finding.ok]
        table.add_row(
            Text(mark, style=style),
            paint.plain(finding.subject, "bold"),
            paint.plain(finding.what),
            Text(finding.needed if not finding.ok else "", style="bright_black"),
            paint.plain(finding.cure),
        )
    counts = (
        f"{sum(finding.ok is ok for finding in found)} {mark}" for ok, (mark, _) in _MARKS.items()
    )
    return Group(table, Text(", ".join(counts)))
