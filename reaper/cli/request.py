"""Requests to the running reaper: keep, release, dispute, pause, resume, rule, approve."""

import json
from collections.abc import Callable, Mapping
from secrets import token_hex
from shlex import quote
from typing import Any

import click

from reaper.cli.reach import Reach, reaching
from reaper.web import words


def _asking(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command what every change has: a reason for the ledger, and a key."""
    reason = click.option("--reason", required=True, help="Why; it is kept in the ledger.")
    key = click.option("--key", default="", help="Ask again with this key: it is done once.")
    return reason(key(command))


def _seconds(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | None:
    """Return the seconds of a duration such as 2h or 1h30m."""
    from reaper.schema import Mistake, seconds

    try:
        return None if value is None else seconds(value)
    except Mistake as mistake:
        raise click.BadParameter(str(mistake)) from mistake


@click.command
@click.argument("allocation")
@click.option(
    "--for",
    "lasting",
    metavar="DURATION",
    callback=_seconds,
    help="How long, e.g. 2h.",
)
@click.option("--until-morning", is_flag=True, help="Until 10:00 of its owner's next working day.")
@_asking
@reaching
def keep(
    reach: Reach,
    *,
    allocation: str,
    lasting: float | None,
    until_morning: bool,
    reason: str,
    key: str,
) -> None:
    """Keep ALLOCATION: it is still needed. Only for one's own, within the policy's budget."""
    if (lasting is None) is not until_morning:
        raise click.UsageError("say how long: either --for DURATION or --until-morning")
    lasts = {"until_morning": True} if lasting is None else {"seconds": lasting}
    _request(reach, "keep", {"name": allocation, "reason": reason, **lasts}, key)


@click.command
@click.argument("allocation")
@click.option("--yes", is_flag=True, help="Do not ask whether it is meant.")
@_asking
@reaching
def release(reach: Reach, *, allocation: str, yes: bool, reason: str, key: str) -> None:
    """
    Give ALLOCATION back: it ends within minutes, by its platform's own gentlest way.

    Only for one's own, idle or not. What is not saved is lost.
    """
    if not yes:
        what = f"Release {words.plain(allocation)}? It ends, and what is not saved is lost."
        click.confirm(what, abort=True)
    _request(reach, "release", {"name": allocation, "reason": reason, "confirm": True}, key)


@click.command
@click.argument("allocation")
@_asking
@reaching
def dispute(reach: Reach, *, allocation: str, reason: str, key: str) -> None:
    """Say that the verdict on ALLOCATION is wrong: nothing happens until an operator rules."""
    _request(reach, "dispute", {"name": allocation, "reason": reason}, key)


@click.command
@click.option(
    "--for", "lasting", metavar="DURATION", callback=_seconds, help="How long  [until resumed]."
)
@click.option("--policy", default="", help="Only what this policy would do  [everything].")
@_asking
@reaching
def pause(reach: Reach, *, lasting: float | None, policy: str, reason: str, key: str) -> None:
    """Stop every act until it is resumed; measuring and judging go on."""
    _request(reach, "pause", {"seconds": lasting, "policy": policy, "reason": reason}, key)


@click.command
@click.argument("allocation")
@click.option("--upheld/--rejected", required=True, help="Whether the owner is right.")
@_asking
@reaching
def rule(reach: Reach, *, allocation: str, upheld: bool, reason: str, key: str) -> None:
    """
    Rule on the dispute of ALLOCATION.

    Upheld, the run is left alone for good. Rejected, it gets its final notice and a full grace.
    """
    _request(reach, "rule", {"name": allocation, "upheld": upheld, "reason": reason}, key)


@click.command
@click.argument("allocation")
@_asking
@reaching
def approve(reach: Reach, *, allocation: str, reason: str, key: str) -> None:
    """Approve the release of a large ALLOCATION; two operators must."""
    _request(reach, "approve", {"name": allocation, "reason": reason}, key)


@click.command
@click.option("--hold", default="", help="The hold to lift  [the pause, or the only one].")
@_asking
@reaching
def resume(reach: Reach, *, hold: str, reason: str, key: str) -> None:
    """Lift the pause, or the hold that is named, such as a tripped interlock."""
    _request(reach, "resume", {"hold": hold, "reason": reason}, key)


def _request(reach: Reach, what: str, asked: Mapping[str, object], key: str) -> None:
    """Ask with a key, so that a change whose fate stays unknown can be asked for again."""
    name = str(asked.get("name", ""))
    look = f"gpu-reaper explain {quote(name)}" if name else "gpu-reaper status"
    named = key or token_hex(6)
    cure = f"ask again with --key {named}, which does it once, or look at `{look}`"
    line = reach.line_or_end()
    answer = json.loads(line.post(f"/api/v1/{what}", {**asked, "key": named}, cure=cure))
    click.echo(words.plain(str(answer["text"])))
