"""Every notifier with a world in which its notices arrive or fail, for the contract suite."""

import errno
import io
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reaper.domain.escalation.notice import Notice, NoticeKind, Story
from reaper.domain.reason import because, together
from reaper.edge.clock import JumpingClock
from reaper.notifiers import build
from reaper.notifiers.console import ConsoleSettings
from reaper.notifiers.slack import SlackSettings
from reaper.ports import Clock, Letter, Notifier, Person
from tests.fakes_slack import SECRETS as SLACK_SECRETS
from tests.fakes_slack import TOKEN, slack
from tests.fakes_smtp import PASSWORD
from tests.fakes_webhook import KEY

NOON = 1_796_036_400.0
"""Mon 30 Nov 2026, 11:00 UTC."""

WORKLESS = together(
    because(
        "no-work", devices=2, seconds=2700.0, by=because("seen-by", families="profiling power")
    ),
    because("memory-held"),
)

MIRA = Person(user="mira", name="Mira Example", email="mira@example.org", zone="Europe/Berlin")

SECRETS = (*SLACK_SECRETS, PASSWORD, KEY)
"""What no log, message or error may hold."""

Answers = tuple[str, bool, bool, float | None]
"""A fault's name; whether it may be retried; whether it may have arrived; seconds to wait."""


@dataclass(slots=True)
class World:
    """One channel as a test sees it."""

    notifier: Notifier
    arrived: Callable[[], list[str]]
    fail: Callable[[str], None]
    attempts: Callable[[], int]


Opens = Callable[[Path, Clock], AbstractAsyncContextManager[World]]


@dataclass(frozen=True, slots=True)
class Channel:
    """A notifier under test, and what its channel's faults mean."""

    name: str
    personal: bool
    open: Opens
    faults: tuple[Answers, ...]


def story(**changes: Any) -> Story:
    """Tell of an idle shell with two GPUs."""
    told: dict[str, Any] = {
        "allocation": "slurm/4711",
        "user": "mira",
        "name": "train",
        "nodes": ("gpu01",),
        "devices": 2,
        "model": "NVIDIA A100",
        "purpose": "interactive",
        "verdict": "idle",
        "reason": WORKLESS,
        "idle_since": NOON - 2700.0,
        "idle_seconds": 2700.0,
        "policy": "notebooks",
        "would": False,
        "cost_per_hour": 3.8,
        "currency": "EUR",
        "release_at": NOON + 2700.0,
        "keep_seconds": 14400.0,
        "keeps_left": 2,
        "page": "https://reaper.example.org/a/4711",
    }
    return Story(**{**told, **changes})


def letter(*notices: Notice, to: Person = MIRA, **changes: Any) -> Letter:
    """Put notices into a letter."""
    return Letter(notices=notices, person=to, **changes)


def notice(kind: NoticeKind = "warning", **changes: Any) -> Notice:
    """Write a notice that tells the story."""
    return Notice(
        id=f"case-1:{kind}:0",
        case_id="case-1",
        run_key="4711:0:1",
        to="mira",
        kind=kind,
        rung=0,
        story=story(**changes),
        created=NOON,
    )


# ------------------------------------------------------------------ worlds


@dataclass(slots=True)
class Stream(io.StringIO):
    """A terminal that can be full or closed."""

    fault: str = ""
    writes: int = field(default=0)

    def __init__(self) -> None:
        io.StringIO.__init__(self)
        self.fault, self.writes = "", 0

    def write(self, text: str) -> int:
        """Write, unless it cannot."""
        self.writes += 1
        if self.fault == "full":
            raise OSError(errno.ENOSPC, "No space left on device")
        if self.fault == "closed":
            raise ValueError("I/O operation on closed file")
        return io.StringIO.write(self, text)


@asynccontextmanager
async def console(folder: Path, clock: Clock) -> AsyncIterator[World]:
    """Open a terminal."""
    stream = Stream()
    (notifier,) = build(ConsoleSettings(), clock=clock, stream=stream)

    def fail(name: str) -> None:
        stream.fault = name

    def arrived() -> list[str]:
        return [stream.getvalue()] if stream.getvalue() else []

    yield World(notifier=notifier, arrived=arrived, fail=fail, attempts=lambda: stream.writes)


@asynccontextmanager
async def slack_direct(folder: Path, clock: Clock) -> AsyncIterator[World]:
    """Open direct messages in a workspace."""
    async with _slack(folder, clock, 0) as world:
        yield world


@asynccontextmanager
async def slack_operators(folder: Path, clock: Clock) -> AsyncIterator[World]:
    """Open the operators' channel of a workspace."""
    async with _slack(folder, clock, 1) as world:
        yield world


@asynccontextmanager
async def _slack(folder: Path, clock: Clock, which: int) -> AsyncIterator[World]:
    async with slack() as fake:
        notifiers = build(slack_settings(folder, fake.base_url), clock=clock, stream=io.StringIO())

        def fail(name: str) -> None:
            fake.answer = name

        yield World(
            notifier=notifiers[which],
            arrived=lambda: [json.dumps(post, ensure_ascii=False) for post in fake.posts],
            fail=fail,
            attempts=lambda: fake.calls.count("chat.postMessage"),
        )


def slack_settings(folder: Path, base_url: str, **changes: Any) -> SlackSettings:
    """Write the token to a file and the settings that name it."""
    token = folder / "slack.token"
    token.write_text(f"{TOKEN}\n", encoding="utf-8")
    written = {
        "token": {"file": str(token)},
        "base_url": base_url,
        "timeout": "2s",
        "operator_channel": "C0OPERATORS",
    }
    return SlackSettings.model_validate({**written, **changes})


def clock() -> JumpingClock:
    """Return a clock that stands at noon."""
    return JumpingClock(at=NOON)


SLACK: tuple[Answers, ...] = (
    ("429", True, False, 7.0),
    ("429 without a header", True, False, 30.0),
    ("ratelimited body", True, False, 30.0),
    ("500", True, False, None),
    ("503", True, False, None),
    ("504", False, True, None),
    ("internal error", False, True, None),
    ("timeout after accept", False, True, None),
    ("reset after accept", False, True, None),
    ("no timestamp", False, True, None),
    ("login page", False, True, None),
    ("garbled", False, True, None),
    ("not JSON's object", False, True, None),
    ("invalid auth", False, False, None),
    ("token revoked", False, False, None),
    ("missing scope", False, False, None),
    ("channel not found", False, False, None),
    ("unknown error", False, False, None),
    ("forbidden by a proxy", False, False, None),
    ("error with the token in it", False, True, None),
)

CONSOLE: tuple[Answers, ...] = (("full", True, False, None), ("closed", False, False, None))
