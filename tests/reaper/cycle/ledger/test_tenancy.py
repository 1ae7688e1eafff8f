"""What the ledger says of a run's begin and end: how long it waited, and when it was over."""

from dataclasses import replace

import pytest

from reaper.cycle.ledger.holding import Held
from reaper.cycle.ledger.tenancy import run_events, tenures, waits
from reaper.domain.facts.allocation import Allocation, Place
from reaper.domain.facts.grid import NORMAL
from tests.books import HOUR, run_of, tenure_of
from tests.builders import START, claim, device, run


def begun(ident: str, *, began: float, submitted: float | None):
    return claim(ident, run=replace(run(ident), started=began), submitted=submitted)


def test_a_run_waited_from_its_submission_to_its_start():
    known = waits([begun("1", began=START - 60, submitted=START - 360)], START)

    assert list(known.values()) == [300.0]


def test_a_run_that_nobody_knows_the_submission_of_waited_unknown():
    assert waits([begun("1", began=START, submitted=None)], START) == {}


def test_a_run_that_was_at_work_long_before_it_was_met_is_no_news():
    assert waits([begun("1", began=START - 2 * HOUR, submitted=START - 3 * HOUR)], START) == {}


def test_the_wait_stands_with_the_begin_and_not_with_the_end():
    held = tenure_of("1", "GPU-0", START, None)
    key = held.run.key
    (began,) = run_events([held], (), START, {key: 300.0})
    (ended,) = run_events([replace(held, end=START + 60)], {key}, START + 60, {key: 300.0})

    assert (began.kind, began.numbers) == ("run began", {"waited_seconds": 300.0})
    assert (ended.kind, ended.numbers) == ("run ended", {})


def test_a_run_ends_before_the_next_one_begins():
    old = tenure_of("1", "GPU-0", START, None)
    again = run_of("1", started=START + 60, restarts=1)
    new = tenure_of("1", "GPU-0", START + 60, None, run=again)
    changed = [new, replace(old, end=START + 60)]

    events = run_events(changed, {old.run.key}, START + 60)

    assert [event.kind for event in events] == ["run ended", "run began"]


# ------------------------------------------------------------------ when a run ended


@pytest.mark.parametrize(
    ("told", "end"),
    [
        (None, START + 7200),
        (START + 1800, START + 1800),
        (START + 9000, START + 7200),
        (START - 60, START),
    ],
)
def test_a_run_ended_when_its_holder_says_and_else_when_it_is_noticed(told, end):
    held = tenure_of("1", "GPU-0", START, None)
    ends = {} if told is None else {held.run.key: told}

    (ended,) = tenures((), Held.of([held]), {}, now=START + 7200, pace=NORMAL, ends=ends)
    (event,) = run_events([ended], {held.run.key}, START + 7200)

    assert (ended.end, event.at, event.kind) == (end, end, "run ended")


def test_of_a_run_that_lost_a_device_and_goes_on_no_end_is_told():
    held = tenure_of("1", "GPU-0", START, None)

    assert run_events([replace(held, end=START)], {held.run.key}, START, live={held.run.key}) == []


def members(*places: Place, now: float, known: Held) -> dict[str, tuple[float, float | None]]:
    """Return what is written of a run that holds these places, by device: begin and end."""
    begun_now = replace(run("1"), started=START)
    held = claim("1", run=begun_now, places=places, node_ids=("p", "q"))
    devices = tuple(device(int(place.gpu[-1]), gres_index=None) for place in places if place.gpu)
    whole = Allocation(
        run=held.run,
        devices=devices,
        expected=len(places),
        claim=held,
        doubt="" if devices else "?",
    )
    written = tenures([whole], known, {}, now=now, pace=NORMAL)
    known.take(written, [whole])
    return {tenure.gpu: (tenure.begin, tenure.end) for tenure in written}


def on(gpu: int | None, member: str = "p", since: float | None = None) -> Place:
    """Return a member's place, on a device or on one that nobody names."""
    name = "" if gpu is None else f"GPU-gpu01-{gpu}"
    return Place(node="gpu01", gpu=name, node_id=member, since=since)


def test_a_device_of_a_member_that_came_later_is_held_since_then():
    later = START + 600
    written = members(on(0), on(1, "q", later), now=START + 660, known=Held())

    assert written == {"GPU-gpu01-0": (START, None), "GPU-gpu01-1": (later, None)}


def test_a_device_of_a_member_that_went_was_held_until_then():
    known = Held()
    members(on(0), on(1, "q"), now=START + 60, known=known)

    assert members(on(0), now=START + 600, known=known) == {"GPU-gpu01-1": (START, START + 600)}


def test_as_many_devices_are_held_as_are_claimed_though_nobody_names_them():
    written = members(on(None), on(None, "q"), now=START + 60, known=Held())

    assert list(written.values()) == [(START, None)] * 2


def test_a_device_that_is_named_later_was_its_own_from_the_start():
    known = Held()
    members(on(None), now=START + 60, known=known)

    assert members(on(0), now=START + 120, known=known) == {
        "gpu01:None": (START, START),
        "GPU-gpu01-0": (START, None),
    }


def test_a_device_of_which_nodes_fall_silent_is_counted_once():
    """Its own until then, then one that nobody names; when it is named again it was its own."""
    known = Held()
    members(on(0), now=START + 60, known=known)
    silent = members(on(None), now=START + 120, known=known)
    again = members(on(0), now=START + 180, known=known)

    assert silent == {
        "GPU-gpu01-0": (START, START + 120),
        "gpu01:None": (START + 120, None),
    }
    assert again == {
        "gpu01:None": (START + 120, START + 120),
        "GPU-gpu01-0": (START, None),
    }
