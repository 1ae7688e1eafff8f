"""``gpu-reaper simulate``: what other policies would have done with the past."""

from collections.abc import Iterator, Sequence
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Group, RenderableType
from rich.text import Text

from reaper.cli import paint
from reaper.cli.past import drawing
from reaper.cli.reach import Reach, now, reaching
from reaper.cycle.simulation.fates import Fate, Sum
from reaper.languages.catalogue import refused, said
from reaper.ports import Store
from reaper.web import words

if TYPE_CHECKING:
    from reaper.app.past.simulating import Asked, Simulation

#: Runs that a list shows; how many more there are is said.
_SHOWN = 20

_DAY = 86400.0
_HOUR = 3600.0


def _seconds(_ctx: click.Context, _param: click.Parameter, value: str) -> float:
    """Return the seconds of a duration such as 4h or 7d."""
    from reaper.schema import Mistake, seconds

    try:
        return seconds(value)
    except Mistake as mistake:
        raise click.BadParameter(str(mistake)) from mistake


@click.command
@click.argument("policies")
@reaching
@click.option(
    "--against", metavar="POLICIES", help="Others beside them: a file, a name, or `current`."
)
@click.option(
    "--last", default="7d", metavar="DURATION", callback=_seconds, help="How much of it  [7d]."
)
@click.option(
    "--from",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A drawn scenario instead of the ledger.",
)
@click.option(
    "--back-within",
    default="4h",
    metavar="DURATION",
    callback=_seconds,
    help="Until when work counts as back  [4h].",
)
@click.option(
    "--people",
    type=click.Choice(("unknown", "away")),
    default="unknown",
    help="What is assumed of people where only letters are known  [unknown].",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def simulate(
    reach: Reach,
    *,
    policies: str,
    against: str | None,
    last: float,
    path: Path | None,
    back_within: float,
    people: str,
    as_json: bool,
) -> None:
    """
    Decide the past again under POLICIES, and tell what they would have done.

    POLICIES is a policy file, one of observe, notify and act, or `current` for those of the
    configuration. It tells who would have been warned and released, GPU-hours, money, and every
    release after which work came back: an estimate of false releases, from runs that were not
    released. Policies of every mode are taken as if they acted. The store is read, whether the
    reaper runs or not.
    """
    from reaper.app.past.simulating import Asked

    asked = Asked(
        proposed=policies,
        against=against,
        back_within=back_within,
        people="away" if people == "away" else "unknown",
        lifts_after=_HOUR,
    )
    found = _from_file(reach, path, asked) if path else _from_store(reach, asked, last)
    if as_json:
        from reaper.web.json_api.answers import body

        click.echo(body(found))
        return
    paint.console().print(page(found))


def _from_file(reach: Reach, path: Path, asked: "Asked") -> "Simulation":
    from reaper.app.past.simulating import from_file

    return from_file(drawing(path), path, reach.configuration_or_defaults(), asked)


def _from_store(reach: Reach, asked: "Asked", last: float) -> "Simulation":
    from reaper.app.past.simulating import from_store

    configuration = reach.configuration()

    async def told(store: Store) -> "Simulation":
        return await from_store(store, configuration, asked, last=last, now=now())

    return reach.from_store(told)


# ------------------------------------------------------------------ the page


def page(found: "Simulation") -> RenderableType:
    """Return a simulation for a terminal."""
    return Group(*_parts(found))


def _parts(found: "Simulation") -> Iterator[RenderableType]:
    from reaper.app.past.simulating import differing

    begin, end = words.stamp(found.begin), words.stamp(found.end)
    runs, gpus = words.count(found.runs, "run"), words.count(found.devices, "GPU")
    yield paint.plain(f"{begin} to {end}", "bold").append(
        f"  {runs} on {gpus}, from {found.source}", style="bright_black not bold"
    )
    yield Text(_assumed(found), style="bright_black")
    yield Text("")
    yield _sums(found)
    for text in found.proposed.interlocks[:3]:
        yield paint.plain(f"would have stopped every act for an hour: {said(text)}", "yellow")
    back = [fate for fate in found.proposed.fates if fate.after and fate.after.back is not None]
    yield from _list(f"Work came back within {words.duration(found.back_within)}", back, found)
    yield from _list("Released", _released(found.proposed.fates), found)
    held = [fate for fate in found.proposed.fates if fate.held and fate.released is None]
    yield from _list("Still held at the end", held, found)
    pairs = differing(found)
    if found.against is not None:
        yield Text("")
        count = words.count(len(pairs), "run")
        yield Text(f"Decided otherwise: {count}", style="bold")
        if pairs:
            yield _differences(pairs[:_SHOWN], found)


def _assumed(found: "Simulation") -> str:
    if found.drawn:
        return "letters, people, hosts and requests as drawn"
    people = "unknown" if found.people == "unknown" else "away all the time"
    total = found.proposed.sum
    known = f"all inputs are kept of {total.inputs} of {total.runs} runs with a case; elsewhere "
    return (
        f"{'' if found.letters_only else known}letters only: two witnesses are taken for "
        f"granted, hosts for quiet, requests for not counted, people for {people}, QOS, labels "
        "and job names for none"
    )


def _sums(found: "Simulation") -> RenderableType:
    sides = [found.proposed, *([found.against] if found.against else [])]
    names = [f"{side.policies}{' ' * (side is found.against)}" for side in sides]
    table = paint.table("", *names, right=tuple(names))
    rows = [_row(side.sum, found) for side in sides]
    for index, (name, _) in enumerate(rows[0]):
        table.add_row(Text(name), *(paint.plain(row[index][1]) for row in rows))
    return table


def _row(total: Sum, found: "Simulation") -> Sequence[tuple[str, str]]:
    estimate = total.false_releases
    unknown = total.released + total.would - total.known
    return (
        ("runs with a case", f"{total.runs}"),
        ("  of them with all inputs, not letters only", f"{total.inputs}"),
        ("owners warned", f"{total.warned}"),
        ("finally warned", f"{total.final}"),
        ("work or person came back first", f"{total.came_back}"),
        ("kept by their owners", f"{total.kept}"),
        ("released (policies in mode act)", f"{total.released}"),
        ("would be released (other modes)", f"{total.would}"),
        ("still held at the end", f"{total.held}"),
        ("GPU-hours freed, at most a day each", f"{total.freed / _HOUR:,.1f}"),
        ("  of them idle", f"{total.idle / _HOUR:,.1f}"),
        ("  of them at work after all", f"{total.active / _HOUR:,.1f}"),
        ("  of them unseen", f"{total.unseen / _HOUR:,.1f}"),
        ("worth of the idle ones", words.money(total.money, found.currency)),
        (
            f"work came back within {words.duration(found.back_within)}",
            f"{total.back} of {total.known}" + ("" if estimate is None else f" ({estimate:.1%})"),
        ),
        ("  not known", f"{unknown}"),
    )


def _released(fates: Sequence[Fate]) -> list[Fate]:
    return [fate for fate in fates if fate.released is not None]


def _list(title: str, fates: Sequence[Fate], found: "Simulation") -> Iterator[RenderableType]:
    if not fates:
        return
    yield Text("")
    yield Text(f"{title}: {len(fates)}", style="bold")
    table = paint.table("run", "owner", "GPUs", "policy", "last warned", "released", "after that")
    for fate in fates[:_SHOWN]:
        table.add_row(*(paint.plain(cell) for cell in _cells(fate, found)))
    yield table
    if len(fates) > _SHOWN:
        yield Text(f"and {len(fates) - _SHOWN} more: --json has all", style="bright_black")


def _cells(fate: Fate, found: "Simulation") -> tuple[str, ...]:
    told = (*fate.warned, *fate.final)
    return (
        fate.run,
        fate.owner,
        f"{fate.devices}",
        f"{fate.policy} ({fate.mode})",
        _when(max(told) if told else None, found),
        _when(fate.released, found),
        _afterwards(fate),
    )


def _afterwards(fate: Fate) -> str:
    if fate.after is None or fate.released is None:
        return "; ".join(map(refused, fate.held))
    hours = f"{fate.after.idle / _HOUR:,.1f} GPU-h idle"
    if fate.after.back is not None:
        return f"work after {words.duration(fate.after.back - fate.released)}, {hours}"
    return hours if fate.after.known else f"{hours}; not known whether work came back"


def _differences(
    pairs: Sequence[tuple[Fate | None, Fate | None]], found: "Simulation"
) -> RenderableType:
    ours, theirs = found.proposed.policies, found.against.policies if found.against else ""
    table = paint.table("run", "owner", "GPUs", f"under {ours}", f"under {theirs}")
    for one, other in pairs:
        fate = one or other
        if fate is not None:
            sides = (_fate(one, found), _fate(other, found))
            cells = (fate.run, fate.owner, f"{fate.devices}", *sides)
            table.add_row(*(paint.plain(cell) for cell in cells))
    return table


def _fate(fate: Fate | None, found: "Simulation") -> str:
    if fate is None:
        return "left alone"
    return f"released {_when(fate.released, found)}" if fate.released else "warned only"


def _when(at: float | None, found: "Simulation") -> str:
    return words.NOTHING if at is None else words.instant(at, found.end, UTC)
