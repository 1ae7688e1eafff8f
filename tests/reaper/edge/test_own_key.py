"""A key of our own is made once, and only its owner can read it."""

import stat

import pytest

from reaper.edge.secrets import SecretError, given_key, own_key
from reaper.schema import Secret


def test_it_is_the_same_the_next_time(tmp_path):
    path = tmp_path / "state/answer.key"

    assert own_key(path) == own_key(path)
    assert len(own_key(path)) == 32


def test_nobody_else_can_read_it(tmp_path):
    own_key(tmp_path / "answer.key")

    assert stat.S_IMODE((tmp_path / "answer.key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["answer.key"]


def test_one_that_is_too_short_is_refused_and_not_replaced(tmp_path):
    (tmp_path / "answer.key").write_bytes(b"short")

    with pytest.raises(SecretError, match=r"answer\.key is too short for a key; remove it"):
        own_key(tmp_path / "answer.key")
    assert (tmp_path / "answer.key").read_bytes() == b"short"


def test_a_place_where_nothing_can_be_kept_is_named(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(SecretError, match="cannot be kept or read"):
        own_key(tmp_path / "file/answer.key")


def test_a_given_key_that_could_be_guessed_is_refused(tmp_path):
    file = tmp_path / "key"
    file.write_text("hunter2")
    with pytest.raises(SecretError, match="fewer than 32") as refused:
        given_key(Secret(file=file))

    file.write_text("k" * 32 + "\n")
    assert given_key(Secret(file=file)) == b"k" * 32
    assert "hunter2" not in str(refused.value)
