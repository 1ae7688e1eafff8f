"""What is said without Fluent is what Fluent says."""

import re

import pytest
from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.types import fluent_number

from reaper.languages import quick
from tests.reaper.languages.test_every_message import FOLDERS, ROOT, THEMES

NUMBERS = (0, 1, 2, 3, 5, 11, 21, 22, 25, 1000)
WORDS = ("yes", "no", "self", "absent", "none", "a word")


def fluent(folder, source):
    bundle = FluentBundle([FOLDERS[folder]], use_isolating=False)
    bundle.add_resource(FluentResource(source))
    return bundle


def by_fluent(bundle, name, values):
    numbers = {
        key: value if isinstance(value, str) else fluent_number(value, useGrouping=False)
        for key, value in values.items()
    }
    return bundle.format_pattern(bundle.get_message(name).value, numbers)[0]


@pytest.mark.parametrize("folder", FOLDERS)
def test_both_say_the_same(folder):
    assert sum(compared(folder, theme) for theme in THEMES) > 5000


def compared(folder, theme):
    """Compare what both say of a theme; return how often."""
    source = (ROOT / folder / theme).read_text(encoding="utf-8")
    bundle, times = fluent(folder, source), 0
    for name, written in quick.messages(source).items():
        say = quick.saying(written, english=folder == "english")
        for value in (*NUMBERS, *WORDS) if say else ():
            values = dict.fromkeys(re.findall(r"\$([\w-]+)", written), value)
            assert say(values) == by_fluent(bundle, name, values)
            times += 1
    return times


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("folder", FOLDERS)
def test_both_know_the_same_messages(folder, theme):
    source = (ROOT / folder / theme).read_text(encoding="utf-8")

    assert quick.messages(source).keys() == fluent(folder, source)._messages.keys()


def test_a_value_that_is_missing_is_said_by_nobody():
    with pytest.raises(KeyError):
        quick.saying("{ $name } is busy", english=True)({})
