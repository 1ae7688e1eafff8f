"""What the doctor asks Slack: whether it takes the token, and what the app may do."""

import pytest

from reaper.cli.examination import _slack
from reaper.notifiers.slack import SlackDirect
from tests.channels import clock, slack_settings
from tests.fakes_slack import slack


@pytest.mark.parametrize(
    ("scopes", "lacking"),
    [
        ("chat:write,users:read.email", ()),
        ("users:read.email, chat:write ,im:write", ()),
        ("chat:write", ("users:read.email",)),
        ("", ("chat:write", "users:read.email")),
    ],
)
async def test_a_token_lacks_what_slack_does_not_list(tmp_path, scopes, lacking):
    async with slack() as workspace:
        workspace.scopes = scopes
        channel = SlackDirect(slack_settings(tmp_path, workspace.base_url), clock=clock())

        assert await channel.lacking_scopes() == lacking


async def test_a_token_with_its_scopes_is_right(tmp_path):
    async with slack() as workspace:
        channel = SlackDirect(slack_settings(tmp_path, workspace.base_url), clock=clock())

        assert (await _slack(channel)).ok is True


async def test_a_lacking_scope_is_wrong_and_has_a_cure(tmp_path):
    async with slack() as workspace:
        workspace.scopes = "chat:write"
        channel = SlackDirect(slack_settings(tmp_path, workspace.base_url), clock=clock())
        finding = await _slack(channel)

    assert (finding.ok, finding.what) == (False, "the token lacks users:read.email")
    assert finding.cure


async def test_a_slack_that_cannot_be_reached_is_a_finding(tmp_path):
    settings = slack_settings(tmp_path, "http://127.0.0.1:1/")

    finding = await _slack(SlackDirect(settings, clock=clock()))

    assert finding.ok is False
    assert "slack: " in finding.what
