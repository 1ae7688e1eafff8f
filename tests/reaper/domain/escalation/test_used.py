"""When an allocation was used last; what nobody can tell is no disuse."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.used import last_used
from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.sign import Sign
from reaper.domain.judgement.verdict import Kind
from tests.builders import HOUR, START, allocation, verdict

IDLE = verdict(idle=5 * HOUR)


def session(*signs: Sign) -> Allocation:
    return replace(allocation(purpose=Purpose.INTERACTIVE), signs=signs)


def shell(seen: float | None, **given) -> Sign:
    return Sign(**{"kind": "shell", "last_seen": seen, "as_of": START} | given)


@pytest.mark.parametrize(
    ("judged", "seen", "hours"),
    [
        (IDLE, 6 * HOUR, 5.0),
        (IDLE, 2 * HOUR, 2.0),
        (verdict(idle=5 * HOUR, host_worked=START - HOUR), 6 * HOUR, 1.0),
    ],
    ids=["its GPUs", "its person", "its host"],
)
def test_what_was_there_last_was_its_last_use(judged, seen: float, hours: float) -> None:
    assert last_used(session(shell(START - seen)), judged) == START - hours * HOUR


@pytest.mark.parametrize(
    ("judged", "signs"),
    [
        (verdict(Kind.BUSY), (shell(START),)),
        (verdict(idle=HOUR, works="its host works"), (shell(START),)),
        (IDLE, (shell(None),)),
        (IDLE, (shell(START, state="unreachable"),)),
        (IDLE, ()),
        (IDLE, (Sign(kind="keeper", last_seen=START, as_of=START),)),
    ],
    ids=["at work", "its host works", "unread", "unreachable", "no session", "a keeper alone"],
)
def test_of_what_is_in_use_or_unread_nothing_is_said(judged, signs) -> None:
    assert last_used(session(*signs), judged) is None
