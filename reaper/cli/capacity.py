"""The option ``--capacity``, which states how many GPUs there are, as a number or as a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reaper.cli.ending import Wrong

if TYPE_CHECKING:
    from collections.abc import Callable

    from reaper.domain.audit.filling import Stated


def stating(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """Give a command the option."""
    return click.option(
        "--capacity",
        multiple=True,
        metavar="GPUS[,BEGIN[,END]]|FILE",
        help="What there is: a number with dates, or a CSV with gpus, model, begin, end.",
    )(command)


def stated(given: tuple[str, ...], zone: str) -> "tuple[Stated, ...]":
    """Return what was given; raise Wrong with every mistake."""
    from zoneinfo import ZoneInfo

    from reaper.reports.capacity import CapacityError, number, table

    found: list[Stated] = []
    for text in given:
        try:
            one = number(text, zone=ZoneInfo(zone))
            if one is not None:
                found.append(one)
                continue
            written = Path(text).read_text(encoding="utf-8", errors="replace")
            found += table(written, source=text, zone=ZoneInfo(zone))
        except OSError as error:
            cure = "give a number, or a CSV with the columns gpus, model, begin, end"
            raise click.UsageError(f"--capacity {text}: {error.strerror}; {cure}") from error
        except CapacityError as error:
            raise Wrong(f"--capacity: {error}") from error
    return tuple(found)
