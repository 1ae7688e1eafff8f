"""``gpu-reaper buy-or-rent``: how many GPUs of one's own the demand is worth."""

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reaper.cli.capacity import stated, stating
from reaper.cli.reach import Reach, now, reaching
from reaper.ports import Store

if TYPE_CHECKING:
    from reaper.app.books.buying import Asked
    from reaper.config import Configuration
    from reaper.reports.buying_page import BuyOrRent


def _amount(_context: click.Context, _parameter: click.Parameter, text: str) -> Decimal | None:
    if not text:
        return None
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal(0)
    if not value.is_finite() or value <= 0:
        raise click.BadParameter(f"{text!r} is no price; write for example 2.50")
    return value


@click.command("buy-or-rent")
@reaching
@click.option("--weeks", type=click.IntRange(1, 104), default=4, help="Whole weeks back  [4].")
@click.option("--own", default="", callback=_amount, help="Price of a GPU-hour of one's own.")
@click.option("--rent", default="", callback=_amount, help="Price of a rented GPU-hour.")
@click.option("--spot", is_flag=True, help="Spot prices count as rented ones, too.")
@stating
@click.option(
    "--jobs",
    "files",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Recorded jobs, as for audit, in place of the books.",
)
@click.option("--json", "form", flag_value="json", default="text", help="Write JSON.")
def buy_or_rent(
    reach: Reach,
    *,
    weeks: int,
    own: Decimal | None,
    rent: Decimal | None,
    spot: bool,
    form: str,
    capacity: tuple[str, ...],
    files: tuple[Path, ...],
) -> None:
    """
    Say what each mix of GPUs of one's own and of rented ones would have cost.

    From the hours in the books and the prices of the rate card, or those given here for every
    model: steady base, peaks, break-even, the cheapest mix, and what all of it supposes.
    """
    from reaper.app.books import buying
    from reaper.reports.buying_page import PAGES, BuyOrRent

    configuration = reach.configuration()
    there = stated(capacity, configuration.zone)
    asked = buying.Asked(weeks=weeks, spot=spot, own=own, rent=rent, capacity=there)
    if files:
        click.echo(PAGES[form](_from_files(configuration, asked, files)), nl=False)
        return
    at = now()

    async def ask(store: Store) -> BuyOrRent:
        return await buying.buy_or_rent(store, configuration, asked, now=at)

    click.echo(PAGES[form](reach.from_store(ask)), nl=False)


def _from_files(
    configuration: "Configuration", asked: "Asked", files: tuple[Path, ...]
) -> "BuyOrRent":
    from reaper.app.books import auditing, buying

    reader = auditing.told(configuration)
    found = []
    for path in files:
        try:
            with path.open("rb") as raw:
                found.append(auditing.read(raw, source=path.name, reader=reader))
        except OSError as error:
            found.append(auditing.absent(path, error))
    return buying.from_files(found, configuration, asked)
