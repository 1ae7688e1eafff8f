"""``gpu-reaper buy-or-rent``: how many GPUs of one's own the demand is worth."""

from decimal import Decimal, InvalidOperation

import click

from reaper.cli.reach import Reach, now, reaching
from reaper.ports import Store


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
@click.option("--json", "form", flag_value="json", default="text", help="Write JSON.")
def buy_or_rent(
    reach: Reach, *, weeks: int, own: Decimal | None, rent: Decimal | None, spot: bool, form: str
) -> None:
    """
    Say what each mix of GPUs of one's own and of rented ones would have cost.

    From the hours in the books and the prices of the rate card, or those given here for every
    model: steady base, peaks, break-even, the cheapest mix, and what all of it supposes.
    """
    from reaper.app import buying
    from reaper.reports.buying_page import PAGES, BuyOrRent

    configuration = reach.configuration()
    asked = buying.Asked(weeks=weeks, spot=spot, own=own, rent=rent)
    at = now()

    async def ask(store: Store) -> BuyOrRent:
        return await buying.buy_or_rent(store, configuration, asked, now=at)

    click.echo(PAGES[form](reach.from_store(ask)), nl=False)
