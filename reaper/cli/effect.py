"""``gpu-reaper effect``: before and after a change of a policy."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click
from rich.console import Group, RenderableType
from rich.text import Text

from reaper.cli import paint
from reaper.cli.reach import Reach, now, reaching
from reaper.domain.money.effect import Half, wasted
from reaper.domain.money.figures import Figures
from reaper.ports import Store
from reaper.web import words

if TYPE_CHECKING:
    from reaper.app.past.effects import Measured

_HOUR = 3600.0


def _seconds(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | None:
    """Return the seconds of a duration such as 14d."""
    from reaper.schema import Mistake, seconds

    try:
        return None if value is None else seconds(value)
    except Mistake as mistake:
        raise click.BadParameter(str(mistake)) from mistake


@click.command
@reaching
@click.option("--policy", required=True, metavar="NAME", help="Whose change.")
@click.option("--at", metavar="DAY", help="When it was  [when its version came into force].")
@click.option(
    "--span", metavar="DURATION", callback=_seconds, help="How much of either side  [whole weeks]."
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def effect(reach: Reach, *, policy: str, at: str | None, span: float | None, as_json: bool) -> None:
    """
    Compare before and after a change of a policy: what its runs wasted, and what others did.

    Shares of what was held, with coverage and demand, beside everybody whom the policy does not
    match; what speaks against believing a gain is said with it. The store is read, whether the
    reaper runs or not.
    """
    from reaper.app.past.effects import measured

    configuration = reach.configuration()
    moment = None if at is None else _instant(at, configuration.zone)

    async def told(store: Store) -> "Measured":
        return await measured(store, configuration, policy=policy, at=moment, span=span, now=now())

    found = reach.from_store(told)
    if as_json:
        from reaper.web.json_api.answers import body

        click.echo(body(found))
        return
    paint.console().print(page(found))


def _instant(text: str, zone: str) -> float:
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is no day: write for example 2026-11-02") from error
    return (read if read.tzinfo else read.replace(tzinfo=ZoneInfo(zone))).timestamp()


# ------------------------------------------------------------------ the page


def page(found: "Measured") -> RenderableType:
    """Return an effect for a terminal."""
    return Group(*_parts(found))


def _parts(found: "Measured") -> Iterator[RenderableType]:
    told = found.effect
    days = words.duration(told.before.span)
    yield paint.plain(f"{found.policy} {found.version}", "bold").append(
        f"  changed {words.stamp(told.at)}; {days} on either side", style="bright_black not bold"
    )
    yield Text("")
    table = paint.table("", "before", "after", right=("before", "after"))
    for name, one, other in _rows(told.before, told.after):
        table.add_row(name, one, other)
    yield table
    yield Text("")
    yield Text(_sentence(found), style="bold")
    for doubt in told.doubts:
        yield paint.plain(f"but: {doubt}", "yellow")
    if not told.doubts:
        yield Text("nothing that is known speaks against it", style="green")


def _rows(before: Half, after: Half) -> Iterator[tuple[str, str, str]]:
    def row(name: str, of: Callable[[Half], str]) -> tuple[str, str, str]:
        return name, of(before), of(after)

    yield row("GPU-hours held under it", lambda side: _hours(side.under.allocated))
    yield row("  seen of them", lambda side: _percent(side.under.coverage))
    yield row("  idle of them", lambda side: _part(side.under, side.under.idle))
    yield row("  wasted of them", lambda side: _range(side.under))
    yield row("GPU-hours wasted", lambda side: _hours(side.under.wasted))
    yield row("released by us", lambda side: f"{side.released}")
    yield row("given back after a warning", lambda side: f"{side.given_back}")
    yield row("everybody else: wasted", lambda side: _range(side.others))
    yield row("time in which jobs waited", lambda side: _percent(side.demand.share))


def _sentence(found: "Measured") -> str:
    told = found.effect
    if told.change is None or told.owed is None:
        return "nothing was held under it on one of the sides"
    theirs = "nobody else" if told.elsewhere is None else f"{100 * told.elsewhere:+.1f} points"
    return (
        f"wasted share {100 * told.change:+.1f} points, everybody else {theirs}: "
        f"{100 * told.owed:+.1f} points are its own"
    )


def _range(figures: Figures) -> str:
    share = wasted(figures)
    return words.NOTHING if share is None else f"{share.low:.1%} to {share.high:.1%}"


def _part(figures: Figures, seconds: float) -> str:
    held = figures.allocated
    return f"{seconds / held:.1%}" if held else words.NOTHING


def _percent(share: float | None) -> str:
    return words.NOTHING if share is None else f"{share:.1%}"


def _hours(seconds: float) -> str:
    return f"{seconds / _HOUR:,.1f}"
