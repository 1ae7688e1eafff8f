"""Clicks that Slack posts: only what it signed, only lately, only once."""

import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from reaper.notifiers.ear import Ear
from reaper.notifiers.slack.signed import FRESH, SlackRequests
from reaper.ports import SourceError
from tests.fakes_slack import SECRETS, SIGNING_SECRET
from tests.fakes_slack_socket import signed
from tests.slack_desk import Desk, desk


@pytest.fixture
async def warned(tmp_path: Path) -> AsyncIterator[Desk]:
    place = tmp_path / "slack.signing"
    place.write_text(f"{SIGNING_SECRET}\n", encoding="utf-8")
    async with desk(tmp_path, app_token=None, signing_secret={"file": str(place)}) as opened:
        await opened.warned()
        yield opened


def requests(warned: Desk) -> SlackRequests:
    clock = warned.bench.clock
    ear = Ear(channel="slack", clock=clock, tell=lambda _: None)
    return SlackRequests(warned.settings, warned.answering(), ear, clock=clock)


def click(warned: Desk, verb: str = "keep", *, secret: str = SIGNING_SECRET, late: float = 0.0):
    at = warned.bench.clock.now() - late
    return signed(json.dumps(warned.pressed(verb)), secret, at)


async def enter(listener: SlackRequests, headers: dict[str, str], body: bytes) -> int:
    (door,) = listener.doors
    status, _ = await door.enter(headers, body)
    return status


async def kept(warned: Desk) -> int:
    return len(await warned.bench.events("keep"))


async def test_a_signed_click_is_done(warned: Desk):
    async with requests(warned) as listener:
        assert await enter(listener, *click(warned)) == 200

    assert await kept(warned) == 1
    assert warned.workspace.whispers[0]["text"].startswith("Kept until ")


async def test_a_message_has_buttons_where_slack_posts_its_clicks(warned: Desk):
    assert any(block["type"] == "actions" for block in warned.workspace.posts[-1]["blocks"])


async def test_a_replay_is_refused(warned: Desk):
    async with requests(warned) as listener:
        headers, body = click(warned)
        first = await enter(listener, headers, body)
        warned.bench.clock.at += 60.0
        again = await enter(listener, headers, body)

    assert (first, again, await kept(warned)) == (200, 409, 1)


@pytest.mark.parametrize("late", [FRESH + 1.0, -FRESH - 1.0], ids=["old", "from the future"])
async def test_a_signature_of_another_time_is_refused(warned: Desk, late: float):
    async with requests(warned) as listener:
        assert await enter(listener, *click(warned, late=late)) == 401

    assert await kept(warned) == 0


async def test_a_foreign_signature_is_refused(warned: Desk):
    async with requests(warned) as listener:
        assert await enter(listener, *click(warned, secret="somebody-elses")) == 401

    assert await kept(warned) == 0


async def test_a_body_that_was_changed_is_refused(warned: Desk):
    async with requests(warned) as listener:
        headers, body = click(warned)
        assert await enter(listener, headers, body.replace(b"keep", b"dispute")) == 401


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("x-slack-signature", ""),
        ("x-slack-signature", "v0="),
        ("x-slack-signature", "v1=" + "0" * 64),
        ("x-slack-signature", "é\udcff"),
        ("x-slack-request-timestamp", ""),
        ("x-slack-request-timestamp", "soon"),
        ("x-slack-request-timestamp", "²"),
        ("x-slack-request-timestamp", "9" * 400),
        ("x-slack-request-timestamp", "-1"),
    ],
)
async def test_headers_that_are_not_slacks_are_refused(warned: Desk, name: str, value: str):
    async with requests(warned) as listener:
        headers, body = click(warned)
        assert await enter(listener, {**headers, name: value}, body) == 401


@pytest.mark.parametrize("name", ["x-slack-signature", "x-slack-request-timestamp"])
async def test_a_request_without_a_header_is_refused(warned: Desk, name: str):
    async with requests(warned) as listener:
        headers, body = click(warned)
        del headers[name]
        assert await enter(listener, headers, body) == 401


@pytest.mark.parametrize("text", ["", "{", "[]", '{"type": "block_actions"}'])
async def test_a_signed_request_that_is_no_click_is_taken_and_passed_over(warned: Desk, text: str):
    async with requests(warned) as listener:
        headers, body = signed(text, SIGNING_SECRET, warned.bench.clock.now())
        assert await enter(listener, headers, body) == 200

    assert warned.workspace.whispers == []


async def test_a_secret_that_cannot_be_read_makes_it_deaf(warned: Desk, tmp_path: Path):
    async with requests(warned) as listener:
        headers, body = click(warned)
        (tmp_path / "slack.signing").unlink()
        assert await enter(listener, headers, body) == 503
        with pytest.raises(SourceError, match="cannot be read"):
            await listener.hearing()


async def test_no_secret_is_logged_or_answered(warned: Desk, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    async with requests(warned) as listener:
        (door,) = listener.doors
        told = [await door.enter(*click(warned)), await door.enter(*click(warned, secret="x"))]

    said = caplog.text + str(told) + str(vars(listener))
    assert not any(secret in said for secret in SECRETS)
