"""``run`` and ``demo``: the reaper itself, until it is told to stop."""

import asyncio
import logging
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from reaper.cli.ending import Ending
from reaper.cli.reach import Reach, reaching

LEVELS: Final = ("debug", "info", "warning", "error")

_RATE: Final = "How many times as fast its clock runs."
_DIRECTORY: Final = "Where everything lies, and stays  [a folder that is removed afterwards]."

_FORMAT: Final = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"

_level = click.option(
    "--log-level", type=click.Choice(LEVELS), default="info", show_default=True, help="What to log."
)


@click.command
@_level
@reaching
def run(reach: Reach, *, log_level: str) -> None:
    """Run the reaper: measure, judge and, where policies say so, warn and release."""
    _log(log_level)
    from dataclasses import replace

    from reaper.app.running import run as running

    configuration = reach.prepared()
    if reach.socket:
        web = configuration.web.model_copy(update={"socket": reach.socket})
        configuration = replace(configuration, web=web)
    asyncio.run(running(configuration))


@click.command
@click.option(
    "--listen",
    default="127.0.0.1:19450",
    show_default=True,
    help="Where the page is; by default another port where that one is taken.",
)
@click.option("--rate", type=click.FloatRange(1, 600), default=30, show_default=True, help=_RATE)
@click.option("--scenario", type=click.Path(path_type=Path, exists=True), help="Another scenario.")
@click.option("--directory", type=click.Path(path_type=Path, file_okay=False), help=_DIRECTORY)
@click.option("--lasts", type=click.FloatRange(min=0), help="Real seconds  [until Ctrl-C].")
@click.option("--log-level", type=click.Choice(LEVELS), default="warning", show_default=True)
@click.pass_context
def demo(
    context: click.Context,
    /,
    *,
    listen: str,
    rate: float,
    scenario: Path | None,
    directory: Path | None,
    lasts: float | None,
    log_level: str,
) -> None:
    """
    Show it all on this machine, without any GPU.

    Simulated GPU nodes as real exporter processes, the real reaper, the real page, on a clock
    that runs fast.
    """
    _log(log_level)
    from reaper.app.demo.show import demo as show
    from reaper.schema import Mistake, address
    from reaper.web.sockets import ListenError

    try:
        where = address(listen)
    except Mistake as mistake:
        raise click.BadParameter(str(mistake), param_hint="--listen") from mistake
    shown = show(
        say=click.echo,
        listen=where,
        anywhere=context.get_parameter_source("listen") is ParameterSource.DEFAULT,
        rate=rate,
        scenario=scenario,
        directory=directory,
        lasts=lasts,
    )
    try:
        asyncio.run(shown)
    except ListenError as error:
        said = str(error).replace("set `web.listen`", "give --listen another port")
        raise Ending(said.replace("set `web.socket`", "name another --directory")) from error


def _log(level: str) -> None:
    logging.basicConfig(level=level.upper(), format=_FORMAT)
    for chatty in ("apscheduler", "aiosqlite", "sqlalchemy", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
