"""What a listener remembers of its silences, and tells at once."""

import pytest

from reaper.domain.escalation.hearing import Hearing
from reaper.edge.clock import JumpingClock
from reaper.notifiers.ear import KEPT, Ear
from reaper.ports import SourceError
from tests.builders import START


def ear() -> tuple[Ear, JumpingClock, list[Hearing]]:
    told: list[Hearing] = []
    clock = JumpingClock(at=START)
    return Ear(channel="slack", clock=clock, tell=told.append), clock, told


def test_every_change_is_told_at_once():
    one, _, told = ear()
    one.deaf("not connected yet")
    one.hears()
    one.deaf("broke off")

    assert [hearing.silent is not None for hearing in told] == [True, False, True]


def test_a_silence_goes_on_while_its_reason_changes():
    one, clock, told = ear()
    one.deaf("broke off")
    clock.at += 30.0
    one.deaf("token_revoked")

    (silence,) = told[-1].silences
    assert (silence.begin, silence.end, silence.why) == (START, None, "token_revoked")


def test_hearing_on_changes_nothing():
    one, clock, told = ear()
    one.hears()
    clock.at += 30.0
    one.hears()

    assert told[-1].silences == ()


def test_silences_add_up_by_their_seconds():
    one, clock, told = ear()
    for seconds in (10.0, 5.0):
        one.deaf("broke off")
        clock.at += seconds
        one.hears()
        clock.at += 100.0

    assert told[-1].deaf(START, clock.now()) == 15.0
    assert told[-1].deaf(START + 5.0, START + 20.0) == 5.0


def test_a_silence_that_lasts_counts_up_to_now():
    one, clock, told = ear()
    one.deaf("broke off")
    clock.at += 42.0

    assert told[-1].deaf(START - 100.0, clock.now()) == 42.0


async def test_a_deaf_ear_answers_with_its_reason():
    one, _, _ = ear()
    one.deaf("slack: token_revoked")

    with pytest.raises(SourceError, match="slack: token_revoked"):
        one.hearing()


def test_a_line_that_flickers_is_remembered_within_bounds():
    one, clock, told = ear()
    for _ in range(5 * KEPT):
        one.deaf("broke off")
        clock.at += 1.0
        one.hears()

    assert len(told[-1].silences) == KEPT
