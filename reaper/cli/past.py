"""``replay`` and ``capture``: recorded files through the rules of this program, and back."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Group, RenderableType
from rich.text import Text

from exporter.contract.drawing import written
from reaper.cli import paint
from reaper.cli.ending import Ending, Wrong
from reaper.cli.reach import Reach, reaching
from reaper.domain.judgement.policy import Policy
from reaper.domain.money.entries import Event
from reaper.languages.catalogue import said
from reaper.ports import Store
from reaper.web import words

if TYPE_CHECKING:
    from exporter.contract.scenario import Scenario
    from reaper.app.past.expecting import Compared
    from reaper.app.past.replaying import Replayed


@click.command
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option("--tick", is_flag=True, help="Visit every minute instead of jumping to what is due.")
@click.option(
    "--policies",
    metavar="FILE",
    default="",
    help="Judge by these: a policy file, or one of observe, notify, act.",
)
@reaching
def replay(reach: Reach, *, path: Path, as_json: bool, tick: bool, policies: str) -> None:
    """
    Replay the recorded file at PATH.

    A scenario (.toml) is played through the whole program on a clock that jumps. It is judged by
    --policies, else by its own, else by the shipped act policies; one that expects nothing by
    those of a configuration that is named. What it expects is checked: exit code 1 and every
    difference when it does not hold, 2 for a mistake in the file. A recording of another system
    (.csv) gives its GPU-hours held, at exactly zero and unused, by user and by class; with
    --policies the samples of processes are drawn, and judged by these.
    """
    if path.suffix == ".csv" and not policies:
        click.echo(_recording(path, "json" if as_json else "text"), nl=False)
        return
    played, compared, whence = _scenario(reach, path, jump=not tick, proposed=policies)
    if as_json:
        from reaper.web.json_api.answers import body

        told = {"title": played.title, "events": played.events, "notices": played.notices}
        said = {"policies": whence, "expected": compared}
        click.echo(body({"begin": played.begin, "end": played.end, **told, **said}))
    else:
        paint.console().print(page(played, compared, whence))
    if not compared.holds:
        count = words.count(len(compared.differences), "difference")
        raise Ending(f"{path}: {count} from what is expected")


@click.command
@click.argument("allocation")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File  [standard output].",
)
@reaching
def capture(reach: Reach, *, allocation: str, output: Path | None) -> None:
    """
    Write what was decided on for ALLOCATION as a scenario that can be replayed.

    People, jobs, accounts and nodes become pseudonyms. The store is read, whether the reaper runs
    or not.
    """
    policies = reach.configuration_or_defaults().policies
    text = reach.from_store(partial(_captured, name=allocation, policies=policies))
    if output is None:
        click.echo(text, nl=False)
        return
    output.write_text(text, encoding="utf-8")
    click.echo(f"{output}: play it with `gpu-reaper replay {output}`")


async def _captured(store: Store, *, name: str, policies: Sequence[Policy]) -> str:
    from reaper.app.past.capturing import capture as captured
    from reaper.domain.facts.grid import Pace
    from reaper.questions import Questions

    picture = await Questions(store=store).status()
    pace = Pace(step=picture.step) if picture else Pace()
    return await captured(store, name, pace=pace, policies=policies)


def _recording(path: Path, form: str) -> str:
    from reaper.reports.traces import replay as replayed
    from reaper.reports.traces.pages import PAGES

    return PAGES[form](replayed(path))


def drawing(path: Path, judged: Callable[["Scenario"], object] = lambda _: None) -> "Scenario":
    """Read a scenario; end the command with every mistake in it, also of what it is `judged` by."""
    from exporter.contract.scenario import ScenarioError, load
    from reaper.edge.files import read_text

    try:
        return load(read_text(path))
    except ScenarioError as error:
        found = [_placed(path, line) for line in str(error).splitlines()]
        found += _mistakes(judged, error.read)
        raise Wrong("\n".join(found)) from error
    except UnicodeDecodeError as error:
        raise Wrong(f"{path} is no text; give a scenario (.toml) or a recording (.csv)") from error


def _mistakes(judged: Callable[["Scenario"], object], scenario: "Scenario | None") -> list[str]:
    """Return what is wrong with the rules of a scenario that has mistakes itself."""
    from reaper.config import ConfigError

    try:
        if scenario is not None:
            judged(scenario)
    except ConfigError as error:
        return str(error).splitlines()
    return []


def _placed(path: Path, mistake: str) -> str:
    """Name the file, and the line where the mistake has one, as compilers do."""
    line, said, rest = mistake.removeprefix("line ").partition(": ")
    at_line = mistake.startswith("line ") and said and line.isdigit()
    return f"{path}:{line}: {rest}" if at_line else f"{path}: {mistake}"


def _samples(path: Path) -> "Scenario":
    from reaper.reports.traces.drawing import scenario_of

    return scenario_of(path)


def _scenario(
    reach: Reach, path: Path, *, jump: bool, proposed: str
) -> tuple["Replayed", "Compared", str]:
    import asyncio

    from reaper.app.past.drawn import rules_of
    from reaper.app.past.expecting import compare
    from reaper.app.past.replaying import replay as play

    judged = partial(
        rules_of,
        source=path,
        base=reach.configuration_or_defaults(),
        configured=reach.config is not None,
        proposed=proposed,
    )
    scenario = _samples(path) if path.suffix == ".csv" else drawing(path, judged)
    rules, whence = judged(scenario)
    played = asyncio.run(play(scenario, rules, jump=jump))
    return played, compare(scenario, played), whence


# ------------------------------------------------------------------ the page


def page(played: "Replayed", compared: "Compared", whence: str) -> RenderableType:
    """Return what was decided in a replay, for a terminal."""
    return Group(*_parts(played, whence), *_compared(compared))


def _parts(played: "Replayed", whence: str) -> Iterator[RenderableType]:
    begin, end = words.stamp(played.begin), words.stamp(played.end)
    yield paint.plain(played.title, "bold").append(
        f"  {begin} to {end}, {words.count(played.turns, 'cycle')}", style="bright_black not bold"
    )
    yield Text(f"policies: {words.plain(whence)}", style="bright_black")
    table = paint.table("when", "at", "what", "whose", "why")
    for event in played.events:
        table.add_row(*_cells(event, played))
    yield table
    acts = sum(event.kind == "verified" for event in played.events)
    said = words.count(len(played.notices), "notice")
    yield Text(f"{said} delivered, {words.count(acts, 'release')} verified", style="bold")


def _compared(compared: "Compared") -> Iterator[Text]:
    for difference in compared.differences:
        yield Text("")
        for line in difference.splitlines():
            yield paint.plain(line, "red")
    if compared.holds and compared.anything:
        steps, verdicts = (
            words.count(number, thing)
            for number, thing in ((compared.steps, "step"), (compared.verdicts, "verdict"))
        )
        told = f", {words.count(compared.told, 'word')} to people" if compared.told else ""
        yield Text(f"as expected: {steps}, {verdicts}{told}", style="bold green")


def _cells(event: Event, played: "Replayed") -> tuple[Text, ...]:
    by = f" (by {event.by})" if event.by not in ("", "gpu-reaper") else ""
    return (
        Text(words.instant(event.at, played.begin, UTC)),
        Text(written(event.at - played.begin), style="bright_black"),
        paint.plain(words.happening(event.kind), "bold"),
        paint.plain(event.run_key.rpartition("@")[0]),
        paint.plain(said(event.text) + by),
    )
