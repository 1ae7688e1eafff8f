"""What is kept of a turn: nothing that changes nothing, and nothing of which nobody knows."""

from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.demand import Request
from reaper.domain.facts.inputs import (
    HOLDS,
    Entry,
    History,
    Inputs,
    Sighting,
    Witnessed,
    alike,
    histories,
    shapes,
    sightings,
)
from reaper.domain.facts.sign import Sign, presence
from tests.builders import HOUR, MINUTE, START, allocation

LIMIT = 3 * MINUTE
MIRA, OTTO = Inputs(owner="mira"), Inputs(owner="otto")


def seen(*signs: Sign, now: float = START) -> tuple[Sighting, ...]:
    return sightings(signs, now=now, stale_after=LIMIT)


def shell(last: float | None = START - HOUR, *, as_of: float = START, kind: str = "shell") -> Sign:
    return Sign(kind=kind, last_seen=last, as_of=as_of)


def test_when_a_sign_was_looked_at_matters_once_it_is_too_long_ago():
    assert seen(shell(as_of=START - LIMIT)) == seen(shell(as_of=START))
    assert seen(shell(as_of=START - LIMIT - 1))[0].as_of == START - LIMIT - 1


def test_a_sign_that_stays_away_is_kept_once():
    old = shell(as_of=START - HOUR)

    assert seen(old) == seen(old, now=START + HOUR)


def test_of_equal_sessions_the_last_input_counts():
    found = seen(shell(START - 9), shell(START - 5), shell(START - 7))

    assert found == (Sighting(kind="shell", last_seen=START - 5),)


def test_a_session_whose_input_cannot_be_read_is_kept_beside_the_others():
    assert len(seen(shell(START - 9), shell(None))) == 2


def test_presence_is_judged_alike_by_what_is_kept():
    cases = (
        (shell(START - 9), shell(START - 5, kind="jupyter")),
        (shell(START - 9, as_of=START - HOUR), shell(START - 5)),
        (shell(None), shell(START - 5, kind="vscode")),
        (shell(START - 9, kind="tmux"), shell(START - 2)),
        (Sign(kind="jupyter", last_seen=START, as_of=START, state="busy"), shell()),
        (),
    )
    for signs in cases:
        again = tuple(sign.at(START) for sign in seen(*signs))

        assert presence(again, now=START, stale_after=LIMIT) == presence(
            signs, now=START, stale_after=LIMIT
        )


def test_an_allocation_is_known_as_the_turn_knew_it():
    inputs = Inputs(
        owner="otto",
        purpose=Purpose.TRAINING,
        requeueable=True,
        doubt="who knows",
        signs=(Sighting(kind="vscode"),),
    )

    known = inputs.known_of(allocation(), START)

    assert (known.owner, known.claim.requeueable, known.doubt) == ("otto", True, "who knows")
    assert known.purpose is Purpose.INTERACTIVE
    assert known.signs == (Sign(kind="vscode", last_seen=None, as_of=START),)


def test_an_entry_holds_until_the_next():
    history = History(
        entries=(
            Entry(run_key="r", minute=5, inputs=MIRA),
            Entry(run_key="r", minute=9, inputs=OTTO),
            Entry(run_key="r", minute=12),
        )
    )

    assert [history.at(minute) for minute in (4, 5, 8, 9, 11, 12, 99)] == [
        *(None, MIRA, MIRA, OTTO, OTTO, None, None)
    ]
    assert list(history.spans(11)) == [(5, 9, MIRA), (9, 11, OTTO)]
    assert list(history.spans(99)) == [(5, 9, MIRA), (9, 12, OTTO)]


def test_no_entry_holds_for_ever():
    history = History(entries=(Entry(run_key="r", minute=0, inputs=MIRA),))

    assert history.at(HOLDS) == MIRA
    assert history.at(HOLDS + 1) is None
    assert list(history.spans(10 * HOLDS)) == [(0, HOLDS + 1, MIRA)]


def test_entries_are_gathered_by_run_in_order():
    entries = [Entry(run_key=key, minute=minute) for key, minute in (("b", 3), ("a", 2), ("b", 1))]

    found = histories(entries)

    assert [entry.minute for entry in found["b"].entries] == [1, 3]
    assert found.keys() == {"a", "b"}


def test_what_waits_is_kept_without_whose_it_is():
    requests = (
        Request(id="1", gpus=4, since=1.0, partitions=("gpu",), user="mira"),
        Request(id="2", gpus=2, since=2.0, partitions=("gpu",), user="otto"),
        Request(id="3", gpus=1, since=3.0, partitions=("gpu",), startable=False),
    )

    assert shapes(requests) == (Request(id="", gpus=2, since=0.0, partitions=("gpu",)),)


def test_devices_that_do_not_differ_are_kept_once():
    one, other = Witnessed(witnesses=("power",)), Witnessed()

    assert alike([one, one]) == (one,)
    assert Inputs(devices=alike([one, one])).of_device(1) == one
    assert Inputs(devices=alike([one, other])).of_device(1) == other
    assert Inputs().of_device(0) == Witnessed()
