"""No text makes the reading of a configuration fail: it has mistakes, or it loads."""

from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reaper.config import ConfigError, check, load
from reaper.config.sections import FileSettings

HOME = {"HOME": "/home/mira"}
SECRET = "xoxb-11-this-must-not-be-repeated"

KEYS = st.sampled_from(
    [
        *FileSettings.model_fields,
        *("name", "match", "idle", "for", "rungs", "warn", "release", "save", "after", "grace"),
        *("kind", "token", "file", "env", "share", "mode", "class", "exemptions", "slurm", "proof"),
    ]
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["30m", "act", "slack", "console", "unix", "yaml", "interactive", "/", "5%"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=15,
)

quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_any_values_load_or_have_mistakes(tmp_path: Path, value: dict[str, object]):
    path = tmp_path / "any.yaml"
    path.write_text(yaml.safe_dump(value), encoding="utf-8")

    assert_reads(path)


@quick
@given(st.text(alphabet=":-[]{}&*<>!|#'\"\n\t abk0", max_size=60))
def test_any_text_loads_or_has_mistakes(tmp_path: Path, text: str):
    path = tmp_path / "any.yaml"
    path.write_text(text, encoding="utf-8")

    assert_reads(path)


@quick
@given(st.binary(max_size=40))
def test_any_bytes_load_or_have_mistakes(tmp_path: Path, content: bytes):
    path = tmp_path / "any.yaml"
    path.write_bytes(content)

    assert_reads(path)


#: What is written there names a file, and a file that is not there is named.
PATHS = {"policies", "rates"}


@quick
@given(st.lists(KEYS.filter(lambda key: key not in PATHS), min_size=1, max_size=3))
def test_a_token_written_anywhere_but_as_a_path_is_never_repeated(tmp_path: Path, keys: list[str]):
    value: object = SECRET
    for key in keys:
        value = {key: value}
    path = tmp_path / "any.yaml"
    path.write_text(yaml.safe_dump(value), encoding="utf-8")

    assert all("this-must-not" not in str(problem) for problem in check([path], environ=HOME))


def assert_reads(path: Path) -> None:
    if any(not problem.lacking for problem in check([path], environ=HOME)):
        with pytest.raises(ConfigError):
            load(path, environ=HOME)
    else:
        load(path, environ=HOME)
