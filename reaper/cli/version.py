"""``gpu-reaper version``."""

import platform
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed

import click


@click.command
def version() -> None:
    """Print the version of the program and of Python."""
    try:
        number = installed("gpu-reaper")
    except PackageNotFoundError:
        number = "unknown"
    click.echo(f"gpu-reaper {number}, Python {platform.python_version()}")
