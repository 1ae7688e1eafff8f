"""Numbers with their words and durations, as English says them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.spoken import coarse, count
from reaper.languages.language import language
from tests.project import ROOT, name_of, python_files


@given(st.floats(0, 4e6, allow_nan=False))
def test_a_duration_as_coarse_as_it_is_said_is_said_alike(seconds: float) -> None:
    said = language("notices", "en").span

    assert said(coarse(seconds)) == said(seconds)
    assert coarse(coarse(seconds)) == coarse(seconds) <= seconds


@given(st.integers(0, 10**6))
def test_one_thing_is_one_thing(number: int) -> None:
    assert count(number, "GPU") == f"{number} GPU{'' if number == 1 else 's'}"
    assert count(number, "is", "are") == f"{number} {'is' if number == 1 else 'are'}"


@pytest.mark.parametrize(
    "path", [*python_files("reaper"), *sorted((ROOT / "reaper").rglob("*.html"))], ids=name_of
)
def test_no_text_puts_a_word_into_its_plural_by_itself(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert path.name == "spoken.py" or not re.search(
        r"""(''|"") if [^\n]* == 1 else ['"]s['"]""", text
    )
