"""``gpu-reaper queue``: what waits for an operator, and the command that answers it."""

from collections.abc import Iterator

import click

from reaper.cli.reach import Reach, now, reaching
from reaper.domain.picture import Row
from reaper.languages.catalogue import refused, said
from reaper.ports import Store
from reaper.questions import Disputed, Questions, Queue, Stuck
from reaper.web import words


@click.command
@reaching
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def queue(reach: Reach, *, as_json: bool) -> None:
    """Show what waits for an operator: disputes, approvals, refusals, what is undelivered."""
    waiting = _ask(reach)
    if as_json:
        from reaper.web.json_api.answers import body

        click.echo(body(waiting))
        return
    for line in lines(waiting, max(now(), waiting.at)):
        click.echo(line)


def _ask(reach: Reach) -> Queue:
    if line := reach.line():
        return line.told(Queue, "/api/v1/queue")
    return reach.from_store(_from_store)


async def _from_store(store: Store) -> Queue:
    return await Questions(store=store).queue()


def lines(waiting: Queue, at: float) -> Iterator[str]:
    """Yield the queue, a line each, with what to type."""
    parts = (
        ("Disputes", [_dispute(one, at) for one in waiting.disputes]),
        ("Approvals", [_approval(row) for row in waiting.approvals]),
        ("Held by a rule", [f"{_name(row)}: {_held(row)}" for row in waiting.refusals]),
        ("Undelivered", [_stuck(one, at) for one in waiting.undelivered]),
        ("Owner unknown", [f"{_name(row)}: {said(row.reason)}" for row in waiting.unknown_owners]),
        ("To look at", [*map(_finding, waiting.findings), *map(_pieces, waiting.pieces)]),
    )
    if not any(found for _, found in parts):
        yield "nothing waits for an operator"
    for title, found in parts:
        if found:
            yield f"{title} ({len(found)})"
            yield from (f"  {words.plain(line)}" for line in found)


def _dispute(one: Disputed, at: float) -> str:
    case = one.case
    since = words.ago(case.disputed_at, at) if case.disputed_at is not None else "some time ago"
    what = f", {case.outcome}" if one.over else ""
    late = ", overdue" if case.escalated else ""
    why = said(one.reason) or "no reason given"
    return (
        f"{case.run} of {case.owner}{what}: {why} ({since}{late}); "
        f"gpu-reaper rule {case.run} --upheld|--rejected --reason …"
    )


def _approval(row: Row) -> str:
    command = f"gpu-reaper approve {row.platform}/{row.id} --reason …"
    return f"{_name(row)}, {words.count(row.gpus, 'GPU')}: {said(row.reason)}; {command}"


def _finding(row: Row) -> str:
    return f"{_name(row)}, {words.count(row.gpus, 'GPU')}, {row.verdict}: {said(row.reason)}"


def _pieces(found: str) -> str:
    return f"it looks like idleness in small pieces: {found}"


def _held(row: Row) -> str:
    return "; ".join(map(refused, row.case.held_by)) if row.case else ""


def _stuck(one: Stuck, at: float) -> str:
    return (
        f"{one.kind} on {one.allocation} to {one.to or 'nobody'}, {words.ago(one.created, at)}, "
        f"{words.count(one.attempts, 'attempt')}: {said(one.error)}"
    )


def _name(row: Row) -> str:
    return f"{row.platform}/{row.id} of {row.owner or 'an unknown owner'}"
