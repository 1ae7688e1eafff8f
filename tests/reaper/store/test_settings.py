"""Where the store lies is checked before anything is opened."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from reaper.store.settings import StoreSettings


def test_the_default_is_a_file_in_the_state_directory():
    settings = StoreSettings(directory=Path("/state"))

    assert settings.address == "sqlite:////state/reaper.sqlite"


@pytest.mark.parametrize("url", ["sqlite:///x.sqlite", "postgresql://reaper@db.example/reaper"])
def test_a_url_is_taken_as_it_is(url):
    assert StoreSettings(url=url).address == url


@pytest.mark.parametrize(
    ("url", "cure"),
    [
        pytest.param("mysql://x/y", "write sqlite:///<path> or", id="another database"),
        pytest.param("reaper.sqlite", "write sqlite:///<path> or", id="a path"),
        pytest.param("postgresql://db.example", "names no database", id="no database"),
        pytest.param("sqlite://", "kind: memory", id="no file"),
        pytest.param("sqlite:///:memory:", "kind: memory", id="memory"),
        pytest.param("postgresql://a:secret@h/d", "store.password", id="a password"),
    ],
)
def test_a_url_that_cannot_be_is_refused_with_its_cure(url, cure):
    with pytest.raises(ValidationError, match=cure) as raised:
        StoreSettings(url=url)

    assert "secret@" not in str(raised.value)
