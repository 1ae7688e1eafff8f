"""Secrets come from a file or a variable and never show."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from reaper.edge.secrets import SecretError, secret
from reaper.schema import Secret


def test_a_file_holds_the_secret_alone(tmp_path: Path):
    (tmp_path / "token").write_text("  hush\n")

    assert secret(Secret(file=tmp_path / "token")) == "hush"


def test_a_variable_holds_the_secret():
    assert secret(Secret(env="TOKEN"), {"TOKEN": "hush"}) == "hush"


def test_what_is_not_set_is_named():
    with pytest.raises(SecretError, match="variable TOKEN is empty or not set"):
        secret(Secret(env="TOKEN"), {})


def test_two_words_are_not_repeated():
    with pytest.raises(SecretError, match="holds more than one word") as raised:
        secret(Secret(env="TOKEN"), {"TOKEN": "hush hush"})

    assert "hush" not in str(raised.value)


def test_an_absent_file_is_named(tmp_path: Path):
    with pytest.raises(SecretError, match="cannot be read: No such file"):
        secret(Secret(file=tmp_path / "token"))


@pytest.mark.parametrize("written", ["hush", 4711, {"value": "hush"}, {"env": "hu sh"}, {}, None])
def test_a_reference_never_repeats_what_was_written(written: object):
    with pytest.raises(ValidationError) as raised:
        Secret.model_validate(written)

    assert not any(word in str(raised.value) for word in ("hush", "4711", "hu sh"))
