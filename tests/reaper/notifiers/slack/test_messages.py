"""How a person is found in Slack, where the token comes from, what the operators get."""

import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from reaper.notifiers.slack import SlackDirect, SlackOperators, SlackSettings
from reaper.ports import NotifyError
from tests.channels import MIRA, clock, letter, notice, slack_settings
from tests.fakes_slack import FakeSlack, slack


@pytest.fixture
async def workspace() -> AsyncIterator[FakeSlack]:
    async with slack() as fake:
        yield fake


def direct(workspace: FakeSlack, folder: Path) -> SlackDirect:
    return SlackDirect(slack_settings(folder, workspace.base_url), clock=clock())


# ------------------------------------------------------------------ who


async def test_the_message_goes_to_the_person_alone(workspace: FakeSlack, tmp_path: Path):
    delivered = await direct(workspace, tmp_path).deliver(letter(notice()))

    assert workspace.posts[0]["channel"] == "U0MIRA"
    assert delivered.handle == "D0MIRA:1700000000.000001"


async def test_a_configured_id_needs_no_lookup(workspace: FakeSlack, tmp_path: Path):
    person = replace(MIRA, email="", addresses={"slack": "U0OTHER"})
    await direct(workspace, tmp_path).deliver(letter(notice(), to=person))

    assert workspace.calls == ["chat.postMessage"]
    assert workspace.posts[0]["channel"] == "U0OTHER"


async def test_an_address_is_looked_up_once_a_day(workspace: FakeSlack, tmp_path: Path):
    now = clock()
    notifier = SlackDirect(slack_settings(tmp_path, workspace.base_url), clock=now)
    for _ in range(3):
        await notifier.deliver(letter(notice()))
    now.at += 86400.0
    await notifier.deliver(letter(notice()))

    assert workspace.calls.count("users.lookupByEmail") == 2


async def test_a_person_slack_does_not_know_is_never_retried(workspace: FakeSlack, tmp_path: Path):
    with pytest.raises(NotifyError, match="users_not_found; add the person's Slack id") as raised:
        await direct(workspace, tmp_path).deliver(
            letter(notice(), to=replace(MIRA, email="x@example.org"))
        )

    assert not raised.value.recoverable
    assert workspace.posts == []


@pytest.mark.parametrize("address", ["C0PUBLIC", "#general", "G0GROUP", "D0SOMEBODY", "mira", "U"])
async def test_what_is_no_person_in_slack_is_not_told(
    workspace: FakeSlack, tmp_path: Path, address: str
):
    person = replace(MIRA, addresses={"slack": address})
    with pytest.raises(NotifyError, match="which is no person's id") as raised:
        await direct(workspace, tmp_path).deliver(letter(notice(), to=person))

    assert not raised.value.recoverable
    assert workspace.calls == []


async def test_a_person_without_an_address_is_named(workspace: FakeSlack, tmp_path: Path):
    with pytest.raises(NotifyError, match="mira has no Slack id and no e-mail address") as raised:
        await direct(workspace, tmp_path).deliver(letter(notice(), to=replace(MIRA, email="")))

    assert not raised.value.recoverable
    assert workspace.calls == []


@pytest.mark.parametrize(
    "answer", ["timeout after accept", "reset after accept", "504", "login page", "garbled", "429"]
)
async def test_a_lookup_that_failed_sent_nothing_and_may_be_repeated(
    workspace: FakeSlack, tmp_path: Path, answer: str
):
    workspace.lookup_answer = answer
    with pytest.raises(NotifyError) as raised:
        await direct(workspace, tmp_path).deliver(letter(notice()))

    assert (raised.value.recoverable, raised.value.ambiguous) == (True, False)
    assert workspace.posts == []


# ------------------------------------------------------------------ the connection


async def test_a_refused_connection_may_be_tried_again(tmp_path: Path):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/api/"
        with pytest.raises(NotifyError, match="found no connection") as raised:
            await SlackDirect(slack_settings(tmp_path, url), clock=clock()).deliver(
                letter(notice())
            )

    assert (raised.value.recoverable, raised.value.ambiguous) == (True, False)


async def test_plain_text_where_tls_is_meant_is_not_retried(workspace: FakeSlack, tmp_path: Path):
    url = workspace.base_url.replace("http://", "https://")
    with pytest.raises(NotifyError, match="is not reachable safely") as raised:
        await SlackDirect(slack_settings(tmp_path, url), clock=clock()).deliver(letter(notice()))

    assert not raised.value.recoverable


async def test_a_missing_scope_is_named_with_its_cure(workspace: FakeSlack, tmp_path: Path):
    workspace.answer = "missing scope"
    with pytest.raises(NotifyError) as raised:
        await direct(workspace, tmp_path).deliver(letter(notice()))

    assert str(raised.value) == (
        "slack: chat.postMessage answered missing_scope (chat:write); "
        "add the scope to the app and install it again"
    )


@pytest.mark.parametrize(
    "url", ["http://slack.example/api/", "ftp://127.0.0.1/", "slack.com", "http://127.0.0.1.evil/"]
)
def test_the_token_never_travels_readably(url: str, tmp_path: Path):
    with pytest.raises(ValidationError, match="the token would travel readably"):
        slack_settings(tmp_path, url)


# ------------------------------------------------------------------ the token


async def test_a_new_token_needs_no_restart(workspace: FakeSlack, tmp_path: Path):
    notifier = direct(workspace, tmp_path)
    good = (tmp_path / "slack.token").read_text()
    (tmp_path / "slack.token").write_text("xoxb-old\n")
    with pytest.raises(NotifyError, match="invalid_auth; install the app again"):
        await notifier.deliver(letter(notice()))
    (tmp_path / "slack.token").write_text(good)

    await notifier.deliver(letter(notice()))

    assert len(workspace.posts) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty or not set"),
        ("xoxb-a xoxb-b", "holds more than one word"),
        ("xoxp-a-persons-token", "is no bot token"),
        ("\udcff", "is no text"),
        (None, "cannot be read"),
    ],
)
async def test_a_bad_token_is_named_by_its_place(
    workspace: FakeSlack, tmp_path: Path, content: str | None, said: str
):
    notifier = direct(workspace, tmp_path)
    place = tmp_path / "slack.token"
    place.unlink()
    if content is not None:
        place.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(NotifyError, match=said) as raised:
        await notifier.deliver(letter(notice()))

    assert str(place) in str(raised.value)
    assert not content or content not in str(raised.value)
    assert workspace.calls == []


def test_settings_never_show_where_a_token_was_typed_in():
    with pytest.raises(ValidationError) as raised:
        SlackSettings.model_validate({"kind": "slack", "token": "xoxb-typed-in"})

    assert "xoxb-typed-in" not in str(raised.value)


# ------------------------------------------------------------------ operators


async def test_operators_read_in_their_channel(workspace: FakeSlack, tmp_path: Path):
    settings = slack_settings(tmp_path, workspace.base_url)
    await SlackOperators(settings, clock=clock()).deliver(letter(notice("operator")))

    assert workspace.calls == ["chat.postMessage"]
    assert workspace.posts[0]["channel"] == "C0OPERATORS"


async def test_no_link_is_unfolded_and_no_mark_up_read(workspace: FakeSlack, tmp_path: Path):
    await direct(workspace, tmp_path).deliver(letter(notice()))

    assert {workspace.posts[0][key] for key in ("unfurl_links", "unfurl_media", "mrkdwn")} == {
        False
    }
