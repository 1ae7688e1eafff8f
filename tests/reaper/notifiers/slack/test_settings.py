"""How the Slack app is written down, and what of it contradicts itself."""

import pytest
from pydantic import ValidationError

from reaper.notifiers.slack.settings import SlackSettings

FILE = {"file": "somewhere"}


@pytest.mark.parametrize(
    ("written", "hears"),
    [
        ({}, ""),
        ({"app_token": FILE}, "socket"),
        ({"signing_secret": FILE}, "http"),
    ],
)
def test_how_clicks_come_follows_from_which_secret_is_named(written, hears):
    assert SlackSettings.model_validate({"token": FILE, **written}).hears == hears


def test_clicks_are_expected_one_way_only():
    with pytest.raises(ValidationError, match="clicks would be expected twice; keep app_token"):
        SlackSettings.model_validate({"token": FILE, "app_token": FILE, "signing_secret": FILE})


@pytest.mark.parametrize("key", ["app_token", "signing_secret"])
def test_a_secret_that_was_typed_in_is_never_shown(key: str):
    with pytest.raises(ValidationError) as raised:
        SlackSettings.model_validate({"token": FILE, key: "xapp-typed-in"})

    assert "xapp-typed-in" not in str(raised.value)
