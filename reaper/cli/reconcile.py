"""``gpu-reaper reconcile``: our GPU-hours against those of the scheduler's own books."""

import click

from reaper.cli.ending import Ending, Wrong
from reaper.cli.reach import Reach, now, reaching
from reaper.ports import Store


@click.command
@reaching
@click.option("--week", default="", help="ISO week, as 2026-W48  [the last whole one].")
@click.option("--json", "form", flag_value="json", default="text", help="Write JSON.")
def reconcile(reach: Reach, *, week: str, form: str) -> None:
    """
    Hold the GPU-hours in our books against those in the scheduler's, run by run.

    Asks Slurm's accounting (`sacct -a -D -X -P -T`) and reads the store. Ends with 1 when the two
    differ by more than 2 %.
    """
    from reaper.app.compose import platforms
    from reaper.app.past import reconciling
    from reaper.edge.clock import SystemClock
    from reaper.reports.reconciliation_page import PAGES, Reconciled

    configuration = reach.configuration()
    at = now()
    try:
        asked = reconciling.week(configuration, week, now=at)
    except ValueError as error:
        raise Wrong(f"--week: {error}") from error
    name, recorded = reconciling.keeping(platforms(configuration, SystemClock()))

    async def ask(store: Store) -> Reconciled:
        span = (asked.begin, asked.end)
        return await reconciling.reconciled(
            store, name, recorded, span, zone=configuration.zone, now=at
        )

    told = reach.from_store(ask)
    click.echo(PAGES[form](told), nl=False)
    if not told.found.agrees:
        raise Ending("the books differ by more than 2 %")
