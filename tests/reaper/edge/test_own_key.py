"""A key of our own is made once, and only its owner can read it."""

import os
import stat
import subprocess
import sys
from pathlib import Path

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


def test_what_a_crash_left_is_in_no_starts_way(tmp_path: Path):
    """A container gives the same pid to every start."""
    pid = os.getpid()
    for left in (f".answer.key.{pid}", f".answer.key.{pid}.draft", ".answer.key.0a.draft"):
        (tmp_path / left).touch()

    key = own_key(tmp_path / "answer.key")

    assert own_key(tmp_path / "answer.key") == key
    assert [path.name for path in tmp_path.iterdir()] == ["answer.key"]


def test_a_key_that_lies_there_is_only_read(tmp_path: Path):
    key = own_key(tmp_path / "answer.key")
    before = tmp_path.stat().st_mtime_ns

    assert own_key(tmp_path / "answer.key") == key
    assert tmp_path.stat().st_mtime_ns == before


def test_a_key_that_cannot_be_written_leaves_nothing(tmp_path: Path):
    """A limit on the size of files fails a write as a full disk does."""
    code = (
        "import resource, signal\n"
        "from pathlib import Path\n"
        "from reaper.edge.secrets import own_key\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        f"own_key(Path({str(tmp_path / 'answer.key')!r}))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )

    assert "cannot be kept or read" in ended.stderr
    assert list(tmp_path.iterdir()) == []
