"""``gpu-reaper report``: this week so far in GPU-hours and money."""

import click

from reaper.cli.reach import RUNNING, Reach, now, reaching
from reaper.ports import Store
from reaper.web import words


@click.command
@reaching
@click.option("--json", "form", flag_value="json", help="Write JSON.")
@click.option("--csv", "form", flag_value="csv", help="Write CSV.")
def report(reach: Reach, *, form: str | None) -> None:
    """
    Report this week so far.

    The identity of all GPU-hours, what was wasted, as a range of money, what came back, by owner.
    """
    written, said = _ask(reach, form or "text")
    click.echo(written, nl=False)
    click.echo(said, err=form is not None)


def _ask(reach: Reach, form: str) -> tuple[str, str]:
    if line := reach.line():
        return line.get(f"/api/v1/report?format={form}"), RUNNING
    configuration = reach.configuration()
    at = now()

    async def ask(store: Store) -> str:
        from reaper.app.reporting import context, written

        return await written(store, context(configuration), now=at, form=form)

    return reach.from_store(ask), f"reaper is down: from the store, asked {words.stamp(at)}"
