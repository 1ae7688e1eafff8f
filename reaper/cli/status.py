"""``gpu-reaper status``: what is idle now, what it burns, what happens next."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING, Final

import click
from rich.console import Group, RenderableType
from rich.text import Text

from reaper.cli import paint
from reaper.cli.ending import Ending
from reaper.cli.reach import RUNNING, Reach, now, reaching
from reaper.domain.brief import FOREMOST, burning
from reaper.domain.picture import Picture, Row
from reaper.languages.catalogue import refused, said
from reaper.web import words
from reaper.web.html import drawn, view
from reaper.web.html.headline import headline
from reaper.web.json_api.showing import Status

if TYPE_CHECKING:
    from reaper.ports import Store

#: Letters of a track in the table, where the terminal is this wide.
_LETTERS = 30
_WIDE = 130

_LEVELS: Final = {
    "calm": "bold green",
    "burning": paint.BURNS,
    "doubtful": "bold yellow",
    "blind": "bold red",
}


@click.command
@reaching
@click.option("--all", "everything", is_flag=True, help="List busy allocations, too.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def status(reach: Reach, *, everything: bool, as_json: bool) -> None:
    """Show what is idle now, what it burns most first, and what happens next to it."""
    told, said = ask(reach, whole=everything or as_json)
    if as_json:
        from reaper.web.json_api.answers import body

        answer = {
            "source": said,
            "now": told.now,
            "headline": headline(told.picture, told.now, told.rate).text,
            "whole": told.whole,
            "picture": told.picture,
        }
        click.echo(body(answer))
        return
    console = paint.console()
    console.print(page(told, said, everything=everything, wide=console.width >= _WIDE))


def ask(reach: Reach, *, whole: bool = True) -> tuple[Status, str]:
    """Return the status, whole or brief, and where it comes from."""
    if line := reach.line():
        return line.told(Status, "/api/v1/status" if whole else "/api/v1/status?brief=yes"), RUNNING
    picture = reach.from_store(_picture if whole else _brief)
    if picture is None:
        raise Ending("the store holds no cycle yet: start `gpu-reaper run`")
    told = Status(now=now(), rate=1.0, picture=picture)
    return told, f"reaper is down: from the store, as of {words.stamp(picture.at)}"


async def _picture(store: "Store") -> Picture | None:
    from reaper.questions import Questions

    return await Questions(store=store).status()


async def _brief(store: "Store") -> Picture | None:
    from reaper.questions import Questions

    return await Questions(store=store).brief()


# ------------------------------------------------------------------ the page


def page(
    told: Status, said: str, *, everything: bool = False, wide: bool = False, zone: tzinfo = UTC
) -> RenderableType:
    """Return the status for a terminal."""
    picture = told.picture
    idle = burning(picture.rows)[:FOREMOST]
    shown = {row.run_key for row in idle}
    others = [row for row in view.by_owner(picture.rows) if row.run_key not in shown]
    parts: list[RenderableType] = [head(told, said, zone)]
    parts += [paint.banner(item) for item in view.banners(picture, told.now, zone, told.rate)]
    parts += [Text(""), lead(told), Text("")]
    parts += [_short(picture), Text("")] if told.whole and picture.short else []
    parts += [] if told.whole else [_own(picture), Text("")]
    parts += [_idle(idle, told, zone, wide=wide), Text("")] if idle else []
    parts += [_others(others), Text("")] if everything and others else []
    parts += list(_unseen(picture))
    rest = _counts(told) - Counter(row.verdict for row in idle)
    parts += [_rest(rest)] if rest and not everything else []
    return Group(*parts)


def _counts(told: Status) -> Counter[str]:
    """Count by verdict all that the reader may see, listed or not."""
    if told.whole and told.picture.counts:
        return Counter(told.picture.counts)
    return Counter(row.verdict for row in told.picture.rows)


def head(told: Status, said: str, zone: tzinfo) -> Text:
    """Return the first line: which cluster, how old, from where."""
    picture = told.picture
    line = paint.plain(picture.cluster, "bold")
    at, age = words.moment(picture.at, told.now, zone), words.ago(picture.at, told.now)
    return line.append(f"  picture from {at}, {age}; {said}", style="bright_black not bold")


def lead(told: Status) -> Text:
    """Return the sentences that say it all."""
    picture, said = told.picture, headline(told.picture, told.now, told.rate)
    line = Text(f"{said.what} {said.rest}", style=_LEVELS[said.level])
    tail = f"; {words.share(picture.coverage)} of the held GPUs seen" if picture.allocated else ""
    if picture.waiting_gpus:
        what = "workloads" if picture.namespaced else "jobs"
        tail += f"; {words.count(picture.waiting_gpus, 'GPU')} wanted by {what} that wait"
    line.append(tail, style="default not bold")
    return line.append(f"\n{said.doubt}" if said.doubt else "", style="yellow not bold")


def _short(picture: Picture) -> Text:
    """Say what is short where GPUs are not: freeing some starts nothing there."""
    lines = "\n".join(f"  {words.plain(line)}" for line in picture.short)
    return Text(f"not for want of GPUs:\n{lines}", style="bright_black")


def _own(picture: Picture) -> Text:
    """Say that only the reader's own allocations are listed, and how many those are."""
    count = words.count(len(picture.rows), "allocation")
    return Text(f"{count} of yours; those of others are for operators", style="bright_black")


def _idle(rows: list[Row], told: Status, zone: tzinfo, *, wide: bool) -> RenderableType:
    burns = f"{told.picture.currency}/h" if told.picture.currency else "per hour"
    names = [burns, "idle for", "owner", "allocation", "GPUs"]
    names += ["newest steps", "next"] if wide else ["next"]
    table = paint.table(*names, right=(burns, "idle for"), whole=("idle for", "newest steps"))
    for row in rows:
        cells = [_burns(row), Text(_since(row)), _owner(row), _name(row), _gpus(row)]
        cells += [_track(row, told.picture.step)] if wide else []
        table.add_row(*cells, _next(row, told.now, zone))
    return table


def _burns(row: Row) -> Text:
    if row.cost_per_hour is None:
        return Text("no price", style="bright_black")
    return Text(f"{row.cost_per_hour:,.2f}", style=paint.BURNS)


def _since(row: Row) -> str:
    if row.idle_since is None:
        return f"{row.idle_gpus} of {row.gpus}"
    return words.duration(row.idle_seconds)


def _owner(row: Row) -> Text:
    line = paint.plain(row.owner or "unknown", "bold")
    return line.append(
        f" {words.plain(row.team)}" if row.team else "", style="bright_black not bold"
    )


def _name(row: Row) -> Text:
    line = paint.plain(f"{row.platform}/{row.id}")
    return line.append(f" {words.plain(row.name)}" if row.name else "", style="bright_black")


def _gpus(row: Row) -> Text:
    line = Text(words.gpus(row.gpus, row.model))
    return line.append(f" {words.nodes(row.nodes)}", style="bright_black")


def _track(row: Row, step: float) -> Text:
    found = drawn.drawings(row.devices, step, _LETTERS)
    lines = [paint.track(drawing.pieces) for drawing in found[:2]]
    return Text("\n").join(lines)


def _next(row: Row, now: float, zone: tzinfo) -> Text:
    step = view.next_step(row, now, zone)
    line = Text(step.short, style="bold")
    line.append(f", {step.rest}" if step.rest else "", style="not bold")
    for reason in step.held:
        line.append(f"; {words.plain(refused(reason))}", style="yellow not bold")
    return line.append(f" ({row.mode})" if row.mode else "", style="bright_black not bold")


def _others(rows: list[Row]) -> RenderableType:
    table = paint.table("verdict", "owner", "allocation", "GPUs", "why")
    for row in rows:
        table.add_row(
            Text(row.verdict, style="bold"),
            _owner(row),
            _name(row),
            _gpus(row),
            paint.plain(said(row.reason)),
        )
    return table


def _unseen(picture: Picture) -> Iterator[Text]:
    """Yield what the picture does not know: silent sources, blind and doubted nodes."""
    for source in picture.sources:
        if source.error:
            yield _doubt(f"{source.role} {source.name}", source.error)
    for node in picture.nodes:
        if node.error or node.doubt:
            yield _doubt(node.node, node.error or node.doubt)


def _doubt(what: str, why: str) -> Text:
    line = paint.plain(what, "yellow")
    return line.append(f"  {words.plain(why)}", style="default")


def _rest(counts: Counter[str]) -> Text:
    said = ", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items()))
    return Text(f"{said}; --all lists them", style="bright_black")
