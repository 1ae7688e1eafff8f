"""What follows a warning speaks of now, whenever the warning came."""

from dataclasses import replace

from reaper.cycle.snapshot.wording import ending
from tests.builders import START, case, notice, story


def test_how_a_release_ended_is_not_late_because_its_warning_was():
    told = replace(notice(rung=1, delivered=START), story=story(late=True))

    found = ending(case(), [told], "released", "released", START + 60)

    assert found is not None
    assert not found.story.late
