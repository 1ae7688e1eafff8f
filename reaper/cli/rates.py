"""``gpu-reaper rates``: a draft of a rate file, and the rate card with its arithmetic."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from reaper.cli import paint
from reaper.cli.ending import Ending, Wrong
from reaper.cli.reach import Reach, reaching

if TYPE_CHECKING:
    from reaper.domain.buying.offers import Offer
    from reaper.edge.gpu_prices import Catalogue


@click.group
def rates() -> None:
    """Draft a rate file from a catalogue of clouds; show what a GPU-hour costs."""


@rates.command
@click.option("--provider", required=True, help="Whose prices: aws, gcp, azure, lambdalabs …")
@click.option("--region", default="", help="Region or zone, as the provider calls it.")
@click.option(
    "--catalogue",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of gpuhunt's <provider>.csv files  [$GPUHUNT_CATALOG_DIR].",
)
@click.option("--fetch", is_flag=True, help="Fetch the catalogue; leaves this machine.")
@click.option("--version", default="", help="Version to fetch  [the latest].")
@click.option("--site", default="", help="Site that the rules are for  [any].")
@click.option("--spot", is_flag=True, help="Spot prices too, for nodes labelled purchase=spot.")
@click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="File.")
def draft(
    *,
    provider: str,
    region: str,
    catalogue: Path | None,
    fetch: bool,
    version: str,
    site: str,
    spot: bool,
    output: Path | None,
) -> None:
    """
    Write a draft of a rate file from gpuhunt's catalogue: list prices, divided by GPUs.

    Nothing leaves this machine unless --fetch is given.
    """
    from reaper.config.rate_draft import Origin
    from reaper.config.rate_draft import draft as drafted
    from reaper.domain.buying.offers import quotes

    found = _catalogue(provider, catalogue, fetch=fetch, version=version)
    offers = [
        offer for offer in found.offers if offer.region == region and (spot or not offer.spot)
    ]
    if not offers:
        raise Wrong(f"--region: {region!r} has no GPU with {provider}; {_regions(found.offers)}")
    origin = Origin(provider=provider, region=region, version=found.version, site=site)
    _write(drafted(quotes(offers), origin, found.unread), output)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise Ending(f"{output} is there already; move it away first") from error
    click.echo(f"{output}: read every line, then name it as `rates:` in the configuration")


def _catalogue(provider: str, folder: Path | None, *, fetch: bool, version: str) -> "Catalogue":
    from reaper.edge.gpu_prices import VARIABLE, fetch_catalogue, read_catalogue

    if fetch:
        return fetch_catalogue(provider, version)
    named = folder or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if named is None:
        raise Wrong("name a folder with --catalogue, or --fetch, which leaves this machine")
    return read_catalogue(named, provider)


def _regions(offers: "Sequence[Offer]") -> str:
    names = sorted({offer.region for offer in offers})
    shown = ", ".join(names[:40]) + (" …" if len(names) > 40 else "")
    return f"there are: {shown}" if names else "it has none at all"


@rates.command
@reaching
def show(reach: Reach) -> None:
    """Show the rate card of the configuration, each amount with its arithmetic."""
    configuration = reach.configuration()
    rules = configuration.rates.rates
    if not rules:
        raise Wrong("no rates are configured: hours have no price; see gpu-reaper rates draft")
    table = paint.table("for", "a GPU-hour", "kind", "from", "until", "how", right=("a GPU-hour",))
    for rule in rules:
        table.add_row(
            paint.plain(", ".join(rule.patterns) or "everything"),
            Text(f"{rule.amount:f} {rule.currency}"),
            Text(rule.kind),
            Text(_day(rule.begin, configuration.zone)),
            Text(_day(rule.end, configuration.zone)),
            paint.plain(rule.note),
        )
    paint.console().print(table)
    click.echo(f"version {configuration.rates.version}; a MIG instance costs its slices' share")


def _day(at: float | None, zone: str) -> str:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    return "" if at is None else f"{datetime.fromtimestamp(at, ZoneInfo(zone)):%Y-%m-%d}"
