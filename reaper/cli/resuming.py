"""Starting again what was released: as oneself, on the platform, without any reaper."""

import click

from reaper.cli.ending import Ending, Wrong
from reaper.cli.reach import Reach, reaching
from reaper.web import words


@click.command("resume-workload")
@click.argument("workload")
@reaching
def resume_workload(reach: Reach, *, workload: str) -> None:
    """
    Start WORKLOAD again, which was released: it gets back what it had before.

    It asks the platform itself, with your own rights there (your kubeconfig), and needs no reaper
    that runs. WORKLOAD is called as in its message, such as kubernetes/lab/notebook/mira.
    """
    import asyncio

    asyncio.run(_resume(reach, workload))


async def _resume(reach: Reach, workload: str) -> None:
    import os

    from reaper.edge.clock import SystemClock
    from reaper.platforms import NAMES, Surroundings, builder

    name, _, ident = workload.partition("/")
    if name not in NAMES or not ident:
        raise Wrong(f"{words.plain(workload)} begins with no platform, such as kubernetes/…")
    configuration = reach.configuration_or_defaults()
    settings = dict(configuration.platforms).get(name) or builder(name).settings()
    around = Surroundings(
        cluster=configuration.cluster, clock=SystemClock(), environment=dict(os.environ)
    )
    platform = builder(name).build(settings, around)
    if platform.resume is None:
        raise Ending(f"what {name} has released cannot be started again: submit it anew")
    try:
        click.echo(words.plain(await platform.resume(ident)))
    finally:
        await platform.close()
