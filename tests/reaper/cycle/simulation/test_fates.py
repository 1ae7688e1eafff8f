"""What really happened after a would-be release."""

import pytest

from reaper.cycle.rules import Rules
from reaper.cycle.simulation.fates import Aftermath, aftermath, fates, grouped, summed
from reaper.cycle.simulation.past import Past, PastRun
from reaper.cycle.simulation.play import play
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.inputs import Entry, History, Inputs, Witnessed
from reaper.domain.facts.track import Track
from reaper.domain.judgement.policy import Mode
from tests.builders import HOUR, MINUTE, START, allocation, keep, policy

FIRST = NORMAL.minute(START) + 1


def past(*letters: str, end: float | None = None, **given: object) -> Past:
    """Return a job on as many GPUs that played these letters from START on."""
    held = allocation(gpus=len(letters), purpose=Purpose.TRAINING)
    given = {"history": History(), **given}
    run = PastRun(allocation=held, begin=START - HOUR, end=end, **given)
    return Past(
        begin=START,
        end=START + len(letters[0]) * MINUTE,
        runs=(run,),
        tracks={
            gpu: Track(start=FIRST, letters=drawn)
            for gpu, drawn in zip(held.gpus, letters, strict=True)
        },
    )


def after(drawn: Past, *, released: float = 100 * MINUTE, within: float = HOUR) -> Aftermath:
    """Return what came after a release at 100 minutes."""
    return aftermath(drawn.runs[0], drawn, NORMAL, START + released, within)


def test_hours_after_a_release_are_counted_by_what_the_devices_did() -> None:
    found = after(past("H" * 130 + "A" * 10 + "?" * 20 + "H" * 40, "E" * 200))

    assert (found.idle, found.active, found.unseen) == (170 * MINUTE, 10 * MINUTE, 20 * MINUTE)


@pytest.mark.parametrize(
    ("drawn", "back", "known"),
    [
        pytest.param("H" * 130 + "A" * 70, 130, True, id="back in time"),
        pytest.param("H" * 170 + "A" * 30, None, True, id="back later"),
        pytest.param("H" * 200, None, True, id="never back"),
        pytest.param("H" * 140, None, False, id="not known for so long"),
    ],
)
def test_work_that_comes_back_in_time_is_a_false_release(
    drawn: str, back: int | None, known: bool
) -> None:
    found = after(past(drawn))

    assert found.back == (None if back is None else START + back * MINUTE)
    assert found.known is known


def test_a_run_that_ended_by_itself_would_not_have_come_back() -> None:
    assert after(past("H" * 130 + "A" * 70, end=START + 120 * MINUTE)).known


def test_a_run_that_was_really_released_tells_nothing() -> None:
    drawn = past("H" * 200, end=START + 130 * MINUTE, ended_by_us=START + 130 * MINUTE)

    assert not after(drawn).known


def test_a_fate_tells_warnings_keeps_and_the_release() -> None:
    drawn = past("A" * 10 + "H" * 300, keeps=(keep(begin=START + 95 * MINUTE, seconds=HOUR),))
    rules = Rules(cluster="test", policies=(policy(mode=Mode.NOTIFY),), price=lambda *_: 2.5)

    (fate,) = fates(drawn, play(drawn, rules, lifts_after=None), rules, back_within=HOUR)

    assert [at - START for at in fate.warned] == [40 * MINUTE]
    assert [at - START for at in fate.final] == [70 * MINUTE, 155 * MINUTE]
    assert fate.released == START + 185 * MINUTE
    assert (fate.mode, fate.kept) == (Mode.NOTIFY, (START + 95 * MINUTE,))


def test_sums_tell_acting_policies_from_others_and_price_only_idleness() -> None:
    drawn = past("A" * 10 + "H" * 150 + "A" * 120 + "H" * 300)
    rules = Rules(cluster="test", policies=(policy(mode=Mode.NOTIFY),), price=lambda *_: 2.0)
    found = fates(drawn, play(drawn, rules, lifts_after=None), rules, back_within=2 * HOUR)

    total = summed(found)

    assert (total.released, total.would, total.back, total.known) == (0, 1, 1, 1)
    assert total.false_releases == 1.0
    assert total.idle == (60 + 300) * MINUTE
    assert total.money == pytest.approx(2.0 * 6)
    assert grouped(found, lambda fate: fate.policy) == {"notebooks": total}


def test_nothing_is_estimated_where_nothing_is_known() -> None:
    assert summed(()).false_releases is None


def test_inputs_are_known_of_a_run_that_ended_by_itself_after_a_warning() -> None:
    """Its end is no turn that decided by what was known of it: then nothing is."""
    known = Inputs(owner="mira", devices=(Witnessed(witnesses=("profiling", "power")),))
    key, end = allocation().run.key, START + 80 * MINUTE
    kept = (
        Entry(run_key=key, minute=FIRST, inputs=known),
        Entry(run_key=key, minute=NORMAL.closed(end)),
    )
    drawn = past("H" * 120, end=end, history=History(entries=kept))
    rules = Rules(cluster="test", policies=(policy(),))

    (fate,) = fates(drawn, play(drawn, rules, lifts_after=None), rules, back_within=HOUR)

    assert (len(fate.warned), fate.closed != (), fate.inputs) == (1, True, True)
