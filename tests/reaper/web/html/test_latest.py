from dataclasses import replace
from datetime import UTC

from reaper.domain.escalation.case import OwnRelease
from reaper.questions import Explanation
from reaper.web.html.latest import latest
from reaper.web.html.view import next_step
from tests.builders import case, keep, story
from tests.builders_picture import HOUR, MINUTE, NOW, case_line, row, step_said


def told(*, keeps=(), **changes) -> str:
    line = row(case=case_line(id="101@0"))
    known = {"tenures": (), "notices": (), "events": ()}
    one = Explanation(
        at=NOW, run_key=line.run_key, row=line, cases=(case(**changes),), keeps=keeps, **known
    )
    return step_said(next_step(latest(one, NOW).row, NOW, UTC))


def kept(until: float):
    return replace(keep(begin=NOW - MINUTE, seconds=until - NOW + MINUTE), run_key=row().run_key)


def test_a_keep_shows_before_the_next_cycle():
    assert told(keeps=(kept(NOW + HOUR),)).startswith("Kept until 15:32")


def test_a_keep_that_has_ended_does_not_show():
    assert told(keeps=(kept(NOW - 1),)).startswith("Release in 20 min")


def test_a_dispute_shows_before_the_next_cycle():
    assert told(disputed=True) == "Release held; it is disputed: an operator will look at it"


def test_a_release_by_its_owner_shows_before_the_next_cycle():
    wish = OwnRelease(by="mira", at=NOW, reason="done", channel="link", story=story())

    assert told(own_release=wish).startswith("Given back: it ends within minutes")


def test_what_has_ended_stays_as_it_is():
    ended = Explanation(
        at=NOW, run_key="k", row=None, tenures=(), cases=(), notices=(), keeps=(), events=()
    )

    assert latest(ended, NOW) == ended


def test_a_case_that_was_opened_by_a_release_shows_at_once():
    wish = OwnRelease(by="mira", at=NOW, reason="done", channel="link", story=story())
    line = row(case=None)
    one = Explanation(
        at=NOW, run_key=line.run_key, row=line, cases=(case(own_release=wish),), keeps=(),
        tenures=(), notices=(), events=(),
    )  # fmt: skip

    shown = step_said(next_step(latest(one, NOW).row, NOW, UTC))
    assert shown == "Given back: it ends within minutes, once it is checked"
