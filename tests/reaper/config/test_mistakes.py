"""Every mistake is named: file, line, place, what and cure; and all of them at once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reaper.config import ConfigError, check, load

MISTAKES = Path(__file__).with_name("mistakes")
HOME = {"HOME": "/home/mira"}


def said(path: Path) -> list[str]:
    return [str(problem).replace(f"{MISTAKES}/", "") for problem in check([path], environ=HOME)]


def expected(path: Path) -> str:
    return path.read_text(encoding="utf-8").rpartition("# says: ")[2].strip()


@pytest.mark.parametrize("path", sorted(MISTAKES.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_mistake_is_named_with_its_cure(path: Path):
    assert said(path) == [expected(path)]


@pytest.mark.parametrize("path", sorted(MISTAKES.glob("*.yaml")), ids=lambda path: path.stem)
def test_nothing_starts_on_a_mistake(path: Path):
    with pytest.raises(ConfigError):
        load(path, environ=HOME)


def test_all_mistakes_are_named_at_once(golden: Callable[[str, str], None]):
    path = Path(__file__).with_name("many") / "gpu-reaper.yaml"

    found = [str(problem) for problem in check([path], environ=HOME)]

    golden("config/many.txt", "\n".join(found).replace(f"{path.parent}/", "") + "\n")


def test_the_error_of_loading_holds_every_mistake():
    path = Path(__file__).with_name("many") / "gpu-reaper.yaml"

    with pytest.raises(ConfigError) as raised:
        load(path, environ=HOME)

    assert raised.value.problems == check([path], environ=HOME)
    assert str(raised.value).count("\n") == len(raised.value.problems) - 1


def test_an_absent_file_is_named():
    found = check([Path("nowhere.yaml")], environ=HOME)

    assert [(problem.file, problem.what) for problem in found] == [
        ("nowhere.yaml", "cannot be read: No such file or directory")
    ]
