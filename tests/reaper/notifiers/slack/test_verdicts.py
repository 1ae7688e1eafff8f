"""Slack's error names and headers, read without trust."""

import pytest

from reaper.notifiers.slack.verdicts import CURES, Reply, scopes, verdict, wait, word


@pytest.mark.parametrize("name", CURES)
def test_every_error_with_a_cure_is_final_and_told(name: str):
    error = verdict(Reply(method="chat.postMessage", status=200, error=name))

    assert (error.recoverable, error.ambiguous) == (False, False)
    assert str(error) == f"slack: chat.postMessage answered {name}; {CURES[name]}"


@pytest.mark.parametrize(
    ("header", "expected"),
    [("30", 30.0), (" 1 ", 1.0), ("999999", 3600.0), ("soon", None), ("-5", None), (None, None)],
)
def test_a_wait_is_read_with_a_limit(header, expected):
    assert wait(header) == expected


@pytest.mark.parametrize("value", ["<script>", "Bad Error", "x" * 100, None, 7, ["a"]])
def test_what_is_no_error_name_is_not_repeated(value):
    assert word(value) == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [("chat:write,users:read.email", "chat:write,users:read.email"), ("a b", ""), (None, "")],
)
def test_scopes_are_repeated_only_as_scopes(value, expected):
    assert scopes(value) == expected


@pytest.mark.parametrize("name", ["invalid_auth", "token_revoked", "missing_scope"])
def test_the_connections_token_has_a_cure_of_its_own(name: str):
    error = verdict(Reply(method="apps.connections.open", status=200, error=name))

    assert str(error).endswith("put it where app_token says")
