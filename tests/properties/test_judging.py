"""What is not seen never makes anything look more idle than it is."""

from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.facts.grid import NORMAL
from reaper.domain.judgement.idleness import judge
from reaper.domain.judgement.verdict import Verdict
from tests.builders import START, allocation
from tests.tracks import seen

letters = st.lists(
    st.tuples(st.sampled_from("AALHHEX!"), st.integers(1, 25)), min_size=1, max_size=8
).map(lambda runs: "".join(letter * count for letter, count in runs)[-120:].rjust(120, "A"))


def judged(tracks: list[str]) -> Verdict:
    held = allocation(gpus=len(tracks))
    known = {gpu: seen(track) for gpu, track in zip(held.gpus, tracks, strict=True)}
    return judge(held, known, now=START, pace=NORMAL)


@given(st.lists(letters, min_size=1, max_size=3), st.data())
def test_a_hidden_minute_never_adds_idle_time(tracks: list[str], data: st.DataObject) -> None:
    device = data.draw(st.integers(0, len(tracks) - 1))
    minute = data.draw(st.integers(0, 119))
    hidden = [*tracks]
    hidden[device] = f"{tracks[device][:minute]}?{tracks[device][minute + 1 :]}"

    assert judged(hidden).idle_for(START) <= judged(tracks).idle_for(START)


@given(st.lists(letters, min_size=1, max_size=3), letters)
def test_another_device_never_adds_idle_time(tracks: list[str], other: str) -> None:
    """The whole allocation is judged: one at work is enough."""
    assert judged([*tracks, other]).idle_for(START) <= judged(tracks).idle_for(START)


@given(st.lists(letters, min_size=1, max_size=3))
def test_idle_time_is_unbroken_on_every_device(tracks: list[str]) -> None:
    verdict = judged(tracks)
    minutes = round(verdict.idle_for(START) / 60)

    assert all(set(track[len(track) - minutes :]) <= set("HE") for track in tracks)
