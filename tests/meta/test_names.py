"""No module has a name that says nothing about its job."""

from pathlib import Path

import pytest

from tests.project import name_of, python_files

EMPTY_WORDS = {"util", "utils", "helper", "helpers", "manager", "managers", "data", "info"}


@pytest.mark.parametrize("path", python_files("exporter", "reaper", "tests"), ids=name_of)
def test_a_module_is_named_after_its_job(path: Path):
    assert set() == empty_words(name_of(path))


@pytest.mark.parametrize("name", ["reaper/utils.py", "reaper/data/x.py", "exporter/node_info.py"])
def test_an_empty_word_is_found(name: str):
    assert empty_words(name)


def empty_words(name: str) -> set[str]:
    words = name.removesuffix(".py").replace("/", "_").split("_")
    return EMPTY_WORDS & set(words)
