"""Whenever the channel falls silent: a full grace in which its person could be heard."""

import asyncio
from functools import partial

from hypothesis import example, given, settings
from hypothesis import strategies as st

from reaper.app.hearing import tell
from reaper.domain.escalation.hearing import Hearing, Silence
from reaper.domain.judgement.policy import Rung
from reaper.notifiers.ear import Ear
from tests.builders import MINUTE, policy
from tests.lab import Lab, lab
from tests.thoroughness import examples

GPU = "GPU-gpu01-0"
GRACE = 12 * MINUTE
LONG = 10 * MINUTE
QUICK = policy(
    Rung(step="warn", after=6 * MINUTE),
    Rung(step="warn", after=8 * MINUTE, final=True),
    Rung(step="release", grace=GRACE),
    idle_for=8 * MINUTE,
    away_for=MINUTE,
)

moments = st.lists(st.tuples(st.integers(0, 50), st.integers(1, 20)), max_size=4)
silences = moments.map(
    lambda drawn: frozenset(m for at, long in drawn for m in range(at, at + long))
)
"""The minutes in which the channel is deaf."""


async def played(deaf: frozenset[int]) -> tuple[Lab, Hearing]:
    """Play an idle hour and a half over a channel that is deaf in these minutes."""
    bench = lab(QUICK)
    await bench.play({GPU: "A"})
    assert bench.parts is not None
    told: list[Hearing] = []
    ear = Ear(channel="slack", clock=bench.clock, tell=partial(tell, bench.parts.board))
    for minute in range(90):
        if minute in deaf:
            ear.deaf("drawn")
        else:
            ear.hears()
        await bench.play({GPU: "H"})
        if bench.actor.begun:
            break
    told.append(Hearing(as_of=bench.clock.now(), channel="slack", silences=ear.silences))
    return bench, told[-1]


@settings(max_examples=examples(25), deadline=None)
@given(deaf=silences)
@example(deaf=frozenset(range(12)))
def test_a_release_follows_a_whole_grace_in_which_its_person_could_be_heard(deaf):
    bench, heard = asyncio.run(played(deaf))
    if not bench.actor.begun:
        return
    released = bench.actor.begun[0].expires - MINUTE
    final = max(item.created for item in bench.notifier.sent if item.kind == "final")

    assert released - final - heard.deaf(final, released) >= GRACE
    assert all(
        silence.end is not None and silence.end <= released
        for silence in heard.silences
        if silence.begin < released
    )
    assert all(
        (silence.end or 0.0) - silence.begin <= LONG
        for silence in heard.silences
        if (silence.end or 0.0) > final and silence.begin < released
    )


@settings(max_examples=examples(10), deadline=None)
@given(deaf=silences)
def test_a_channel_that_hears_again_delays_and_never_saves_for_ever(deaf):
    bench, heard = asyncio.run(played(frozenset(m for m in deaf if m < 40)))

    assert heard.silent is None
    assert len(bench.actor.begun) == 1


spans = st.lists(st.tuples(st.floats(0, 1e4), st.floats(0, 1e3)), max_size=5).map(
    lambda drawn: tuple(Silence(begin=at, end=at + long) for at, long in drawn)
)


@given(found=spans, cut=st.floats(0, 1e4), end=st.floats(0, 2e4))
def test_silence_adds_up_over_the_turns_that_look_at_it(found, cut, end):
    heard = Hearing(as_of=0.0, channel="slack", silences=found)
    middle = min(cut, end)

    parts = heard.deaf(0.0, middle) + heard.deaf(middle, end)
    assert abs(parts - heard.deaf(0.0, end)) < 1e-6
