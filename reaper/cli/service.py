"""``gpu-reaper run``: the reaper itself, until it is told to stop."""

import asyncio
import logging
from typing import Final

import click

from reaper.cli.reach import Reach, reaching

LEVELS: Final = ("debug", "info", "warning", "error")

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

    configuration = reach.configuration()
    if reach.socket:
        web = configuration.web.model_copy(update={"socket": reach.socket})
        configuration = replace(configuration, web=web)
    asyncio.run(running(configuration))


def _log(level: str) -> None:
    logging.basicConfig(level=level.upper(), format=_FORMAT)
    for chatty in ("apscheduler", "aiosqlite", "sqlalchemy", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
