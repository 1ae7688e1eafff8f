"""What has become of what a message told of."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.case import OwnRelease, State
from reaper.domain.escalation.sequel import Fate, Sequel, sequel
from tests.builders import HOUR, START, case, keep, notice, story

SENT = notice(delivered=START)
OWN = OwnRelease(by="mira", at=START, reason="done", channel="slack", story=story())


def closed(outcome: str, **changes: object):
    return case(state=State.CLOSED, closed=START + HOUR, outcome=outcome, **changes)


def test_a_notice_stands_while_nothing_has_happened():
    assert sequel(SENT, case(), (), ()) is None


def test_a_keep_says_until_when_and_by_whom():
    kept = keep(begin=START + 60.0)

    assert sequel(SENT, case(), (kept,), ()) == Sequel(
        fate=Fate.KEPT, by="mira", until=START + 60.0 + HOUR
    )


def test_of_an_operator_who_kept_it_no_name_is_told() -> None:
    kept = keep(begin=START + 60.0, by="vera", operator=True)

    assert sequel(SENT, case(), (kept,), ()) == Sequel(fate=Fate.KEPT, until=kept.until)


def test_the_longest_of_several_keeps_is_told():
    keeps = [keep(id=f"k{hours}", seconds=hours * HOUR) for hours in (1, 4, 2)]

    found = sequel(SENT, case(), keeps, ())
    assert found is not None
    assert found.until == START + 4 * HOUR


def test_a_keep_that_was_over_before_the_notice_is_none_of_its_sequel():
    assert sequel(SENT, case(), (keep(begin=START - 2 * HOUR),), ()) is None


def test_a_later_notice_replaces_the_earlier_one():
    later = notice(rung=1, delivered=START + HOUR, created=START + HOUR)

    assert sequel(SENT, case(), (), (later,)) == Sequel(fate=Fate.REPLACED)


def test_a_later_notice_that_has_not_arrived_replaces_nothing():
    later = notice(rung=1, created=START + HOUR)

    assert sequel(SENT, case(), (), (later,)) is None


def test_a_dispute_is_told_before_a_keep():
    assert sequel(SENT, case(disputed=True), (keep(),), ()) == Sequel(fate=Fate.DISPUTED)


def test_an_owners_wish_is_told_while_it_is_under_way():
    assert sequel(SENT, case(own_release=OWN), (), ()) == Sequel(fate=Fate.ASKED, by="mira")


@pytest.mark.parametrize(
    ("outcome", "fate"),
    [
        ("released", Fate.RELEASED),
        ("activity returned", Fate.RETURNED),
        ("its person came back", Fate.RETURNED),
        ("ended by itself", Fate.PASSED),
        ("policy changed", Fate.PASSED),
        ("failed", Fate.PASSED),
    ],
)
def test_a_closed_case_tells_how_it_ended(outcome: str, fate: Fate):
    assert sequel(SENT, closed(outcome), (keep(),), ()) == Sequel(fate=fate)


def test_an_owners_own_release_is_told_as_theirs():
    assert sequel(SENT, closed("given back", own_release=OWN), (), ()) == Sequel(
        fate=Fate.GIVEN_BACK, by="mira"
    )


def test_a_release_that_was_told_of_changes_only_when_it_is_disputed():
    told = replace(SENT, kind="released")

    assert sequel(told, closed("released"), (), ()) is None
    assert sequel(told, closed("released", disputed=True), (), ()) == Sequel(fate=Fate.DISPUTED)


def test_marks_tell_sequels_apart():
    marks = {
        Sequel(fate=Fate.KEPT, by="mira", until=1.0).mark,
        Sequel(fate=Fate.KEPT, by="mira", until=2.0).mark,
        Sequel(fate=Fate.KEPT, by="otto", until=2.0).mark,
        Sequel(fate=Fate.DISPUTED).mark,
    }

    assert len(marks) == 4
