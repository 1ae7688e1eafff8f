"""What the doctor asks Slack: the token, its scopes, the way that clicks take; and the manifest."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from reaper.notifiers.slack.checks import Checked, checked, lacking_scopes
from reaper.notifiers.slack.settings import SCOPES
from reaper.notifiers.slack.signed import PATH
from tests.channels import slack_settings
from tests.fakes_slack import SECRETS, FakeSlack, slack
from tests.project import ROOT
from tests.slack_desk import app_token


@pytest.fixture
async def workspace() -> AsyncIterator[FakeSlack]:
    async with slack() as fake:
        yield fake


async def look(workspace: FakeSlack, folder: Path, **settings: Any) -> tuple[Checked, ...]:
    return await checked(slack_settings(folder, workspace.base_url, **settings))


@pytest.mark.parametrize(
    ("scopes", "lacking"),
    [
        ("chat:write,users:read.email", ()),
        ("users:read.email, chat:write ,im:write", ()),
        ("chat:write", ("users:read.email",)),
        ("", ("chat:write", "users:read.email")),
    ],
)
async def test_a_token_lacks_what_slack_does_not_list(workspace, tmp_path, scopes, lacking):
    workspace.scopes = scopes

    assert await lacking_scopes(slack_settings(tmp_path, workspace.base_url)) == lacking


async def test_a_whole_app_is_right(workspace: FakeSlack, tmp_path: Path):
    found = await look(workspace, tmp_path, app_token=app_token(tmp_path))

    assert [(one.subject, one.ok) for one in found] == [("slack", True), ("slack answers", True)]


async def test_looking_takes_no_connection_and_so_no_clicks(workspace: FakeSlack, tmp_path: Path):
    await look(workspace, tmp_path, app_token=app_token(tmp_path))

    assert (workspace.socket.count, workspace.posts) == (0, [])


async def test_a_lacking_scope_is_wrong_and_has_a_cure(workspace: FakeSlack, tmp_path: Path):
    workspace.scopes = "chat:write"
    token, _ = await look(workspace, tmp_path)

    assert (token.ok, token.what) == (False, "the token lacks users:read.email")
    assert token.cure


async def test_without_an_ear_it_says_what_is_missed(workspace: FakeSlack, tmp_path: Path):
    _, answers = await look(workspace, tmp_path)

    assert (answers.ok, answers.what) == (None, "messages name commands, and have no buttons")
    assert "app_token" in answers.cure


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("missing scope", "missing_scope"),
        ("token revoked", "token_revoked; make an app-level token"),
        ("500", "HTTP 500"),
        ("login page", "not Slack's"),
    ],
)
async def test_a_socket_that_would_not_open_is_wrong(
    workspace: FakeSlack, tmp_path: Path, answer: str, said: str
):
    workspace.open_answer = answer
    _, answers = await look(workspace, tmp_path, app_token=app_token(tmp_path))

    assert answers.ok is False
    assert said in answers.what


@pytest.mark.parametrize(
    ("content", "ok", "said"),
    [
        ("8f742231b10e8888abcd99yyyzzz85a5", True, "/slack/interactions"),
        ("xoxb-a-token", False, "is a token, and no signing secret"),
        ("", False, "is empty"),
    ],
)
async def test_a_signing_secret_is_looked_at(
    workspace: FakeSlack, tmp_path: Path, content: str, ok: bool, said: str
):
    place = tmp_path / "signing"
    place.write_text(content)
    _, answers = await look(workspace, tmp_path, signing_secret={"file": str(place)})

    assert answers.ok is ok
    assert said in answers.what
    assert not content or content not in answers.what


async def test_a_slack_that_cannot_be_reached_is_found(tmp_path: Path):
    settings = slack_settings(tmp_path, "http://127.0.0.1:1/", app_token=app_token(tmp_path))
    found = await checked(settings)

    assert [one.ok for one in found] == [False, False]
    assert not any(secret in str(found) for secret in SECRETS)


# ------------------------------------------------------------------ the manifest


def manifest() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "deploy/slack/manifest.yaml").read_text(encoding="utf-8"))


def test_the_manifest_asks_for_the_least_scopes():
    given = manifest()["oauth_config"]["scopes"]

    assert given == {"bot": [SCOPES[0], "users:read", SCOPES[1]]}


def test_the_manifest_switches_buttons_and_socket_mode_on():
    settings = manifest()["settings"]

    assert settings["interactivity"]["is_enabled"]
    assert settings["socket_mode_enabled"]


def test_the_manifest_names_the_path_that_the_page_serves():
    text = (ROOT / "deploy/slack/manifest.yaml").read_text(encoding="utf-8")

    assert f"example.org{PATH}\n" in text
