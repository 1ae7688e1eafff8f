"""
The event that a webhook gets, and its signature.

`VERSION` changes when a reader would break; new fields may come at any time.  No token is in it:
whoever reads it cannot answer for a person.
"""

import hashlib
import hmac
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, Literal

from pydantic import Field

from reaper.domain.escalation.notice import Notice
from reaper.languages.catalogue import said
from reaper.notifiers.letters import write
from reaper.notifiers.texts import plain, tame
from reaper.ports import Letter
from reaper.schema import Settings

VERSION: Final = 1


class Allocation(Settings):
    """One allocation that a notice tells of, with the numbers of its verdict."""

    notice: str
    """Id of the notice: the same when it is sent again."""
    case: str
    run: str
    """Key of the run."""
    allocation: str = Field(examples=["slurm/4711"])
    name: str
    purpose: str
    nodes: tuple[str, ...]
    devices: int
    """GPUs that it holds."""
    model: str
    verdict: str
    reason: str
    idle_since: str
    idle_seconds: float
    policy: str
    would: bool
    """The policy does not act: nothing is, or was, released."""
    release_at: str | None
    """Earliest release; null where none follows from this notice."""
    cost_per_hour: float | None
    """Null where there is no price; never zero for that reason."""
    currency: str
    outcome: str
    spare: float
    """GPUs, or parts of one, that could go; above zero in advice alone."""
    page: str
    """Address of the page that explains it."""


class Event(Settings):
    """What is posted: one notice, or several of one kind to one person."""

    version: Literal[1] = VERSION
    kind: Literal["warning", "final", "released", "reverted", "failed", "operator", "advice"]
    sent_at: str
    repeats: bool
    """An earlier attempt may have arrived: look at the ids of the notices."""
    user: str
    team: str
    left: bool
    """The person has left: others answer for them."""
    title: str
    text: str
    """The whole notice in the person's language, title included."""
    allocations: tuple[Allocation, ...]


def event(letter: Letter, *, now: float) -> Event:
    """Return the event for a letter."""
    written, person = write(letter), letter.person
    return Event(
        kind=letter.notice.kind,
        sent_at=_instant(now),
        repeats=any(notice.repeats for notice in letter.notices),
        user=tame(person.user),
        team=tame(person.team),
        left=person.left,
        title=written.title,
        text=plain(replace(written, answers=())),
        allocations=tuple(_allocation(notice) for notice in letter.notices),
    )


def signature(body: bytes, key: str, at: int) -> str:
    """Return the header that signs a body at a Unix second: HMAC-SHA256 over ``second.body``."""
    mac = hmac.digest(key.encode(), b"%d.%b" % (at, body), hashlib.sha256).hex()
    return f"t={at},v1={mac}"


def _allocation(notice: Notice) -> Allocation:
    story = notice.story
    return Allocation(
        notice=notice.id,
        case=notice.case_id,
        run=notice.run_key,
        allocation=tame(story.allocation),
        name=tame(story.name),
        purpose=story.purpose,
        nodes=tuple(tame(node, longest=60) for node in story.nodes[:NODES]),
        devices=story.devices,
        model=tame(story.model, longest=60),
        verdict=story.verdict,
        reason=tame(said(story.reason)),
        idle_since=_instant(story.idle_since),
        idle_seconds=round(story.idle_seconds),
        policy=story.policy,
        would=story.would,
        release_at=None if story.release_at is None else _instant(story.release_at),
        cost_per_hour=story.cost_per_hour,
        currency=story.currency,
        outcome=tame(said(story.outcome)),
        spare=round(story.spare, 2),
        page=story.page,
    )


NODES: Final = 64
"""Nodes that an event names."""


def _instant(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
