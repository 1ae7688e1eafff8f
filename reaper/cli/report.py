"""``gpu-reaper report``: a week in GPU-hours and money, on a terminal or in a file."""

from datetime import UTC
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import click

from reaper.cli.ending import Wrong
from reaper.cli.reach import RUNNING, Reach, now, reaching
from reaper.domain.money.calendar import week_named
from reaper.ports import Store
from reaper.web import words
from reaper.web.json_api.asks import FORMS, ReportAsk

_FORMS: Final = (*FORMS, "pdf")

#: Seconds for a week of a large cluster that is made from its tracks.
_PATIENCE: Final = 600.0


@click.command
@reaching
@click.option(
    "--week", default="", metavar="WEEK", help="ISO week, for example 2026-W09  [this week so far]"
)
@click.option("--format", "form", type=click.Choice(_FORMS), help="How to write it  [text].")
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@click.option("--csv", "form", flag_value="csv", help="The same as --format csv.")
@click.option("--team", metavar="TEAM", help="Only what this team held, with names.")
@click.option(
    "--language", type=click.Choice(("en", "ru")), help="In which language  [report.language]."
)
@click.option("--names", is_flag=True, help="Name persons in html, pdf, markdown and focus too.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write into this file  [standard output].",
)
def report(
    reach: Reach,
    *,
    week: str,
    form: str | None,
    team: str | None,
    names: bool,
    language: str | None,
    output: Path | None,
) -> None:
    """
    Report a week, this one so far unless another is named.

    The identity of all GPU-hours, what was wasted, as a range of money, what came back.  Pages to
    pass on (html, pdf, markdown, focus) show pseudonyms unless --names or --team is given.
    """
    _checked(week)
    chosen = form or "text"
    as_pdf = chosen == "pdf"
    ask = ReportAsk.model_validate(
        {
            "form": "html" if as_pdf else chosen,
            "week": week,
            "team": team,
            "names": names,
            "language": language or "",
        }
    )
    written, said = _ask(reach, ask)
    content = _pdf(written) if as_pdf else written.encode()
    if output is None:
        click.echo(content, nl=False)
    else:
        output.write_bytes(content)
    click.echo(said, err=form is not None)


def _checked(week: str) -> None:
    """End with one line where a text names no week."""
    try:
        if week:
            week_named(week, UTC)
    except ValueError as error:
        raise Wrong(str(error)) from None


def _ask(reach: Reach, ask: ReportAsk) -> tuple[str, str]:
    if line := reach.line():
        asked = {"format": ask.form, "week": ask.week}
        asked |= {"names": "true"} if ask.names else {}
        asked |= {"language": ask.language} if ask.language else {}
        asked |= {} if ask.team is None else {"team": ask.team}
        return line.get(f"/api/v1/report?{urlencode(asked)}", within=_PATIENCE), RUNNING
    configuration = reach.configuration()
    at = now()

    async def told(store: Store) -> str:
        from reaper.app.books.reporting import context, written

        return await written(store, context(configuration), now=at, ask=ask)

    return reach.from_store(told), f"reaper is down: from the store, asked {words.stamp(at)}"


def _pdf(page: str) -> bytes:
    from reaper.reports import pdf

    return pdf.render(page)
