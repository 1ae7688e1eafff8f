"""A crash at any write of a save's story: nobody is asked twice, nothing goes without proof."""

import pytest

from reaper.domain.escalation.decision import Verb
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Rung, Save
from reaper.store.memory import MemoryStore
from tests.builders import MINUTE, claim, device, policy, run
from tests.crashing import CrashError, CrashingStore
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
STORY = "AA" + "H" * 34
QUICK = policy(
    Rung(step="warn", after=6 * MINUTE),
    Rung(step="warn", after=8 * MINUTE, final=True),
    Rung(
        step="save",
        grace=4 * MINUTE,
        save=Save(signal="USR1", path="/checkpoints", within=3 * MINUTE),
    ),
    Rung(step="release"),
    idle_for=8 * MINUTE,
)


async def survived(at: int, *, after: bool) -> tuple[Lab, CrashingStore]:
    """Play an idle job with one crash; the process starts anew the next minute."""
    store = CrashingStore(MemoryStore(cluster="test"), at=at, after=after)
    bench = lab(QUICK, pace=Pace(verify=3 * MINUTE), store=store)
    bench.cluster.inputs.clear()
    bench.cluster.add(claim(purpose=Purpose.TRAINING, requeueable=True, batch=True), device())
    bench.cluster.catches["101"] = {"batch": frozenset(("USR1",))}
    for letter in STORY:
        try:
            await bench.minute({GPU: letter})
        except CrashError:
            bench.crash()
    return bench, store


async def writes() -> int:
    """Return how many writes the whole story takes."""
    _, store = await survived(0, after=True)
    return store.writes


@pytest.mark.parametrize("after", [False, True], ids=["lost", "kept"])
async def test_a_crash_at_any_write_asks_once_and_releases_only_what_is_saved(
    *, after: bool
) -> None:
    """Every write of the story is the last one once."""
    for at in range(1, await writes() + 1):
        bench, store = await survived(at, after=after)
        where = f"crash at write {at} of {store.writes}"
        verbs = [effect.verb for effect in bench.actor.begun]

        assert verbs.count(Verb.SAVE) <= 1, where
        assert verbs.count(Verb.RELEASE) <= verbs.count(Verb.SAVE), where
        if Verb.SAVE in verbs:
            assert verbs[-1] is Verb.RELEASE, where
            assert (await bench.case(run().key)).outcome == "released", where


async def test_a_crash_between_the_note_and_the_request_counts_as_not_saved() -> None:
    """That it was asked is written first: what was never sent is never proven."""
    unasked = []
    for at in range(1, await writes() + 1):
        bench, _ = await survived(at, after=True)
        verbs = [effect.verb for effect in bench.actor.begun]
        if Verb.SAVE not in verbs:
            unasked.append((verbs, (await bench.case(run().key)).state))
            assert len(await bench.events("not saved")) == 1
            assert bench.cluster.claims["101"].requeueable

    assert unasked != []
