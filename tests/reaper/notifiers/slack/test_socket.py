"""Socket Mode against a loopback Slack: connects, renews, breaks, comes back, and says so."""

import asyncio
import logging
from asyncio import Queue, timeout
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from reaper.domain.escalation.hearing import Hearing
from reaper.notifiers.ear import Ear
from reaper.notifiers.slack.socket import SlackSocket
from reaper.ports import SourceError
from tests.fakes_slack import APP_TOKEN, SECRETS
from tests.slack_desk import Desk, desk

PATIENCE = 60.0
AT_ONCE = (0.001,)


@pytest.fixture
async def warned(tmp_path: Path) -> AsyncIterator[Desk]:
    async with desk(tmp_path) as opened:
        await opened.warned()
        yield opened


@asynccontextmanager
async def listening(to: Desk) -> AsyncIterator[tuple[SlackSocket, Queue[Hearing]]]:
    """Listen, with what is told of it at every change."""
    told: Queue[Hearing] = Queue()
    ear = Ear(channel="slack", clock=to.bench.clock, tell=told.put_nowait)
    socket = SlackSocket(to.settings, to.answering(), ear, look=0.01, waits=AT_ONCE)
    async with timeout(PATIENCE), socket:
        yield socket, told


async def until(told: Queue[Hearing], *, hears: bool) -> Hearing:
    """Wait for the change."""
    while True:
        hearing = await told.get()
        if (hearing.silent is None) is hears:
            return hearing


async def test_it_is_deaf_until_slack_says_hello(warned: Desk):
    async with listening(warned) as (_, told):
        assert (await told.get()).silent is not None
        await until(told, hears=True)


async def test_a_connection_without_a_hello_hears_nothing(warned: Desk):
    warned.workspace.socket.silent = True
    async with listening(warned) as (socket, told):
        await told.get()
        heard = await told.get()
        assert heard.silent is not None
        assert "timed out" in heard.silent.why
        with pytest.raises(SourceError, match="Socket Mode timed out"):
            await socket.hearing()


async def test_a_click_is_done_then_acknowledged_then_told(warned: Desk):
    async with listening(warned) as (_, told):
        await until(told, hears=True)
        await warned.workspace.socket.send(warned.pressed("keep"), envelope="e7")

        assert await warned.workspace.socket.acks.get() == "e7"
        assert len(await warned.bench.events("keep")) == 1
        assert (await warned.workspace.whispered.get()).startswith("Kept until ")


async def test_an_envelope_that_comes_twice_counts_once(warned: Desk):
    async with listening(warned) as (_, told):
        await until(told, hears=True)
        for _ in range(2):
            await warned.workspace.socket.send(warned.pressed("keep"))
            await warned.workspace.socket.acks.get()

        assert len(await warned.bench.events("keep")) == 1


async def test_other_envelopes_are_acknowledged_and_passed_over(warned: Desk):
    async with listening(warned) as (_, told):
        await until(told, hears=True)
        await warned.workspace.socket.send({}, envelope="e9", type="slash_commands")

        assert await warned.workspace.socket.acks.get() == "e9"


async def test_a_renewal_is_followed_to_a_new_connection(warned: Desk):
    async with listening(warned) as (_, told):
        await until(told, hears=True)
        await warned.workspace.socket.came.get()
        await warned.workspace.socket.renew()
        assert await warned.workspace.socket.came.get() == 2

        await warned.workspace.socket.send(warned.pressed("dispute"))
        await warned.workspace.socket.acks.get()
        assert (await warned.bench.case()).disputed


async def test_a_renewal_that_comes_to_nothing_is_a_silence(warned: Desk):
    async with listening(warned) as (_, told):
        await until(told, hears=True)
        warned.workspace.socket.refuses = True
        await warned.workspace.socket.renew()
        await warned.workspace.socket.turned_away.get()
        await until(told, hears=False)
        warned.workspace.socket.refuses = False

        await until(told, hears=True)


@pytest.mark.parametrize("how", ["closed", "cut"])
async def test_a_lost_connection_is_a_silence_until_the_next_stands(warned: Desk, how: str):
    async with listening(warned) as (_, told):
        await until(told, hears=True)
        warned.bench.clock.at += 60.0
        lost = warned.bench.clock.now()
        await (warned.workspace.socket.end() if how == "closed" else _cut(warned))
        silent = await until(told, hears=False)
        warned.bench.clock.at += 90.0
        again = await until(told, hears=True)

    assert silent.silent is not None
    assert silent.silent.begin == lost
    assert again.deaf(lost, lost + 1000.0) == pytest.approx(90.0)


async def _cut(warned: Desk) -> None:
    warned.workspace.socket.cut()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("token revoked", "token_revoked; make an app-level token"),
        ("missing scope", "missing_scope"),
        ("500", "HTTP 500"),
        ("login page", "not Slack's"),
        ("garbled", "not Slack's"),
    ],
)
async def test_why_nothing_is_heard_is_said(warned: Desk, answer: str, why: str):
    warned.workspace.open_answer = answer
    async with listening(warned) as (socket, told):
        await told.get()
        await told.get()
        with pytest.raises(SourceError, match=why):
            await socket.hearing()

        warned.workspace.open_answer = ""
        await until(told, hears=True)


async def test_a_bot_token_in_the_wrong_place_is_named(tmp_path: Path):
    async with desk(tmp_path) as opened:
        await opened.warned()
        (tmp_path / "slack.app-token").write_text("xoxb-wrong\n")
        async with listening(opened) as (socket, told):
            await told.get()
            await told.get()
            with pytest.raises(SourceError, match="is no app-level token") as raised:
                await socket.hearing()
    assert "xoxb-wrong" not in str(raised.value)


async def test_a_mistake_of_ours_makes_it_deaf_until_it_is_asked(warned: Desk):
    told: Queue[Hearing] = Queue()
    mistakes = [RuntimeError("the board is gone")]

    def tell(hearing: Hearing) -> None:
        if hearing.silent is None and mistakes:
            raise mistakes.pop()
        told.put_nowait(hearing)

    ear = Ear(channel="slack", clock=warned.bench.clock, tell=tell)
    socket = SlackSocket(warned.settings, warned.answering(), ear, look=0.01, waits=AT_ONCE)
    async with timeout(PATIENCE), socket:
        await told.get()
        silent = (await told.get()).silent
        assert silent is not None
        assert "listening ended unexpectedly (RuntimeError)" in silent.why

        with pytest.raises(SourceError, match="listening ended unexpectedly"):
            await socket.hearing()
        await until(told, hears=True)


async def test_no_secret_is_logged(warned: Desk, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    async with listening(warned) as (_, told):
        await until(told, hears=True)
        value = warned.pressed("keep")["actions"][0]["value"]
        await warned.workspace.socket.send(warned.pressed("keep"))
        await warned.workspace.socket.acks.get()
        await warned.workspace.socket.renew()
        await warned.workspace.socket.came.get()
        await warned.workspace.socket.came.get()
        await warned.workspace.socket.end()
        await until(told, hears=False)
        warned.workspace.open_answer = "error with the token in it"
        await until(told, hears=False)

    assert not any(secret in caplog.text for secret in (*SECRETS, APP_TOKEN, value, "ticket=once"))


async def test_it_ends_without_a_task_left_behind(warned: Desk):
    async with listening(warned) as (_, told):
        await until(told, hears=True)

    running = {getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()}
    assert not any("SocketMode" in name or "SlackSocket" in name for name in running)
