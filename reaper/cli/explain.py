"""``gpu-reaper explain``: one allocation: its track, signals, rule, what is next, what happened."""

from collections.abc import Iterator, Sequence
from datetime import UTC, tzinfo
from urllib.parse import quote

import click
from rich.console import Group, RenderableType
from rich.text import Text

from reaper.cli import history, paint
from reaper.cli.ending import Ending
from reaper.cli.reach import RUNNING, Reach, now, reaching
from reaper.domain.picture import CaseLine, DeviceLine, Row
from reaper.languages.catalogue import refused, said
from reaper.ports import Store
from reaper.questions import Explanation
from reaper.web import words
from reaper.web.html import drawn, view
from reaper.web.html.evidence import host_words, request_words, signals
from reaper.web.html.past import ended, ruled
from reaper.web.html.plainly import plainly
from reaper.web.json_api.told import Explained


@click.command
@click.argument("allocation")
@reaching
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def explain(reach: Reach, *, allocation: str, as_json: bool) -> None:
    """
    Explain ALLOCATION, live or ended.

    Its drawn track, which signals, which rule, what is next and when, what holds it, what happened.
    ALLOCATION is its id, or platform/id where two platforms use the same.
    """
    told, said = _ask(reach, allocation)
    if as_json:
        from reaper.web.json_api.answers import body

        click.echo(body({"source": said, "now": told.now, "explanation": told.explanation}))
        return
    paint.console().print(page(told, said))


def _ask(reach: Reach, name: str) -> tuple[Explained, str]:
    if line := reach.line():
        return line.told(Explained, f"/api/v1/explain?name={quote(name)}"), RUNNING

    async def ask(store: Store) -> Explained:
        return await _from_store(store, name)

    told = reach.from_store(ask)
    at = words.stamp(told.explanation.at)
    return told, f"reaper is down: from the store, as of {at}"


async def _from_store(store: Store, name: str) -> Explained:
    from reaper.questions import Questions

    questions = Questions(store=store)
    explanation, picture = await questions.explain(name), await questions.brief()
    if picture is None:
        raise Ending("the store holds no cycle yet: start `gpu-reaper run`")
    return Explained(
        now=now(), rate=1.0, step=picture.step, currency=picture.currency, explanation=explanation
    )


# ------------------------------------------------------------------ the page


def page(told: Explained, said: str, zone: tzinfo = UTC) -> RenderableType:
    """Return an explanation for a terminal."""
    explanation = told.explanation
    row = explanation.row
    parts: list[RenderableType] = [_head(told, said, zone), Text("")]
    if row:
        parts += [*_verdict(row, told, zone), Text("")]
        parts += [*_tracks(row.devices, told.step, zone), Text("")]
        parts += [Text("Signals", style="bold"), _signals(row), Text("")]
        parts += [Text("Rule", style="bold"), _rule(row, told, zone), Text("")]
    elif past := ended(explanation):
        parts += [Text("Was", style="bold"), history.past(past, zone), Text("")]
        if explanation.drawn:
            parts += [*_tracks(explanation.drawn, told.step, zone), Text("")]
        if any(device.signals for device in explanation.drawn):
            parts += [Text("Signals", style="bold"), _kept(explanation, zone), Text("")]
    if rules := ruled(explanation):
        parts += [Text("Cases", style="bold"), history.cases(rules, told, zone), Text("")]
    parts += [Text("What happened", style="bold"), history.events(explanation.events, told, zone)]
    if explanation.notices:
        parts += [
            Text(""),
            Text("Notices", style="bold"),
            history.notices(explanation.notices, told, zone),
        ]
    if explanation.keeps:
        parts += [
            Text(""),
            Text("Keeps", style="bold"),
            history.keeps(explanation.keeps, told, zone),
        ]
    if row and row.idle_gpus:
        parts += [Text(""), _cure(row)]
    return Group(*parts)


def _head(told: Explained, said: str, zone: tzinfo) -> Text:
    row = told.explanation.row
    if row is None:
        past = ended(told.explanation)
        line = paint.plain(past.name if past else told.explanation.run_key, "bold")
        line.append(f"  of {words.plain(past.owner)}" if past else "", style="not bold")
        line.append("  ended", style="not bold")
    else:
        line = paint.plain(f"{row.platform}/{row.id} {row.name}".strip(), "bold")
        line.append(f"  of {words.plain(row.owner) or 'nobody known'}", style="not bold")
        line.append(f", {words.plain(row.team)}" if row.team else "", style="not bold")
    at = words.second(told.now, zone)
    return line.append(f"  {at}; {said}", style="bright_black not bold")


def _verdict(row: Row, told: Explained, zone: tzinfo) -> Iterator[Text]:
    yield Text(plainly(row, told.now, zone), style="bold")
    yield _sentence(row, told.currency)
    yield paint.plain(said(row.reason))
    step = view.next_step(row, told.now, zone)
    if step.short:
        line = Text("Next  ", style="bright_black").append(step.short, style="bold default")
        yield line.append(f", {step.rest}" if step.rest else "", style="not bold default")
    for reason in step.held:
        yield Text("Held  ", style="bright_black").append(
            words.plain(refused(reason)), style="yellow"
        )


def _sentence(row: Row, currency: str) -> Text:
    if not row.idle_gpus:
        line = Text(row.verdict.capitalize(), style="bold green")
        return line.append(f", {words.gpus(row.gpus, row.model)}", style="default")
    of = f"{row.idle_gpus} of {words.count(row.gpus, 'GPU')}"
    since = f" for {words.duration(row.idle_seconds)}" if row.idle_since is not None else ""
    line = Text(f"{row.verdict.capitalize()}{since}", style=paint.BURNS).append(f" on {of}")
    if row.cost_per_hour is not None:
        line.append(f", burning {words.money(row.cost_per_hour, currency)} an hour")
    return line


def _tracks(devices: Sequence[DeviceLine], step: float, zone: tzinfo) -> Iterator[RenderableType]:
    each, whole = words.duration(step), words.duration(drawn.ROW * step)
    line = Text("Tracks", style="bold")
    yield line.append(
        f"  a letter for each {each}, a row for each {whole}", style="bright_black not bold"
    )
    if not devices:
        yield Text("It is not known which devices it holds: nothing is drawn, nothing is done.")
    for drawing in drawn.drawings(devices, step):
        title = paint.plain(drawing.title)
        yield title.append(f"  {words.model(drawing.devices[0].model)}", style="bright_black")
        yield from _rows(drawing, step, zone)
    used = {letter for device in devices for letter in device.letters}
    yield _legend(used)


def _rows(drawing: drawn.Drawing, step: float, zone: tzinfo) -> Iterator[Text]:
    rows = list(drawn.lines(drawing, step, zone))
    width = max((len(row.label) for row in rows), default=0) + 2
    yield Text(" " * width + drawn.ruler(step), style="bright_black")
    for row in rows:
        line = Text(f"{row.label:<{width}}", style="bright_black")
        yield line.append(" " * row.blank).append_text(paint.track(row.pieces))


def _legend(used: set[str]) -> Text:
    line = Text(style="bright_black")
    for letter, meaning in drawn.meanings().items():
        if letter in used:
            line.append(letter, style=paint.LETTERS[letter]).append(f" {meaning}   ")
    return line


def _signals(row: Row) -> RenderableType:
    found: list[tuple[str, str]] = []
    for group in signals(row.devices):
        says = ", ".join(group.witnesses) or "none says idle"
        measured = "; ".join(part for part in (group.memory, group.power) if part)
        found += [
            (group.title, f"witnesses: {says}"),
            ("", measured),
            ("", ", ".join(group.signals) or "no exporter answers"),
        ]
    return paint.facts(found or [("", "no device is known")])


def _kept(explanation: Explanation, zone: tzinfo) -> RenderableType:
    """Return what was kept of an ended allocation's last idle time."""
    found: list[tuple[str, str]] = []
    for group in signals(explanation.drawn):
        says = ", ".join(group.witnesses) or "none says idle"
        found += [(group.title, f"witnesses: {says}"), ("", f"seen: {', '.join(group.signals)}")]
    for sign in explanation.signs:
        last = words.stamp(sign.last_seen, zone) if sign.last_seen else "none can be read"
        state = "" if sign.state == "ok" else f", {sign.state}"
        found.append((sign.kind, f"last input {last}{state}"))
    return paint.facts(found)


def _rule(row: Row, told: Explained, zone: tzinfo) -> RenderableType:
    because = f" (because: {'; '.join(row.purpose_evidence)})" if row.purpose_evidence else ""
    policy = f"{row.policy}, mode {row.mode}" if row.policy else "none matches: nothing is done"
    return paint.facts(
        (
            ("policy", policy),
            ("case", _case(row.case, told.now, zone) if row.case else "none open"),
            ("purpose", f"{row.purpose}{because}"),
            ("person", said(row.presence)),
            ("host", host_words(row, told.step)),
            ("requests", request_words(row, told.step)),
            ("seen", f"{words.share(row.coverage)} of its newest minutes"),
            ("runs", _runs(row, told.now, zone)),
            ("GPUs", f"{words.gpus(row.gpus, row.model)} on {', '.join(row.nodes)}"),
            ("kept", f"until {words.stamp(row.kept_until, zone)}" if row.kept_until else ""),
        )
    )


def _case(case: CaseLine, now: float, zone: tzinfo) -> str:
    warned = [words.instant(at, now, zone) if at else "not yet delivered" for at in case.warned]
    told = f"; warnings: {', '.join(warned)}" if warned else ""
    outcome = f"; {case.outcome}" if case.outcome else ""
    return f"{case.state} since {words.instant(case.opened, now, zone)}{told}{outcome}"


def _runs(row: Row, now: float, zone: tzinfo) -> str:
    at = row.own_limit
    limit = f", its own limit ends it {words.instant(at, now, zone)}" if at else ""
    return f"since {words.stamp(row.started, zone)}{limit}"


def _cure(row: Row) -> Text:
    name = words.plain(f"{row.platform}/{row.id}")
    line = Text("Still needed?  ", style="bright_black")
    return line.append(f'gpu-reaper keep {name} --for 2h --reason "…"', style="default")
